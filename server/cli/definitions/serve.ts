/** The options of `armtwin serve`, the default command, and the configuration that they give. */
import type { Command, Option } from 'commander';
import type { ArmProfile, Cell, SeedBody } from '../../../contract/types.generated.ts';
import type { Flags } from '../command-handlers.ts';
import { CHOICES, type Config, SERVE_DEFAULTS } from '../config.ts';
import { BUS_TEXT, familyOption, option, parser } from '../option.ts';
import * as values from '../option-parsers.ts';

/** The flags of `serve`, each with its name in the environment. */
export const serveOptions: readonly Option[] = [
  option('--host <address>', 'address to listen on', 'HOST').default(SERVE_DEFAULTS.host),
  option('--port <number>', 'port to listen on, 0 for a free one', 'PORT')
    .argParser(parser(values.port))
    .default(SERVE_DEFAULTS.port),
  option('--data <folder>', 'data folder, or :memory:', 'DATA')
    .argParser(parser(values.filled))
    .default(':memory:'),
  option(
    '--token <secret>',
    'API token of the first admin; another one at a later start revokes it',
    'TOKEN',
  ).argParser(parser(values.secret)),
  option(
    '--admin-email <email>',
    'e-mail of the first admin; for a new data folder only',
    'ADMIN_EMAIL',
  ).argParser(parser(values.email)),
  option(
    '--admin-password <password>',
    'password of the first admin; for a new data folder only',
    'ADMIN_PASSWORD',
  ).argParser(parser(values.password)),
  option('--token-file <file>', 'file with the API token, as --token', 'TOKEN_FILE')
    .argParser(parser(values.secretFile(values.secret)))
    .conflicts('token'),
  option(
    '--admin-password-file <file>',
    'file with the password, as --admin-password',
    'ADMIN_PASSWORD_FILE',
  )
    .argParser(parser(values.secretFile(values.password)))
    .conflicts('adminPassword'),
  option('--arm <name|folder>', 'arm: one that comes with the program, or a folder', 'ARM'),
  option('--driver <name>', 'joint driver', 'DRIVER')
    .choices(CHOICES.driver)
    .default(SERVE_DEFAULTS.driver),
  option('--realism <level>', 'imperfections of a simulated arm', 'REALISM')
    .choices(CHOICES.realism)
    .default(SERVE_DEFAULTS.realism),
  option('--profile <file>', 'profile of an arm that armtwin fit has written', 'PROFILE').argParser(
    parser(values.profile),
  ),
  option('--bus <name>', BUS_TEXT, 'BUS').default(SERVE_DEFAULTS.bus),
  option('--calibration <file>', 'servo calibration file', 'CALIBRATION'),
  familyOption(),
  option(
    '--arm-is-supported',
    'switch off the torque of one joint at a time to correct settings',
    'ARM_IS_SUPPORTED',
  ),
  option('--bus-rate <hz>', 'cycles of the servo bus a second', 'BUS_RATE')
    .choices(['125', '250'])
    .default('125'),
  option('--clock <pace>', 'pace of twin time: 1, a multiple, max or stepped', 'CLOCK')
    .argParser(parser(values.pace))
    .default(SERVE_DEFAULTS.pace, '1'),
  option('--dialect <name>', 'response dialect', 'DIALECT')
    .choices(CHOICES.dialect)
    .default(SERVE_DEFAULTS.dialect),
  option('--name <text>', 'name of the robot', 'NAME').argParser(parser(values.nameOfRobot)),
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
  option(
    '--trust-proxy <address...>',
    'proxies whose X-Forwarded-For names the client: addresses or networks',
    'TRUST_PROXY',
  ).argParser(parser(values.proxies)),
  option('--seed <file>', 'load the initial state from a file', 'SEED').argParser(
    parser(values.seed),
  ),
  option('--cell <file>', 'load a cell: what stands around the arm', 'CELL').argParser(
    parser(values.cell),
  ),
  option('--record <file>', 'record the run to a file for armtwin replay', 'RECORD'),
  option(
    '--foxglove [port]',
    'live connection for Foxglove on this port (8765 without a number)',
    'FOXGLOVE',
  )
    .preset('8765')
    .argParser(parser(values.port)),
  option('--discover', 'advertise the arm on the local network', 'DISCOVER'),
  option('--no-sim', 'disable the simulation control API (/sim/v1)', 'NO_SIM'),
  option('--webhooks <profile>', 'webhook retry profile', 'WEBHOOKS')
    .choices(CHOICES.webhooks)
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
  option('--parent <pid>', 'exit when the process with this id has ended', 'PARENT').argParser(
    parser(values.processes),
  ),
  option('--log-level <level>', 'minimum log level', 'LOG_LEVEL')
    .choices(CHOICES.logLevel)
    .default(SERVE_DEFAULTS.logLevel),
];

/** The options that have an effect with `--upstream`; the others are of the twin itself. */
const OF_FRONT = [
  'arm',
  'host',
  'port',
  'allowOrigin',
  'allowHost',
  'upstream',
  'parent',
  'logLevel',
];

/**
 * Rejects options of a twin beside `--upstream`, which runs none. The variable of the data folder
 * may stand: the container image sets it for every command.
 */
export function rejectOptionsOfTwin(command: Command): void {
  if (command.getOptionValue('upstream') === undefined) return;
  const given = command.options.filter((entry) => {
    const name = entry.attributeName();
    const source = command.getOptionValueSource(name) ?? 'default';
    return (
      source !== 'default' && !OF_FRONT.includes(name) && !(name === 'data' && source === 'env')
    );
  });
  if (given.length === 0) return;
  const names = given.map(({ long }) => long).join(', ');
  const hint = '(--upstream runs no arm: set them where the arm runs)';
  command.error(`error: --upstream cannot be used with ${names}\n${hint}`);
}

export function configOf(flags: Flags): Config {
  const text = (name: string) => (flags[name] as string | undefined) ?? null;
  return Object.freeze({
    ...SERVE_DEFAULTS,
    // An IPv6 address may stand in brackets, as in a URL.
    host: (flags['host'] as string).replace(/^\[(.*)\]$/, '$1'),
    port: flags['port'] as number,
    data: flags['data'] as string,
    driver: flags['driver'] as Config['driver'],
    realism: flags['realism'] as Config['realism'],
    profile: (flags['profile'] as ArmProfile | undefined) ?? null,
    bus: flags['bus'] as string,
    calibration: text('calibration'),
    servoFamily: (flags['servoFamily'] as Config['servoFamily'] | undefined) ?? null,
    armIsSupported: flags['armIsSupported'] === true,
    busRate_hz: flags['busRate'] === '250' ? 250 : 125,
    pace: flags['clock'] as Config['pace'],
    dialect: flags['dialect'] as Config['dialect'],
    timezone: flags['timezone'] as string,
    name: text('name'),
    token: text('token') ?? text('tokenFile'),
    admin_email: text('adminEmail'),
    admin_password: text('adminPassword') ?? text('adminPasswordFile'),
    allowedOrigins: (flags['allowOrigin'] as string[] | undefined) ?? [],
    allowedHosts: (flags['allowHost'] as string[] | undefined) ?? [],
    trustedProxies: (flags['trustProxy'] as string[] | undefined) ?? [],
    seed: (flags['seed'] as SeedBody | undefined) ?? null,
    cell: (flags['cell'] as Cell | undefined) ?? null,
    record: text('record'),
    foxglove: (flags['foxglove'] as number | undefined) ?? null,
    discover: flags['discover'] === true,
    sim: flags['sim'] as boolean,
    webhooks: flags['webhooks'] as Config['webhooks'],
    upstream: text('upstream'),
    privateHooks: flags['privateHooks'] as boolean,
    logLevel: flags['logLevel'] as Config['logLevel'],
  });
}
