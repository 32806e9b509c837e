/** `createTwin()` refuses wrong options with a sentence, as the command line does its flags. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTwin, type TwinOptions } from '../index.ts';
import { serveOptions } from './definitions/serve.ts';
import {
  checkTwinOptions,
  configOf,
  OPTION_OF,
  optionText,
  TWIN_OPTION_NAMES,
} from './twin-options.ts';

it.each<[object, string]>([
  [{ prot: 1 }, 'createTwin has no option prot; did you mean port?'],
  [
    { driver: 'fats' },
    'driver cannot be "fats". It must be one of rapier, fast, servo, mirrored, external. ' +
      'Did you',
  ],
  [{ port: 80_808 }, 'port cannot be 80808. It must be a whole number from 0 to 65535'],
  [{ clock: 'quick' }, 'clock cannot be "quick". It must be stepped, max or a factor.'],
  [{ clock: '10' }, 'clock cannot be "10". It must be stepped, max or a factor.'],
  [{ port: '8080' }, 'port cannot be "8080". It must be a whole number'],
  [{ foxglove: '8765' }, 'It must be a whole number'],
  [{ name: 5 }, 'name cannot be 5. It must be a string.'],
  [{ timezone: 'Mars/Base' }, 'It must be a time zone such as UTC'],
  [{ dialect: 'x' }, 'It must be one of auto, documented, fielded.'],
  [{ token: ' ' }, 'token is not valid. It must not be empty.'],
  [{ allowedOrigins: ['x'] }, 'It must be an origin such as http://localhost:5173'],
  [{ sim: 'no' }, 'It must be true or false.'],
  [{ seed: { name: 1 } }, 'seed is not valid'],
  [{ cell: 'trays.json' }, 'It must be the content of a cell file, as JSON.parse returns it.'],
  [{ cell: {} }, 'cell is not valid'],
  [{ busRate_hz: 200 }, 'It must be 125 or 250.'],
  [{ noise_seed: 0.5 }, 'It must be a whole number.'],
  [{ pace: 'max' }, 'createTwin has no option pace; did you mean clock?'],
  [{ adminEmail: 'a@b.c' }, 'did you mean admin_email?'],
  [{ allowOrigin: [] }, 'did you mean allowedOrigins?'],
  [{ noSim: true }, 'did you mean sim?'],
  [{ busRate: 125 }, 'did you mean busRate_hz?'],
  [{ clock: Number.NaN }, 'clock cannot be NaN. It must be stepped, max or a factor.'],
  [{ clock: ['max'] }, 'clock cannot be a list.'],
  [{ driver: ['fast'] }, 'driver cannot be a list.'],
  [{ seed: 'lab.json' }, 'seed cannot be "lab.json". It must be the content of a seed file'],
  [{ seed: { name: 1 } }, 'seed is not valid. /name must be string'],
  [{ data: 5 }, 'data cannot be 5. It must be a string.'],
  [{ token: 5 }, 'token is not valid. It must be a string.'],
  [{ port: '' }, 'port cannot be "". It must be a whole number'],
  [{ upstream: 'http://127.0.0.1' }, 'createTwin has no option upstream'],
])('refuses %j', (options, sentence) => {
  expect(() => checkTwinOptions(options)).toThrow(TypeError);
  expect(() => checkTwinOptions(options)).toThrow(sentence);
});

it.each([null, 'fast', 8080, new Date(0), new Map(), [], () => {}])(
  'refuses %j in place of options',
  (options) => {
    expect(() => checkTwinOptions(options)).toThrow('createTwin needs an object of options');
  },
);

it('runs servos in real time and simulated arms on a stepped clock', () => {
  expect(configOf({ driver: 'servo' }).pace).toEqual({ kind: 'scaled', factor: 1 });
  expect(configOf({ driver: 'rapier' }).pace).toEqual({ kind: 'stepped' });
  expect(configOf({ clock: 10 }).pace).toEqual({ kind: 'scaled', factor: 10 });
});

/** A value of each kind; every option takes at most some kinds. */
const KINDS: readonly unknown[] = [
  '\u0000',
  5.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  { some: 'object' },
  ['list', 5],
  null,
  () => {},
  true,
  Symbol.iterator,
  10n,
];

describe.each(TWIN_OPTION_NAMES)('the option %s', (name) => {
  it('is named by the message for every kind of value that it does not take', () => {
    const refused = KINDS.filter((value) => {
      try {
        checkTwinOptions({ [name]: value });
        return false;
      } catch (error) {
        expect(error, String(value)).toBeInstanceOf(TypeError);
        const sentence = /^createTwin: (\w+) (is not valid|cannot be .+)\. (It|\/\w+) [^ ].+$/s;
        expect(sentence.exec((error as Error).message)?.[1], String(error)).toBe(name);
        return true;
      }
    });
    // At most a text or number, a boolean and null are taken.
    expect(refused.length).toBeGreaterThanOrEqual(KINDS.length - 3);
  });
});

it('has a flag for each option, and an option for each flag that is about a twin', () => {
  const flags = serveOptions.map(({ long }) => long!.slice(2));
  const notOfTwins = ['token-file', 'admin-password-file', 'upstream', 'parent'];
  // No flag sets the seed of the noise.
  const options = flags
    .filter((flag) => !notOfTwins.includes(flag))
    .map((flag) => OPTION_OF[flag] ?? flag);
  expect([...options, 'noise_seed'].sort()).toEqual([...TWIN_OPTION_NAMES].sort());
});

it('is documented with all names, beside the flags that are called otherwise', () => {
  const page = readFileSync(new URL('../../docs/testing.md', import.meta.url), 'utf8');
  const [, table = ''] = /\| option +\| flag.*?\n\|[ -|]+\n(.*?)\n\n/s.exec(page) ?? [];
  const rows = table
    .split('\n')
    .map((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, one]) => one));
  const documented = Object.fromEntries(rows.map(([option, flag]) => [flag, option]));
  const flags = Object.entries(OPTION_OF).map(([flag, option]) => [`--${flag}`, option]);
  expect(documented).toEqual(Object.fromEntries(flags));
  const [, first = ''] = /\| option +\| default.*?\n\|[ -|]+\n(.*?)\n\n/s.exec(page) ?? [];
  const [, others = ''] = /The others are (.*?)\. /s.exec(page) ?? [];
  const cells = first.split('\n').map((row) => row.split('|')[1]!);
  const named = [...[...cells, others].join().matchAll(/`(\w+)`/g)].map(([, one]) => one);
  const all = new Set([...named, ...Object.values(OPTION_OF)]);
  expect([...all].sort()).toEqual([...TWIN_OPTION_NAMES].sort());
});

it.each([
  ['leave out --no-sim', 'leave out sim: false'],
  ['set --admin-password', 'set the option admin_password'],
  ['choose another with --port, or --port 0.', 'choose another with the option port, or port: 0.'],
  ['needs --calibration FILE; x', 'needs the option calibration; x'],
  ['add it with --allow-host', 'add it with the option allowedHosts'],
])('says %j about options', (text, sentence) => {
  expect(optionText(text)).toBe(sentence);
});

it('accepts what the types accept', () => {
  const options: TwinOptions = {
    clock: 10,
    driver: 'fast',
    port: 0,
    token: null,
    seed: { name: 'Arm' },
    allowedHosts: ['twin.example.org'],
    foxglove: 0,
    noise_seed: 3,
    data: undefined as never,
  };
  expect(() => checkTwinOptions(options)).not.toThrow();
});

it('explains a start that fails half way, and closes what it has opened', async () => {
  const server = createServer();
  const port = await new Promise<number>((ready) => {
    server.listen(0, '127.0.0.1', () => ready(Number(Object(server.address()).port)));
  });
  await expect(createTwin({ port })).rejects.toThrow(
    `createTwin: Port ${port} on 127.0.0.1 is already in use; choose another`,
  );
  // The folder of the data is opened before the port of Foxglove turns out to be taken.
  const data = mkdtempSync(join(tmpdir(), 'armtwin-options-'));
  const before = process.getActiveResourcesInfo().length;
  await expect(createTwin({ data, foxglove: port })).rejects.toThrow(
    `createTwin: Port ${port} is already in use; choose another with the option foxglove`,
  );
  expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before);
  server.close();
  await expect(createTwin({ driver: 'servo', bus: 'tcp://127.0.0.1:1' })).rejects.toThrow(
    'createTwin: The bus tcp://127.0.0.1:1 needs the option calibration',
  );
  const twin = await createTwin({ port, data });
  await expect(createTwin({ data })).rejects.toThrow(
    `in use by process ${process.pid}. Stop it, or choose another folder with the option data.`,
  );
  await expect(twin.until('redy' as never, 1)).rejects.toThrow('did you mean ready?');
  await expect(twin.advance(Number.NaN)).rejects.toThrow('at least 0, not NaN');
  await expect(twin.until('ready', '5' as never)).rejects.toThrow('until needs a number');
  await twin.close();
  await expect(twin.advance(1)).rejects.toThrow('The twin is closed');
  rmSync(data, { recursive: true });
});
