/**
 * Checks the options of `createTwin()` as the command line checks its flags: an unknown name or a
 * wrong value is an error with a sentence, the nearest name, and the values that are valid.
 */

import { BOUND_ARM } from '../../arms/bound-arm.ts';
import { ARM_VARIABLE, armReference } from '../../arms/given-arm.ts';
import type { Problem } from '../../contract/problem.ts';
import { failure, type Result, success } from '../../contract/result.ts';
import type { SchemaTypes } from '../../contract/types.generated.ts';
import { validate } from '../../contract/validator.ts';
import { checkCell } from '../../physics/cell/check-cell.ts';
import { profileProblems } from '../../physics/motion/arm-profile.ts';
import { CHOICES, type Config, isSimulated, TWIN_DEFAULTS } from './config.ts';
import { nearestWord } from './nearest-word.ts';
import * as parsers from './option-parsers.ts';
import { parsePace } from './pace.ts';

/** What `createTwin()` takes: the settings of a twin, with `clock` in place of the pace. */
interface TwinSettings
  extends Omit<Config, 'pace' | 'upstream' | 'plansInline' | 'showsCredentials'> {
  readonly clock: 'stepped' | 'max' | number;
}

type Check = (value: unknown) => Result<unknown, string>;

const mustBe = (what: string) => failure(`It must be ${what}.`);
const isFilled: Check = (value) =>
  typeof value === 'string' ? parsers.filled(value) : mustBe('a string');
const isFlag: Check = (value) =>
  typeof value === 'boolean' ? success(value) : mustBe('true or false');
const text =
  (parse: (text: string) => Result<unknown, string>): Check =>
  (value) =>
    typeof value === 'string' ? parse(value) : mustBe('a string');
const each =
  (parse: (text: string) => Result<unknown, string>): Check =>
  (value) => {
    if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) {
      return mustBe('a list of strings');
    }
    return value.map((item) => parse(item)).find((result) => !result.ok) ?? success(value);
  };
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? success(value) : check(value);

const isPort: Check = (value) =>
  typeof value === 'number'
    ? parsers.port(String(value))
    : mustBe('a whole number from 0 to 65535; 0 selects a free port');

function isOneOf(name: keyof typeof CHOICES): Check {
  const choices: readonly string[] = CHOICES[name];
  return (value) => {
    if (typeof value === 'string' && choices.includes(value)) return success(value);
    const near = typeof value === 'string' ? nearestWord(value, choices) : null;
    const hint = near === null ? '' : ` Did you mean ${near}?`;
    return failure(`It must be one of ${choices.join(', ')}.${hint}`);
  };
}

/** A factor is a number, as in the types; only the command line has texts of numbers. */
const isPace: Check = (value) =>
  (typeof value === 'number' || value === 'stepped' || value === 'max') && parsePace(String(value))
    ? success(value)
    : failure('It must be stepped, max or a factor.');

/** The content of a file of a schema, with the problems that the schema does not find. */
function isContent<Name extends 'SeedBody' | 'ArmProfile' | 'Cell'>(
  schema: Name,
  furtherProblems: (value: SchemaTypes[Name]) => readonly Problem[] = () => [],
): Check {
  const what = { SeedBody: 'a seed', ArmProfile: 'a profile', Cell: 'a cell' }[schema];
  return (value) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      return mustBe(`the content of ${what} file, as JSON.parse returns it`);
    }
    const result = validate(schema, value, { dialect: 'documented' });
    const problems = result.ok ? furtherProblems(result.value.value) : result.error;
    if (problems.length === 0) return success(value);
    return failure(problems.map(({ path, problem }) => `${path || 'It'} ${problem}`).join('; '));
  };
}

const isRate: Check = (value) =>
  value === 125 || value === 250 ? success(value) : failure('It must be 125 or 250.');

const isSeedNumber: Check = (value) =>
  Number.isSafeInteger(value) ? success(value) : failure('It must be a whole number.');

/** A process has one arm, which its modules know when they load. */
const isArmOfProcess: Check = (value) => {
  if (typeof value !== 'string') return mustBe('the name or the folder of an arm');
  const reference = armReference(value);
  if (reference === armReference(process.env[ARM_VARIABLE] || BOUND_ARM.name))
    return success(value);
  const hint = `set ${ARM_VARIABLE} before it imports armtwin`;
  return mustBe(`${BOUND_ARM.name}, the arm of this process; for another, ${hint}`);
};

const CHECKS: Readonly<Record<keyof TwinSettings, Check>> = {
  clock: isPace,
  arm: isArmOfProcess,
  host: isFilled,
  port: isPort,
  data: isFilled,
  driver: isOneOf('driver'),
  bus: isFilled,
  calibration: orNull(isFilled),
  servoFamily: orNull(isOneOf('servoFamily')),
  armIsSupported: isFlag,
  busRate_hz: isRate,
  dialect: isOneOf('dialect'),
  timezone: text(parsers.timezone),
  name: orNull(text(parsers.nameOfRobot)),
  token: orNull(isFilled),
  admin_email: orNull(text(parsers.email)),
  admin_password: orNull(text(parsers.password)),
  allowedOrigins: each(parsers.origins),
  allowedHosts: each(parsers.hosts),
  trustedProxies: each(parsers.proxies),
  logLevel: isOneOf('logLevel'),
  seed: orNull(isContent('SeedBody')),
  cell: orNull(isContent('Cell', checkCell)),
  noise_seed: isSeedNumber,
  record: orNull(isFilled),
  foxglove: orNull(isPort),
  discover: isFlag,
  sim: isFlag,
  webhooks: isOneOf('webhooks'),
  realism: isOneOf('realism'),
  profile: orNull(isContent('ArmProfile', profileProblems)),
  privateHooks: isFlag,
};

/** The names of all options. */
export const TWIN_OPTION_NAMES = Object.keys(CHECKS) as readonly (keyof TwinSettings)[];

/** The options whose names differ from those of their command line flags. */
export const OPTION_OF: Readonly<Record<string, keyof TwinSettings>> = {
  'admin-email': 'admin_email',
  'admin-password': 'admin_password',
  'allow-host': 'allowedHosts',
  'allow-origin': 'allowedOrigins',
  'arm-is-supported': 'armIsSupported',
  'bus-rate': 'busRate_hz',
  'log-level': 'logLevel',
  'no-private-hooks': 'privateHooks',
  'no-sim': 'sim',
  'servo-family': 'servoFamily',
  'trust-proxy': 'trustedProxies',
};

/** What readers of other pages may call an option. */
const OTHER_NAMES: Readonly<Record<string, keyof TwinSettings>> = {
  pace: 'clock',
  rate: 'clock',
  speed: 'clock',
  email: 'admin_email',
  password: 'admin_password',
};

const letters = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');

/** The option that was probably meant, or null: a flag in another case, or a near word. */
function meantOption(name: string): string | null {
  const flag = Object.keys(OPTION_OF).find((one) => letters(one) === letters(name));
  const same = TWIN_OPTION_NAMES.find((one) => letters(one) === letters(name));
  const other = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
  return other ?? same ?? (flag && OPTION_OF[flag]) ?? nearestWord(name, TWIN_OPTION_NAMES);
}

/** A sentence about command line flags, about the options of `createTwin()`. */
export function optionText(text: string): string {
  return text.replace(/--([a-z][a-z-]*)(?: (\d+|FILE))?/g, (_, flag: string, value = 'FILE') => {
    const name = OPTION_OF[flag] ?? flag;
    if (flag.startsWith('no-') && flag !== name) return `${name}: false`;
    return value === 'FILE' ? `the option ${name}` : `${name}: ${value}`;
  });
}

/** A value for a message. */
function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'object' && value !== null
    ? `a${Array.isArray(value) ? ' list' : 'n object'}`
    : String(value);
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
    throw new TypeError(`createTwin needs an object of options, not ${shown(options)}`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (!isName(name)) {
      const near = meantOption(name);
      const all = `there are ${TWIN_OPTION_NAMES.join(', ')}`;
      const hint = near === null ? all : `did you mean ${near}?`;
      throw new TypeError(`createTwin has no option ${name}; ${hint}`);
    }
    const result = value === undefined ? null : CHECKS[name](value);
    if (!result || result.ok) continue;
    const isContentOf = typeof value === 'object' && /^(seed|cell|profile)$/.test(name);
    const isShown = !isContentOf && !/token|password/.test(name);
    const wrong = isShown ? `cannot be ${shown(value)}` : 'is not valid';
    throw new TypeError(`createTwin: ${name} ${wrong}. ${result.error}`);
  }
}

/** The configuration of a twin for tests. Real servos run in real time unless asked otherwise. */
export function configOf(options: Partial<TwinSettings>): Config {
  checkTwinOptions(options);
  const { clock, arm: _, ...given } = options;
  const settings = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<Config>;
  const config = { ...TWIN_DEFAULTS, ...settings };
  const pace = parsePace(String(clock ?? (isSimulated(config.driver) ? 'stepped' : 1)));
  return { ...config, pace: pace ?? TWIN_DEFAULTS.pace };
}
