/** The options and help of `armtwin run`. */
import type { Command, Option } from 'commander';
import type { CommandHandlers, Flags } from '../command-handlers.ts';
import type { Config } from '../config.ts';
import { parser } from '../option.ts';
import * as values from '../option-parsers.ts';

/** Flags of `serve` that `run` decides itself. */
const NOT_OF_RUN = ['port', 'upstream', 'parent', 'logLevel'];

/** The options of `serve` and what they give. */
export interface ServeOptions {
  readonly options: readonly Option[];
  readonly configOf: (flags: Flags) => Config;
}

/**
 * Adds the command that runs another program against a twin. It takes the options of `serve`, from
 * which `configOf` makes the configuration.
 */
export function addRunCommand(
  program: Command,
  handlers: CommandHandlers,
  { options, configOf }: ServeOptions,
): void {
  const run = program
    .command('run')
    .argument('<command...>', 'command and its arguments, after --')
    // What stands behind the command is its own, also where the -- before it was forgotten.
    .passThroughOptions()
    .usage('[flags of serve] [options] -- COMMAND…')
    .description('start a twin, run a command against it, and close it')
    .option('--port <number>', 'port of the twin, 0 for a free one', parser(values.port), 0)
    .option('--faults <file>', 'faults to inject before the command starts', parser(values.faults))
    .option('--type <line>', 'line for the standard input of the command', parser(values.lines))
    .option(
      '--as <addresses>',
      'addresses of the arm in the command; default: any private one',
      parser(values.addresses),
    )
    .option('--no-proxy', 'leave the HTTP of the command alone: typed-in addresses are real')
    .option('--junit <file>', 'write JUnit XML')
    .option('--mcap <file>', 'write the recorded motion for robotics viewers')
    .option('--html <file>', 'write an offline HTML page of the recorded motion')
    .option('--log-level <level>', 'minimum log level', 'warn')
    .addHelpText(
      'after',
      `
The command finds the twin in ARMTWIN_URL and ARMTWIN_TOKEN. In its arguments and in --type,
{host}, {url} and {token} are replaced. The exit code is that of the command.

An address that a script has typed in reaches the twin too, and no other arm: the twin is the HTTP proxy of the
command, by the variables http_proxy and https_proxy, which the arm's SDK and most libraries heed. A token that it has typed
in, and that the twin does not know, stands for the twin's, unless --token gives one. What goes to other hosts than the arm is refused and said;
localhost stays direct.

Examples:
  armtwin run -- python3 test_arm.py
  armtwin run --as 172.16.16.2 -- python3 script_with_that_address.py
  armtwin run --clock 10 --junit run.xml -- pytest tests --ip {host} --token {token}
  armtwin run --type {host} --type {token} -- python3 asks_for_address_and_token.py`,
    )
    .action((command: string[], flags: Flags) => handlers.run(configOf(flags), command, flags));
  for (const entry of options) {
    if (!NOT_OF_RUN.includes(entry.attributeName())) run.addOption(entry);
  }
}
