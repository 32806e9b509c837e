/**
 * The options and help of the commands that read toolpaths and recordings or write models: plan,
 * export, replay.
 */
import type { Command } from 'commander';
import type { CommandHandlers, Flags } from '../command-handlers.ts';
import { parser } from '../option.ts';
import * as values from '../option-parsers.ts';

/** Adds the commands that read toolpaths and recordings or write models. */
export function addFileCommands(program: Command, handlers: CommandHandlers): void {
  program
    .command('plan <files...>')
    .description('check and build toolpath files or folders, print durations and errors')
    .option('--json', 'print JSON')
    .option('--profile <file>', 'time the motions by the profile of an arm', parser(values.profile))
    .option('--cell <file>', 'check against the cell around the arm, too', parser(values.cell))
    .option('--html <out>', 'write offline HTML pages: a file, or a folder for several toolpaths')
    .option(
      '--shard <i/n>',
      'process every n-th file, starting at the i-th, e.g. 2/8',
      parser(values.shard),
    )
    .option('--threads <number>', 'worker threads; default: the cores', parser(values.count))
    .action((files: string[], flags: Flags) => handlers.plan(files, flags));
  program
    .command('export')
    .description('write the model of the arm, and of a cell, for other programs')
    .option('--urdf [file]', 'URDF for ROS tools; without a file: to the standard output')
    .option('--mjcf [file]', 'MJCF for MuJoCo, with the dynamics of the twin')
    .option('--gltf [file]', 'glTF 2.0 with a node per joint; binary when the name ends in .glb')
    .option('--payload <kg>', 'mass at the flange, in URDF and MJCF', parser(values.payload), 0)
    .option('--cell <file>', 'the cell around the arm', parser(values.cell))
    .action((flags: Flags) => handlers.export(flags));
  program
    .command('replay <file>')
    .description('replay a recording and report the first tick and field that differ')
    .option('--mcap <file>', 'export joints, poses, signals and log for robotics viewers')
    .option('--html <file>', 'write an offline HTML page of the recording')
    .action((file: string, flags: Flags) => handlers.replay(file, flags));
}
