/** The command line: its commands, its help, and what is said of a wrong use. */
import { Command } from 'commander';
import type { CommandHandlers, Flags } from './command-handlers.ts';
import { addArmCommands } from './definitions/arm.ts';
import { addDataCommands } from './definitions/data.ts';
import { addFileCommands } from './definitions/files.ts';
import { addMcpCommand } from './definitions/mcp.ts';
import { addProfileCommands } from './definitions/profile.ts';
import { addRehearseCommand } from './definitions/rehearse.ts';
import { addRunCommand } from './definitions/run.ts';
import { configOf, rejectOptionsOfTwin, serveOptions } from './definitions/serve.ts';
import { addServoCommands } from './definitions/servos.ts';
import { addShardCommand } from './definitions/shard.ts';
import { addVerifyCommand } from './definitions/verify.ts';
import { nearestWord } from './nearest-word.ts';
import { isNpmStart } from './own-command.ts';

/** Rejects an unknown command with a suggestion. */
function rejectUnknownCommand(program: Command, word: string): never {
  const commands = program.commands.map((command) => command.name());
  const near = nearestWord(word, commands);
  const hint = near === null ? `there are ${commands.join(', ')}` : `Did you mean ${near}?`;
  // npm takes flags for its own, and gives on their values.
  const npm = isNpmStart() ? '\n(flags come after --: npm start -- --port 0)' : '';
  return program.error(`error: unknown command '${word}'\n(${hint})${npm}`);
}

/** Rejects words that are no command, and options that do not fit together. */
function rejectWrongUse(program: Command, serve: Command): void {
  for (const word of serve.args) rejectUnknownCommand(program, word);
  rejectOptionsOfTwin(serve);
}

/** `help COMMAND`, which names the nearest command for a word that is none. */
function addHelpCommand(program: Command): void {
  program
    .command('help')
    .argument('[command]', 'command to show the help of')
    .description('display help for command')
    .action((word: string | undefined) => {
      if (word === undefined) program.help();
      const command = program.commands.find((each) => each.name() === word);
      if (!command) rejectUnknownCommand(program, word);
      else command.help();
    });
}

/** The option lines of a command's help. */
function flagLines(command: Command): string {
  const [, options = ''] = command.helpInformation().split('Options:\n');
  return options.replace(/^ +-h, --help[\s\S]*$/m, '').trimEnd();
}

/** A command with its arguments, in the list of commands: `plan <files...>`. */
function termOf(command: Command): string {
  const names = command.registeredArguments.map((argument) =>
    argument.variadic ? `<${argument.name()}...>` : `<${argument.name()}>`,
  );
  return [command.name(), ...names].join(' ');
}

/** Names --arm in the help of every command: it is read before any of them (arm-option.ts). */
function nameArmOption(program: Command): void {
  const arm = serveOptions.find(({ long }) => long === '--arm')!;
  for (const command of program.commands) {
    if (!command.options.includes(arm)) command.addOption(arm);
  }
}

/** Creates the command line; an unknown option exits with 2 and a suggestion. */
export function createCommandLine(handlers: CommandHandlers, version: string): Command {
  const program = new Command('armtwin')
    .description('A digital twin of a six-joint robot arm and its API.')
    .version(version)
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .configureHelp({ showGlobalOptions: true, subcommandTerm: termOf })
    .exitOverride();
  const serve = program
    .command('serve', { isDefault: true })
    .description('start the twin and its API (default)')
    .allowExcessArguments()
    .action((flags: Flags, command: Command) => {
      rejectWrongUse(program, command);
      return handlers.serve(configOf(flags), (flags['parent'] as number[] | undefined) ?? []);
    });
  for (const entry of serveOptions) serve.addOption(entry);
  addRunCommand(program, handlers, { options: serveOptions, configOf });
  addFileCommands(program, handlers);
  addArmCommands(program, handlers);
  addRehearseCommand(program, handlers);
  addProfileCommands(program, handlers);
  addShardCommand(program, handlers);
  addDataCommands(program, handlers);
  addVerifyCommand(program, handlers);
  addServoCommands(program, handlers);
  addMcpCommand(program, handlers);
  nameArmOption(program);
  addHelpCommand(program);
  program.addHelpText(
    'after',
    `
Options of serve, the default command:
${flagLines(serve)}

Drivers (--driver):
  rapier      simulated arm on a rigid-body engine
  fast        simulated arm without the engine: about 15 times the pace, half the memory
  servo       real servos on --bus, or emulated ones with --bus memory; real time only
  mirrored    servos, with a simulated arm beside them that shows differences
  external    joints that another program moves (--bus tcp://host:port, docs/drivers.md)

Clock (--clock):
  1, 10, 0.5  real time, or a multiple of it
  max         as fast as the machine computes while the arm has something to do
  stepped     moves only when a client advances it (/sim/v1/clock, Twin.advance)

Dialects (--dialect):
  documented  replies as the specification says: 204 for control calls
  fielded     replies as arms in the field: 200 with {}; a missing content type is JSON
  auto        fielded for the arm's Python SDK and Go client, documented for all others

Examples:
  armtwin                                 a twin on http://127.0.0.1:8080
  armtwin --port 0 --clock 10             ten times real time, on a free port
  armtwin --data ./arm --token secret     keep users and toolpaths in ./arm
  armtwin run -- python3 script.py        a command with a twin of its own
  armtwin plan pick.json --json           check a toolpath in CI
  armtwin arm import my-arm.urdf          a folder for --arm, from a robot description
  armtwin data backup ./arm arm.backup    a copy of a data folder, also of a running twin
  armtwin --upstream http://192.168.1.20  the viewer for a remote arm
  armtwin verify http://arm --token t --no-motion
  armtwin doctor --bus serial:/dev/ttyUSB0`,
  );
  return program;
}
