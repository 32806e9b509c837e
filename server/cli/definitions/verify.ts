/** The options and help of `armtwin verify`. */
import { type Command, Option } from 'commander';
import type { CommandHandlers, Flags } from '../command-handlers.ts';
import { option, parser } from '../option.ts';
import * as values from '../option-parsers.ts';

const verifyOptions: readonly Option[] = [
  option('--token <secret>', 'API token, preferably of an admin', 'TOKEN').makeOptionMandatory(),
  new Option('--second-token <secret>', 'API token of a second user'),
  new Option('--dialect <name>', 'expected response dialect')
    .choices(['documented', 'fielded'])
    .default('documented'),
  new Option('--no-motion', 'skip the rules that move the arm'),
  new Option('--update', 'run the rules that install an update'),
  new Option('--only <start...>', 'run only rules whose ids start with this, e.g. lock/'),
  new Option('--shard <i/n>', 'run every n-th rule, starting at the i-th').argParser(
    parser(values.shard),
  ),
  new Option('--patience <seconds>', 'maximum arm time per rule').argParser(parser(values.seconds)),
  new Option('--json', 'print JSON'),
  new Option('--junit <file>', 'write JUnit XML'),
  new Option('--html <file>', 'write an HTML report'),
];

/** Adds the command that runs the conformance suite. */
export function addVerifyCommand(program: Command, handlers: CommandHandlers): void {
  const verify = program
    .command('verify')
    .argument('<url>', 'base URL of the service', parser(values.address))
    .description('run the conformance suite against a service, such as a real arm')
    .action((url: string, flags: Flags) => handlers.verify(url, flags));
  for (const entry of verifyOptions) verify.addOption(entry);
}
