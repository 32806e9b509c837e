/**
 * Checks the options of `createTwin()` as the command line checks its flags: an unknown name or a
 * wrong value is an error with a sentence, the nearest name, and the values that are valid.
 */

import { failure, type Result, success } from '../../contract/refusal.ts';
import { validate } from '../../contract/validator.ts';
import { checkCell } from '../../physics/cell/check-cell.ts';
import { profileProblems } from '../../physics/motion/timing-laws.ts';
import { CHOICES, type Config, parsePace, TWIN_DEFAULTS } from './config.ts';
import * as parsers from './option-parsers.ts';
import { nearestWord } from './output.ts';

/** What `createTwin()` takes: the settings of a twin, with `clock` in place of the pace. */
interface TwinSettings
  extends Omit<Config, 'pace' | 'upstream' | 'plansInline' | 'showsCredentials'> {
  readonly clock: 'stepped' | 'max' | number;
}

type Check = (value: unknown) => Result<unknown, string>;

const isText: Check = (value) =>
  typeof value === 'string' ? success(value) : failure('It must be a string.');
const isFlag: Check = (value) =>
  typeof value === 'boolean' ? success(value) : failure('It must be true or false.');
const parsed =
  (parse: (text: string) => Result<unknown, string>): Check =>
  (value) =>
    typeof value === 'string' ? parse(value) : failure('It must be a string.');
const each =
  (parse: (text: string) => Result<unknown, string>): Check =>
  (value) => {
    if (!Array.isArray(value)) return failure('It must be a list of strings.');
    const problem = value.map((item) => parsed(parse)(item)).find((result) => !result.ok);
    return problem ?? success(value);
  };
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? success(value) : check(value);

function isOneOf(name: keyof typeof CHOICES): Check {
  const choices: readonly string[] = CHOICES[name];
  return (value) => {
    if (choices.includes(String(value))) return success(value);
    const near = nearestWord(String(value), choices);
    const hint = near === null ? '' : ` Did you mean ${near}?`;
    return failure(`It must be one of ${choices.join(', ')}.${hint}`);
  };
}

const isSeed: Check = (value) => {
  const result = validate('SeedBody', value, { dialect: 'documented' });
  if (result.ok) return success(value);
  return failure(result.error.map(({ path, problem }) => `${path} ${problem}`).join('; '));
};

const isProfile: Check = (value) => {
  const result = validate('ArmProfile', value, { dialect: 'documented' });
  const problems = result.ok ? profileProblems(result.value.value) : result.error;
  if (problems.length === 0) return success(value);
  return failure(problems.map(({ path, problem }) => `${path} ${problem}`).join('; '));
};

/** A factor is a number, as in the types; only the command line has texts of numbers. */
const isPace: Check = (value) =>
  (typeof value === 'number' || value === 'stepped' || value === 'max') && parsePace(String(value))
    ? success(value)
    : failure('It must be stepped, max or a factor.');

const isPort: Check = (value) =>
  typeof value === 'number'
    ? parsers.port(String(value))
    : failure('It must be a whole number from 0 to 65535.');

const isCell: Check = (value) => {
  if (typeof value === 'string') {
    return failure('It must be the content of a cell file, as JSON.parse returns it.');
  }
  const result = validate('Cell', value, { dialect: 'documented' });
  const problems = result.ok ? checkCell(result.value.value) : result.error;
  if (problems.length === 0) return success(value);
  return failure(problems.map(({ path, problem }) => `${path} ${problem}`).join('; '));
};

const isRate: Check = (value) =>
  value === 125 || value === 250 ? success(value) : failure('It must be 125 or 250.');

const isSeedNumber: Check = (value) =>
  Number.isSafeInteger(value) ? success(value) : failure('It must be a whole number.');

const CHECKS: Readonly<Record<keyof TwinSettings, Check>> = {
  clock: isPace,
  host: isText,
  port: isPort,
  data: parsed(parsers.filled),
  driver: isOneOf('driver'),
  bus: isText,
  calibration: orNull(isText),
  servoFamily: orNull(isOneOf('servoFamily')),
  armIsSupported: isFlag,
  busRate_hz: isRate,
  dialect: isOneOf('dialect'),
  timezone: parsed(parsers.timezone),
  name: orNull(parsed(parsers.nameOfRobot)),
  token: orNull(parsed(parsers.filled)),
  admin_email: orNull(parsed(parsers.email)),
  admin_password: orNull(parsed(parsers.password)),
  allowedOrigins: each(parsers.origins),
  allowedHosts: each(parsers.hosts),
  logLevel: isOneOf('logLevel'),
  seed: orNull(isSeed),
  cell: orNull(isCell),
  noise_seed: isSeedNumber,
  record: orNull(isText),
  foxglove: orNull(isPort),
  discover: isFlag,
  sim: isFlag,
  webhooks: isOneOf('webhooks'),
  realism: isOneOf('realism'),
  profile: orNull(isProfile),
  privateHooks: isFlag,
};

/** The names of command line flags that differ from those of `createTwin()`. */
const OPTION_OF: Readonly<Record<string, string>> = {
  'allow-host': 'allowedHosts',
  'allow-origin': 'allowedOrigins',
  'bus-rate': 'busRate_hz',
  'arm-is-supported': 'armIsSupported',
  'log-level': 'logLevel',
};

/** A sentence about command line flags, about the options of `createTwin()`. */
export function optionText(text: string): string {
  return text.replace(/--([a-z][a-z-]*)(?: (\d+|FILE))?/g, (_, flag: string, value = 'FILE') => {
    const name = OPTION_OF[flag] ?? flag;
    return value === 'FILE' ? `the option ${name}` : `${name}: ${value}`;
  });
}

function isName(name: string): name is keyof TwinSettings {
  return Object.hasOwn(CHECKS, name);
}

/** Whether it is an object of names and values, and no Date, Map or list: these hold no options. */
function isPlainObject(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]';
}

/** Throws a TypeError with a sentence for the first option that is unknown or wrong. */
export function checkTwinOptions(options: unknown): void {
  if (!isPlainObject(options)) {
    const shown = JSON.stringify(options) ?? String(options);
    throw new TypeError(`createTwin needs an object of options, not ${shown}`);
  }
  const known = Object.keys(CHECKS);
  for (const [name, value] of Object.entries(options)) {
    if (!isName(name)) {
      const near = nearestWord(name, known);
      const hint = near === null ? `there are ${known.join(', ')}` : `did you mean ${near}?`;
      throw new TypeError(`createTwin has no option ${name}; ${hint}`);
    }
    const result = value === undefined ? null : CHECKS[name](value);
    if (!result || result.ok) continue;
    const isShown = typeof value !== 'object' && !/token|password/.test(name);
    const wrong = isShown ? `cannot be ${JSON.stringify(value)}` : 'is not valid';
    throw new TypeError(`createTwin: ${name} ${wrong}. ${result.error}`);
  }
}

/** The configuration of a twin for tests. Real servos run in real time unless asked otherwise. */
export function configOf(options: Partial<TwinSettings>): Config {
  checkTwinOptions(options);
  const { clock, ...given } = options;
  const settings = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<Config>;
  const config = { ...TWIN_DEFAULTS, ...settings };
  const isSimulated = config.driver === 'rapier' || config.driver === 'fast';
  const pace = parsePace(String(clock ?? (isSimulated ? 'stepped' : 1)));
  return { ...config, pace: pace ?? TWIN_DEFAULTS.pace };
}
