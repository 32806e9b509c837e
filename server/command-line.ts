/** The command line as data: what each flag is called, means and turns into. */
import { Command, InvalidArgumentError, Option } from 'commander';
import type { SeedBody } from '../contract/types.ts';
import { type Config, SERVE_DEFAULTS } from './config.ts';
import { nearestWord } from './nearest-word.ts';
import * as values from './option-values.ts';

/** What reads a value, as the parser of the command line has it: a failure is thrown. */
function by<Value>(read: (text: string, before?: Value) => values.Read<Value>) {
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
    .argParser(by(values.port))
    .default(SERVE_DEFAULTS.port),
  option('--data <folder>', 'folder for what is kept, or :memory:', 'DATA')
    .argParser(by(values.filled))
    .default(':memory:'),
  option('--token <secret>', 'API token of the first admin', 'TOKEN').argParser(by(values.secret)),
  option('--admin-email <email>', 'e-mail of the first admin', 'ADMIN_EMAIL').argParser(
    by(values.email),
  ),
  option('--admin-password <password>', 'password of the first admin', 'ADMIN_PASSWORD').argParser(
    by(values.password),
  ),
  option('--driver <name>', 'what stands behind the joints', 'DRIVER')
    .choices(['rapier', 'fast', 'servo', 'mirrored'])
    .default(SERVE_DEFAULTS.driver),
  option('--bus <name>', BUS_TEXT, 'BUS').default(SERVE_DEFAULTS.bus),
  option('--calibration <file>', 'how the servos are mounted', 'CALIBRATION'),
  option('--clock <pace>', 'pace of time: 1, a multiple, max or stepped', 'CLOCK')
    .argParser(by(values.pace))
    .default(SERVE_DEFAULTS.pace, '1'),
  option('--dialect <name>', 'way of answering', 'DIALECT')
    .choices(['auto', 'documented', 'fielded'])
    .default(SERVE_DEFAULTS.dialect),
  option('--name <text>', 'name of the robot', 'NAME'),
  option('--timezone <zone>', 'local time of the daily schedule', 'TIMEZONE')
    .argParser(by(values.timezone))
    .default(SERVE_DEFAULTS.timezone),
  option('--allow-origin <origin...>', 'other pages that may call', 'ALLOW_ORIGIN').argParser(
    by(values.origins),
  ),
  option('--seed <file>', 'bring the twin to how this file says', 'SEED').argParser(
    by(values.seed),
  ),
  option('--record <file>', 'record everything for armtwin replay', 'RECORD'),
  option('--discover', 'tell the local network that an arm is here', 'DISCOVER'),
  option('--no-sim', 'leave out /sim/v1, the hand on the twin', 'NO_SIM'),
  option('--webhooks <profile>', 'how patient deliveries to hooks are', 'WEBHOOKS')
    .choices(['ci', 'standard', 'off'])
    .default(SERVE_DEFAULTS.webhooks),
  option(
    '--upstream <url>',
    'show this arm: serve the page and pass its API through',
    'UPSTREAM',
  ).argParser(by(values.address)),
  option('--no-private-hooks', 'send to no loopback or private address', 'NO_PRIVATE_HOOKS'),
  option('--log-level <level>', 'least severity in the log', 'LOG_LEVEL')
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
    pace: flags['clock'] as Config['pace'],
    dialect: flags['dialect'] as Config['dialect'],
    timezone: flags['timezone'] as string,
    name: text('name'),
    token: text('token'),
    admin_email: text('adminEmail'),
    admin_password: text('adminPassword'),
    allowedOrigins: (flags['allowOrigin'] as string[] | undefined) ?? [],
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

export interface Verbs {
  readonly serve: (config: Config) => Promise<void>;
  readonly plan: (files: string[], flags: Flags) => Promise<void>;
  readonly replay: (file: string, flags: Flags) => Promise<void>;
  readonly verify: (url: string, flags: Flags) => Promise<void>;
  readonly emulateBus: (flags: Flags) => Promise<void>;
  readonly calibrate: (flags: Flags) => Promise<void>;
  readonly doctor: (flags: Flags) => Promise<void>;
}

const verifyOptions: readonly Option[] = [
  option('--token <secret>', 'an API token, best of an admin', 'TOKEN').makeOptionMandatory(),
  new Option('--second-token <secret>', 'an API token of another user, where none can be made'),
  new Option('--dialect <name>', 'way of answering to expect')
    .choices(['documented', 'fielded'])
    .default('documented'),
  new Option('--no-motion', 'leave out the rules that move the arm'),
  new Option('--update', 'run the rules that install an update'),
  new Option('--only <start...>', 'only rules whose names begin so, as lock/'),
  new Option('--patience <seconds>', 'the most arm time to wait for a rule').argParser(
    by(values.seconds),
  ),
  new Option('--json', 'print JSON'),
  new Option('--junit <file>', 'write JUnit XML'),
  new Option('--html <file>', 'write a page to look at'),
];

/** The verbs around a bus of servos. */
function addServoVerbs(program: Command, verbs: Verbs): void {
  const bus = () => option('--bus <name>', BUS_TEXT, 'BUS').makeOptionMandatory();
  program
    .command('emulate-bus')
    .description('emulate six servos and their arm, for drivers of real ones')
    .option('--tcp <port>', 'TCP port on 127.0.0.1, 0 for a free one', by(values.port))
    .addOption(
      new Option('--pty <link>', 'name of a pseudo terminal to make (needs socat)').conflicts(
        'tcp',
      ),
    )
    .action((flags: Flags) => verbs.emulateBus(flags));
  program
    .command('calibrate')
    .description('find out how servos are mounted, with the arm limp, and write it down')
    .addOption(bus())
    .requiredOption('--out <file>', 'calibration file to write')
    .option('--ids <list>', 'servo ids from the base on, as 1,2,3,4,5,6')
    .action((flags: Flags) => verbs.calibrate(flags));
  program
    .command('doctor')
    .description('look at the servos on a bus, change nothing, say what is wrong')
    .addOption(bus())
    .addOption(option('--calibration <file>', 'the servos that should be there', 'CALIBRATION'))
    .action((flags: Flags) => verbs.doctor(flags));
}

/** A word where a command should stand: says so, with the command that is nearest. */
function refuseWord(program: Command, word: string): never {
  const commands = program.commands.map((command) => command.name());
  const near = nearestWord(word, commands);
  const hint = near === null ? `there are ${commands.join(', ')}` : `Did you mean ${near}?`;
  return program.error(`error: unknown command '${word}'\n(${hint})`);
}

/** The flags of a command as its own help lists them. */
function flagLines(command: Command): string {
  const [, options = ''] = command.helpInformation().split('Options:\n');
  return options.replace(/^ +-h, --help[\s\S]*$/m, '').trimEnd();
}

/** Builds the command line over the verbs; an unknown option ends with 2 and the nearest name. */
export function createCommandLine(verbs: Verbs, version: string): Command {
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
      if (word !== undefined) refuseWord(program, word);
      return verbs.serve(configOf(flags));
    });
  for (const entry of serveOptions) serve.addOption(entry);
  program
    .command('plan <files...>')
    .description('check and build toolpaths or folders of them, print durations and errors')
    .option('--json', 'print JSON')
    .option('--html <out>', 'write pages that open from disk: a file, or for several a folder')
    .option('--shard <i/n>', 'only every n-th file from the i-th on, as 2/8', by(values.shard))
    .action((files: string[], flags: Flags) => verbs.plan(files, flags));
  program
    .command('replay <file>')
    .description('repeat a recording bit by bit, or name the first tick and field that differ')
    .option('--mcap <file>', 'write joints, poses, signals and log for robotics viewers')
    .option('--html <file>', 'write a page that shows the recording and opens from disk')
    .action((file: string, flags: Flags) => verbs.replay(file, flags));
  const verify = program
    .command('verify')
    .argument('<url>', 'where it is', by(values.address))
    .description('hold a service, a real arm included, to the rules of the spec')
    .action((url: string, flags: Flags) => verbs.verify(url, flags));
  for (const entry of verifyOptions) verify.addOption(entry);
  addServoVerbs(program, verbs);
  program.addHelpText(
    'after',
    `
Options of serve, which is what armtwin does without a command:
${flagLines(serve)}

Examples:
  armtwin                                 a twin on http://127.0.0.1:8080
  armtwin --port 0 --clock 10             ten times as fast, on a free port
  armtwin --data ./arm --token secret     keep users and toolpaths in ./arm
  armtwin plan pick.json --json           check a toolpath in CI
  armtwin --upstream http://192.168.1.20  the page for an arm elsewhere
  armtwin verify http://arm --token t --no-motion
  armtwin doctor --bus serial:/dev/ttyUSB0`,
  );
  return program;
}
