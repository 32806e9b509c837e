/** The commands beside `serve`, with their options and help, and how options are defined. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CHOICES, type Config } from './config.ts';
import * as values from './option-parsers.ts';

/** The values of a command's options. */
export type Flags = Record<string, unknown>;

export interface CommandHandlers {
  readonly serve: (config: Config, parents: readonly number[]) => Promise<void>;
  readonly run: (config: Config, command: string[], flags: Flags) => Promise<void>;
  readonly plan: (files: string[], flags: Flags) => Promise<void>;
  readonly rehearse: (files: string[], flags: Flags) => Promise<void>;
  readonly export: (flags: Flags) => Promise<void>;
  readonly shard: (count: number, command: string[], flags: Flags) => Promise<void>;
  readonly replay: (file: string, flags: Flags) => Promise<void>;
  readonly record: (url: string, flags: Flags) => Promise<void>;
  readonly fit: (files: string[], flags: Flags) => Promise<void>;
  readonly data: (action: DataAction, places: string[], flags: Flags) => Promise<void>;
  readonly verify: (url: string, flags: Flags) => Promise<void>;
  readonly emulateBus: (flags: Flags) => Promise<void>;
  readonly calibrate: (flags: Flags) => Promise<void>;
  readonly doctor: (flags: Flags) => Promise<void>;
}

/** What `armtwin data` does. */
export type DataAction = 'check' | 'repair' | 'backup' | 'restore';

/** Adapts an option parser to Commander, which expects errors to be thrown. */
export function parser<Value>(read: (text: string, before?: Value) => values.Parsed<Value>) {
  return (text: string, before: Value | undefined): Value => {
    const result = read(text, before);
    if (result.ok) return result.value;
    throw new InvalidArgumentError(result.error);
  };
}

/** An option with its environment variable. */
export function option(flags: string, text: string, environment: string): Option {
  return new Option(flags, text).env(`ARMTWIN_${environment}`);
}

/** The family of the servos on a bus. */
export function familyOption(usual = 'of the calibration, else dynamixel'): Option {
  const text = `family of the servos (default: ${usual})`;
  return option('--servo-family <name>', text, 'SERVO_FAMILY').choices(CHOICES.servoFamily);
}

export const BUS_TEXT = 'servo bus: memory, tcp://host:port or serial:/dev/ttyUSB0[@baud]';

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
  for (const entry of options) {
    if (!NOT_OF_RUN.includes(entry.attributeName())) run.addOption(entry);
  }
}

/** Adds the command that runs another one as shards. */
export function addShardCommand(program: Command, handlers: CommandHandlers): void {
  program
    .command('shard')
    .argument('<count>', 'number of shards', parser(values.count))
    .argument('<command...>', 'command of armtwin with its arguments, after --')
    .usage('[options] <count> -- COMMAND…')
    .description('run a command as shards: on all cores, or one in each pod')
    .option(
      '--jobs <number>',
      'shards at once; default: the cores, 1 for verify',
      parser(values.count),
    )
    .addHelpText(
      'after',
      `
{shard} in the arguments is replaced by the shard, such as 2/8; without it, --shard is added to the
command. {index} is replaced by its number, for names of files. In a pod of an Indexed Job of
Kubernetes only the shard of JOB_COMPLETION_INDEX runs. The exit code is the highest of the shards.

Examples:
  armtwin shard 8 -- plan --threads 1 --json toolpaths
  armtwin shard 8 -- rehearse toolpaths --cell trays.json --variations 20 --junit part-{index}.xml
  armtwin shard 4 -- run --clock 10 -- npx armtwin verify {url} --token {token} --shard {shard}`,
    )
    .action((count: number, command: string[], flags: Flags) => {
      const problem = shardProblem(program, command);
      if (problem !== null) program.error(`error: ${problem}`, { exitCode: 2 });
      return handlers.shard(count, command, flags);
    });
}

/** Why a command cannot be run as shards, or null: each shard would fail in words of its own. */
function shardProblem(program: Command, [name = '', ...rest]: readonly string[]): string | null {
  const found = program.commands.find((command) => command.name() === name);
  if (!found) return `unknown command '${name}' behind --`;
  const isPlaced = rest.some((part) => part.includes('{shard}'));
  if (isPlaced || found.options.some(({ long }) => long === '--shard')) return null;
  return `${name} has no option --shard; place {shard} in its arguments`;
}

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
    .addOption(new Option('--driver <name>', 'plant').choices(['fast', 'rapier']).default('fast'))
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
Without --expect a run is as expected when it finishes and nothing was missed, dropped, slipped,
tipped or jammed. The format of the file is RehearsalExpectations in docs/reference/schemas.md; its
min_share is the share of variations that must work. With --realism each variation draws other
imperfections of the arm.

Examples:
  armtwin rehearse pick-and-place.json --cell trays.json
  armtwin rehearse pick-and-place.json --cell trays.json --expect placed.json --variations 200`,
    )
    .action((files: string[], flags: Flags) => handlers.rehearse(files, flags));
}

/** Adds the commands that read toolpaths and recordings or write models. */
export function addFileCommands(program: Command, handlers: CommandHandlers): void {
  program
    .command('plan <files...>')
    .description('check and build toolpath files or folders, print durations and errors')
    .option('--json', 'print JSON')
    .option('--profile <file>', 'time the motions by the profile of an arm', parser(values.profile))
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

/** Adds the commands for a servo bus. */
export function addServoCommands(program: Command, handlers: CommandHandlers): void {
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
    .option('--paired', 'eight servos: shoulder and elbow have a second one, ids 12 and 13')
    .addOption(familyOption('dynamixel'))
    .action((flags: Flags) => handlers.emulateBus(flags));
  program
    .command('calibrate')
    .description(
      'measure how the servos are mounted, with torque off, and write a calibration file',
    )
    .addOption(option('--bus <name>', BUS_TEXT, 'BUS'))
    .requiredOption('--out <file>', 'calibration file to write')
    .option('--ids <list>', 'servo ids from the base, e.g. 1,2,3,4,5,6, or 2+3 for two on a joint')
    .option('--one-by-one', 'switch the torque of one joint at a time off')
    .option('--drive', "also write the drives: only for an arm with the masses of the twin's model")
    .option('--import <file>', 'read the calibration of LeRobot or Interbotix instead')
    .option('--joints <names>', 'six names in that file, from the base on')
    .addOption(familyOption('dynamixel'))
    .action((flags: Flags) => handlers.calibrate(flags));
  program
    .command('doctor')
    .description('diagnose the servos on a bus; changes nothing without --fix')
    .option(
      '--fix',
      'first restore the protective settings of servos whose torque is off; moves nothing',
    )
    .addOption(bus())
    .addOption(
      option('--calibration <file>', 'calibration file of the expected servos', 'CALIBRATION'),
    )
    .addOption(familyOption())
    .action((flags: Flags) => handlers.doctor(flags));
}
