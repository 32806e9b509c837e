/**
 * The options and help of the commands that measure an arm and make the twin like it: record, fit.
 */
import type { Command } from 'commander';
import type { CommandHandlers, Flags } from '../command-handlers.ts';
import { option, parser } from '../option.ts';
import * as values from '../option-parsers.ts';

/** Adds the commands that measure an arm and make the twin like it. */
export function addProfileCommands(program: Command, handlers: CommandHandlers): void {
  program
    .command('record')
    .argument('<url>', 'base URL of the arm', parser(values.address))
    .description('record what an arm publishes into a capture file, without moving it')
    .addOption(option('--token <secret>', 'API token of the arm', 'TOKEN').makeOptionMandatory())
    .requiredOption('--out <file>', 'capture file to write')
    .option('--for <seconds>', 'how long to record; default: until Ctrl-C', parser(values.seconds))
    .option(
      '--snapshots <rate>',
      'snapshots a second in place of the stream',
      parser(values.snapshotRate),
    )
    .action((url: string, flags: Flags) => handlers.record(url, flags));
  program
    .command('fit <captures...>')
    .description('estimate limits, friction, load, noise and latency of an arm from captures')
    .option('--out <file>', 'profile to write, for --profile')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
A capture is a file of armtwin record, a recording of a twin, or MCAP with joint states. Friction
and load need motor torques, which MCAP and recordings can have.

Examples:
  armtwin record http://192.168.1.20 --token t --for 300 --out arm.capture
  armtwin fit arm.capture --out arm.profile.json
  armtwin --profile arm.profile.json`,
    )
    .action((files: string[], flags: Flags) => handlers.fit(files, flags));
}
