/** The options and help of `armtwin data`. */
import type { Command } from 'commander';
import type { CommandHandlers, Flags } from '../command-handlers.ts';

/** Adds the commands that look after data folders. */
export function addDataCommands(program: Command, handlers: CommandHandlers): void {
  const data = program.command('data').description('check, back up and restore data folders');
  data
    .command('check <folder>')
    .description('read everything in a data folder or a backup and list what is damaged')
    .action((folder: string) => handlers.data('check', [folder], {}));
  data
    .command('backup <folder> <file>')
    .description('write the content of a data folder to a file, also while a twin uses it')
    .action((folder: string, file: string) => handlers.data('backup', [folder, file], {}));
  data
    .command('restore <folder> <file>')
    .description('make a data folder from a backup')
    .option('--replace', 'put the data of the folder aside first')
    .action((folder: string, file: string, flags: Flags) =>
      handlers.data('restore', [folder, file], flags),
    );
  data
    .command('repair <folder>')
    .description(
      'make a damaged data folder usable again; what is lost stays lost, even users and tokens',
    )
    .action((folder: string) => handlers.data('repair', [folder], {}));
}
