/** The options and help of `armtwin arm`. */
import type { Command } from 'commander';
import type { CommandHandlers, Flags } from '../command-handlers.ts';
import { parser } from '../option.ts';
import * as values from '../option-parsers.ts';

/** Adds the commands that make arms. */
export function addArmCommands(program: Command, handlers: CommandHandlers): void {
  const arm = program.command('arm').description('make an arm of a robot description');
  arm
    .command('import <file>')
    .description('check a URDF and write a folder for --arm; say what does not fit or is estimated')
    .option('--base <link>', 'the link that stands; default: the root')
    .option('--tip <link>', 'the link at the flange; default: the end of the sixth joint')
    .option('--meshes <folder>', 'the package of its meshes; default: beside and above the file')
    .option('--name <name>', 'folder to write; default: the name of the robot')
    .option('--payload <kg>', 'the most that the arm carries', parser(values.mass))
    .action((file: string, flags: Flags) => handlers.importArm(file, flags));
}
