/** The options and help of `armtwin rehearse`. */
import { type Command, Option } from 'commander';
import type { CommandHandlers, Flags } from '../command-handlers.ts';
import { CHOICES, SIMULATED_DRIVERS } from '../config.ts';
import { parser } from '../option.ts';
import * as values from '../option-parsers.ts';

/** Adds the command that runs toolpaths against a cell. */
export function addRehearseCommand(program: Command, handlers: CommandHandlers): void {
  program
    .command('rehearse <files...>')
    .description('run toolpaths in a cell, print what was picked, placed, touched and missed')
    .requiredOption('--cell <file>', 'the cell around the arm', parser(values.cell))
    .option(
      '--expect <file>',
      'where objects must be in the end, times, forces and signals',
      parser(values.expectations),
    )
    .addOption(
      new Option('--driver <name>', 'plant (default: both, where they can differ)').choices(
        SIMULATED_DRIVERS,
      ),
    )
    .addOption(
      new Option('--realism <level>', 'imperfections of the arm')
        .choices(CHOICES.realism)
        .default('ideal'),
    )
    .option(
      '--variations <number>',
      'runs with drawn positions of the objects',
      parser(values.count),
    )
    .option(
      '--spread <mm>',
      'greatest drawn offset in x and in y (default: 5)',
      parser(values.millimetres),
    )
    .option('--seed <number>', 'seed of all draws', parser(values.count), 1)
    .option('--limit <seconds>', 'longest run, in time of the twin', parser(values.seconds), 600)
    .option('--shard <i/n>', 'rehearse every n-th file, starting at the i-th', parser(values.shard))
    .option('--json', 'print JSON')
    .option('--junit <file>', 'write JUnit XML')
    .option('--html <file>', 'write an offline HTML page of the run without variations')
    .addHelpText(
      'after',
      `
Without --expect a run is as expected when it finishes and nothing was missed, dropped or jammed, and
nothing slipped, slid, fell off or tipped. The format of the file is RehearsalExpectations in
docs/reference/README.md; its min_share is the share of variations that must work. With --realism
each variation draws other imperfections of the arm. A cell with objects is rehearsed on both plants:
each must be as expected, and the reports say where they differ.

Examples:
  armtwin rehearse pick-and-place.json --cell trays.json
  armtwin rehearse pick-and-place.json --cell trays.json --expect placed.json --variations 200`,
    )
    .action((files: string[], flags: Flags) => handlers.rehearse(files, flags));
}
