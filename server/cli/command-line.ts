/** The command line: commands, options, environment variables and help. */
import { Command, InvalidArgumentError, Option } from 'commander';
import type { SeedBody } from '../../contract/types.ts';
import { type Config, SERVE_DEFAULTS } from './config.ts';
import * as values from './option-parsers.ts';
import { nearestWord } from './option-parsers.ts';

/** Adapts an option parser to Commander, which expects errors to be thrown. */
function parser<Value>(read: (text: string, before?: Value) => values.Parsed<Value>) {
  return (text: string, before: Value | undefined): Value => {
    const result = read(text, before);
    if (result.ok) return result.value;
    throw new InvalidArgumentError(result.error);
  };
}

function option(flags: string, text: string, environment: string): Option {
  return new Option(flags, text).env(`ARMTWIN_${environment}`);
}

const BUS_TEXT = 'servo bus: memory, tcp://host:port or serial:/dev/ttyUSB0[@baud]';

/** The flags of `serve`, each with its name in the environment. */
export const serveOptions: readonly Option[] = [
  option('--host <address>', 'address to listen on', 'HOST').default(SERVE_DEFAULTS.host),
  option('--port <number>', 'port to listen on, 0 for a free one', 'PORT')
    .argParser(parser(values.port))
    .default(SERVE_DEFAULTS.port),
  option('--data <folder>', 'data folder, or :memory:', 'DATA')
    .argParser(parser(values.filled))
    .default(':memory:'),
  option('--token <secret>', 'API token of the first admin', 'TOKEN').argParser(
    parser(values.secret),
  ),
  option('--admin-email <email>', 'e-mail of the first admin', 'ADMIN_EMAIL').argParser(
    parser(values.email),
  ),
  option('--admin-password <password>', 'password of the first admin', 'ADMIN_PASSWORD').argParser(
    parser(values.password),
  ),
  option('--driver <name>', 'joint driver', 'DRIVER')
    .choices(['rapier', 'fast', 'servo', 'mirrored'])
    .default(SERVE_DEFAULTS.driver),
  option('--bus <name>', BUS_TEXT, 'BUS').default(SERVE_DEFAULTS.bus),
  option('--calibration <file>', 'servo calibration file', 'CALIBRATION'),
  option(
    '--arm-is-supported',
    'let servos go one at a time to correct their settings',
    'ARM_IS_SUPPORTED',
  ),
  option('--clock <pace>', 'pace of twin time: 1, a multiple, max or stepped', 'CLOCK')
    .argParser(parser(values.pace))
    .default(SERVE_DEFAULTS.pace, '1'),
  option('--dialect <name>', 'response dialect', 'DIALECT')
    .choices(['auto', 'documented', 'fielded'])
    .default(SERVE_DEFAULTS.dialect),
  option('--name <text>', 'name of the robot', 'NAME'),
  option('--timezone <zone>', 'time zone of the daily schedule', 'TIMEZONE')
    .argParser(parser(values.timezone))
    .default(SERVE_DEFAULTS.timezone),
  option(
    '--allow-origin <origin...>',
    'other origins whose pages may call the API',
    'ALLOW_ORIGIN',
  ).argParser(parser(values.origins)),
  option(
    '--allow-host <name...>',
    'public names of this service, as clients write them in URLs, or *',
    'ALLOW_HOST',
  ).argParser(parser(values.hosts)),
  option('--seed <file>', 'load the initial state from a file', 'SEED').argParser(
    parser(values.seed),
  ),
  option('--record <file>', 'record the run to a file for armtwin replay', 'RECORD'),
  option('--discover', 'advertise the arm on the local network', 'DISCOVER'),
  option('--no-sim', 'disable the simulation control API (/sim/v1)', 'NO_SIM'),
  option('--webhooks <profile>', 'webhook retry profile', 'WEBHOOKS')
    .choices(['ci', 'standard', 'off'])
    .default(SERVE_DEFAULTS.webhooks),
  option(
    '--upstream <url>',
    'serve the viewer for this arm and proxy its API',
    'UPSTREAM',
  ).argParser(parser(values.address)),
  option(
    '--no-private-hooks',
    'send no webhooks to loopback or private addresses',
    'NO_PRIVATE_HOOKS',
  ),
  option('--parent <pid>', 'end when the process with this id has ended', 'PARENT').argParser(
    parser(values.processes),
  ),
  option('--log-level <level>', 'minimum log level', 'LOG_LEVEL')
    .choices(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default(SERVE_DEFAULTS.logLevel),
];

type Flags = Record<string, unknown>;

function configOf(flags: Flags): Config {
  const text = (name: string) => (flags[name] as string | undefined) ?? null;
  return Object.freeze({
    ...SERVE_DEFAULTS,
    host: flags['host'] as string,
    port: flags['port'] as number,
    data: flags['data'] as string,
    driver: flags['driver'] as Config['driver'],
    bus: flags['bus'] as string,
    calibration: text('calibration'),
    armIsSupported: flags['armIsSupported'] === true,
    pace: flags['clock'] as Config['pace'],
    dialect: flags['dialect'] as Config['dialect'],
    timezone: flags['timezone'] as string,
    name: text('name'),
    token: text('token'),
    admin_email: text('adminEmail'),
    admin_password: text('adminPassword'),
    allowedOrigins: (flags['allowOrigin'] as string[] | undefined) ?? [],
    allowedHosts: (flags['allowHost'] as string[] | undefined) ?? [],
    seed: (flags['seed'] as SeedBody | undefined) ?? null,
    record: text('record'),
    discover: flags['discover'] === true,
    sim: flags['sim'] as boolean,
    webhooks: flags['webhooks'] as Config['webhooks'],
    upstream: text('upstream'),
    privateHooks: flags['privateHooks'] as boolean,
    logLevel: flags['logLevel'] as Config['logLevel'],
  });
}

export interface CommandHandlers {
  readonly serve: (config: Config, parents: readonly number[]) => Promise<void>;
  readonly run: (config: Config, command: string[], flags: Flags) => Promise<void>;
  readonly plan: (files: string[], flags: Flags) => Promise<void>;
  readonly replay: (file: string, flags: Flags) => Promise<void>;
  readonly verify: (url: string, flags: Flags) => Promise<void>;
  readonly emulateBus: (flags: Flags) => Promise<void>;
  readonly calibrate: (flags: Flags) => Promise<void>;
  readonly doctor: (flags: Flags) => Promise<void>;
}

const verifyOptions: readonly Option[] = [
  option('--token <secret>', 'API token, preferably of an admin', 'TOKEN').makeOptionMandatory(),
  new Option('--second-token <secret>', 'API token of a second user'),
  new Option('--dialect <name>', 'expected response dialect')
    .choices(['documented', 'fielded'])
    .default('documented'),
  new Option('--no-motion', 'skip the rules that move the arm'),
  new Option('--update', 'run the rules that install an update'),
  new Option('--only <start...>', 'run only rules whose ids start with this, e.g. lock/'),
  new Option('--patience <seconds>', 'maximum arm time per rule').argParser(parser(values.seconds)),
  new Option('--json', 'print JSON'),
  new Option('--junit <file>', 'write JUnit XML'),
  new Option('--html <file>', 'write an HTML report'),
];

/** Flags of `serve` that `run` decides itself. */
const NOT_OF_RUN = ['port', 'upstream', 'parent', 'logLevel'];

/** The command that runs another program against a twin. */
function addRunCommand(program: Command, handlers: CommandHandlers): void {
  const run = program
    .command('run')
    .argument('<command...>', 'command and its arguments, after --')
    .usage('[flags of serve] [options] -- COMMAND…')
    .description('start a twin, run a command against it, and close it')
    .option('--port <number>', 'port of the twin, 0 for a free one', parser(values.port), 0)
    .option('--faults <file>', 'faults to inject before the command starts', parser(values.faults))
    .option('--type <line>', 'line for the standard input of the command', parser(values.lines))
    .option('--junit <file>', 'write JUnit XML')
    .option('--mcap <file>', 'write the recorded motion for robotics viewers')
    .option('--html <file>', 'write an offline HTML page of the recorded motion')
    .option('--log-level <level>', 'minimum log level', 'warn')
    .addHelpText(
      'after',
      `
The command finds the twin in ARMTWIN_URL and ARMTWIN_TOKEN. In its arguments and in --type,
{host}, {url} and {token} are replaced. The exit code is that of the command.

Examples:
  armtwin run -- python3 test_arm.py
  armtwin run --clock 10 --junit run.xml -- pytest tests --ip {host} --token {token}
  armtwin run --type {host} --type {token} -- python3 asks_for_address_and_token.py`,
    )
    .action((command: string[], flags: Flags) => handlers.run(configOf(flags), command, flags));
  for (const entry of serveOptions) {
    if (!NOT_OF_RUN.includes(entry.attributeName())) run.addOption(entry);
  }
}

/** The commands for a servo bus. */
function addServoCommands(program: Command, handlers: CommandHandlers): void {
  const bus = () => option('--bus <name>', BUS_TEXT, 'BUS').makeOptionMandatory();
  program
    .command('emulate-bus')
    .description('emulate a bus with six servos and their arm, to test drivers')
    .option('--tcp <port>', 'TCP port on 127.0.0.1, 0 for a free one', parser(values.port))
    .addOption(
      new Option('--pty <link>', 'path of a pseudo terminal to create (needs socat)').conflicts(
        'tcp',
      ),
    )
    .action((flags: Flags) => handlers.emulateBus(flags));
  program
    .command('calibrate')
    .description(
      'measure how the servos are mounted, with torque off, and write a calibration file',
    )
    .addOption(bus())
    .requiredOption('--out <file>', 'calibration file to write')
    .option('--ids <list>', 'servo ids from the base, e.g. 1,2,3,4,5,6')
    .action((flags: Flags) => handlers.calibrate(flags));
  program
    .command('doctor')
    .description('diagnose the servos on a bus without changing them')
    .addOption(bus())
    .addOption(
      option('--calibration <file>', 'calibration file of the expected servos', 'CALIBRATION'),
    )
    .action((flags: Flags) => handlers.doctor(flags));
}

/** Rejects an unknown command with a suggestion. */
function rejectUnknownCommand(program: Command, word: string): never {
  const commands = program.commands.map((command) => command.name());
  const near = nearestWord(word, commands);
  const hint = near === null ? `there are ${commands.join(', ')}` : `Did you mean ${near}?`;
  return program.error(`error: unknown command '${word}'\n(${hint})`);
}

/** The option lines of a command's help. */
function flagLines(command: Command): string {
  const [, options = ''] = command.helpInformation().split('Options:\n');
  return options.replace(/^ +-h, --help[\s\S]*$/m, '').trimEnd();
}

/** Creates the command line; an unknown option exits with 2 and a suggestion. */
export function createCommandLine(handlers: CommandHandlers, version: string): Command {
  const program = new Command('armtwin')
    .description('A digital twin of a six-joint robot arm and its API.')
    .version(version)
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .exitOverride();
  const serve = program
    .command('serve', { isDefault: true })
    .description('start the twin and its API (default)')
    .allowExcessArguments()
    .action((flags: Flags, command: Command) => {
      const [word] = command.args;
      if (word !== undefined) rejectUnknownCommand(program, word);
      return handlers.serve(configOf(flags), (flags['parent'] as number[] | undefined) ?? []);
    });
  for (const entry of serveOptions) serve.addOption(entry);
  addRunCommand(program, handlers);
  program
    .command('plan <files...>')
    .description('check and build toolpath files or folders, print durations and errors')
    .option('--json', 'print JSON')
    .option('--html <out>', 'write offline HTML pages: a file, or a folder for several toolpaths')
    .option(
      '--shard <i/n>',
      'process every n-th file, starting at the i-th, e.g. 2/8',
      parser(values.shard),
    )
    .action((files: string[], flags: Flags) => handlers.plan(files, flags));
  program
    .command('replay <file>')
    .description('replay a recording and report the first tick and field that differ')
    .option('--mcap <file>', 'export joints, poses, signals and log for robotics viewers')
    .option('--html <file>', 'write an offline HTML page of the recording')
    .action((file: string, flags: Flags) => handlers.replay(file, flags));
  const verify = program
    .command('verify')
    .argument('<url>', 'base URL of the service', parser(values.address))
    .description('run the conformance suite against a service, such as a real arm')
    .action((url: string, flags: Flags) => handlers.verify(url, flags));
  for (const entry of verifyOptions) verify.addOption(entry);
  addServoCommands(program, handlers);
  program.addHelpText(
    'after',
    `
Options of serve, the default command:
${flagLines(serve)}

Examples:
  armtwin                                 a twin on http://127.0.0.1:8080
  armtwin --port 0 --clock 10             ten times real time, on a free port
  armtwin --data ./arm --token secret     keep users and toolpaths in ./arm
  armtwin run -- python3 script.py        a command with a twin of its own
  armtwin plan pick.json --json           check a toolpath in CI
  armtwin --upstream http://192.168.1.20  the viewer for a remote arm
  armtwin verify http://arm --token t --no-motion
  armtwin doctor --bus serial:/dev/ttyUSB0`,
  );
  return program;
}
