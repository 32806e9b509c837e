/** Help and error messages of the command line. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { expect, it, vi } from 'vitest';
import type { CommandHandlers } from './command-handlers.ts';
import { createCommandLine } from './command-line.ts';
import { serveOptions } from './definitions/serve.ts';

async function runCli(...args: string[]) {
  const calls: string[] = [];
  const handler = (name: string) => async () => void calls.push(name);
  const handlers: CommandHandlers = {
    serve: handler('serve'),
    run: handler('run'),
    plan: handler('plan'),
    rehearse: handler('rehearse'),
    export: handler('export'),
    importArm: handler('import-arm'),
    shard: handler('shard'),
    replay: handler('replay'),
    record: handler('record'),
    fit: handler('fit'),
    data: handler('data'),
    verify: handler('verify'),
    emulateBus: handler('emulate-bus'),
    calibrate: handler('calibrate'),
    doctor: handler('doctor'),
    release: handler('release'),
    mcp: handler('mcp'),
  };
  let text = '';
  const output = {
    writeOut: (more: string) => (text += more),
    writeErr: (more: string) => (text += more),
  };
  const program = createCommandLine(handlers, '1.2.3').configureOutput(output);
  for (const command of program.commands) command.configureOutput(output);
  const code = await program.parseAsync(['node', 'armtwin', ...args]).then(
    () => 0,
    (error: unknown) => (error instanceof CommanderError ? error.exitCode : error),
  );
  return { text, code, calls };
}

it('lists the options of the default command, and examples', async () => {
  const { text, code } = await runCli('--help');
  expect(code).toBe(0);
  for (const flag of ['--port', '--clock', '--driver', '--token', '--data']) {
    expect(text).toContain(`${flag} <`);
  }
  expect(text).toContain('Examples:');
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
});

it.each(['plan', 'rehearse', 'replay', 'export', 'run'])(
  'names --arm in the help of %s',
  async (name) => {
    expect((await runCli(name, '--help')).text.match(/--arm </g)).toHaveLength(1);
  },
);

it('serves without a command', async () => {
  expect((await runCli('--port', '0')).calls).toEqual(['serve']);
});

it('serves with the command line of the unit for systemd', async () => {
  const unit = readFileSync('deploy/systemd/armtwin.service', 'utf8');
  const [, line = ''] = /^ExecStart=\S+\/armtwin (.*)$/m.exec(unit) ?? [];
  const credentials = mkdtempSync(join(tmpdir(), 'armtwin-unit-'));
  writeFileSync(join(credentials, 'token'), 'token-of-the-unit');
  const args = line.replaceAll('%d', credentials).split(' ');
  expect(await runCli(...args)).toMatchObject({ code: 0, calls: ['serve'] });
  rmSync(credentials, { recursive: true });
});

it('says where the flags go that npm has taken', async () => {
  vi.stubEnv('npm_lifecycle_event', 'start');
  const { text } = await runCli('./arm');
  vi.unstubAllEnvs();
  expect(text).toContain('npm start -- --port 0');
  expect((await runCli('./arm')).text).not.toContain('npm start');
});

it('suggests a command for an unknown one, and starts nothing', async () => {
  const { text, code, calls } = await runCli('verfy', 'http://127.0.0.1');
  expect(text).toContain("unknown command 'verfy'");
  expect(text).toContain('Did you mean verify?');
  expect(code).not.toBe(0);
  expect(calls).toEqual([]);
  const other = await runCli('xylophone');
  expect(other.text).toContain("unknown command 'xylophone'");
  expect(other.text).not.toContain('mean');
});

it('suggests an option for an unknown one', async () => {
  const { text, code } = await runCli('--drver', 'fast');
  expect(text).toContain('Did you mean --driver?');
  expect(code).not.toBe(0);
});

it.each([
  [['--port', '70000'], 'from 0 to 65535'],
  [['--clock', 'fast'], 'a multiple such as 10'],
  [['--driver', 'slow'], 'rapier, fast, servo, mirrored, external'],
  [['--timezone', 'Moon'], 'a time zone such as UTC'],
  [['--seed', 'nowhere.json'], 'Cannot read nowhere.json: nowhere.json does not exist'],
  [['--seed', 'README.md'], 'Cannot read README.md: it is not JSON'],
  [['--seed', 'package.json'], '  and more'],
  [['--data', ''], 'It must not be empty'],
  [['--token', ''], 'without spaces'],
  [['--name', ''], 'It must not be empty'],
  [['--name', 'n'.repeat(129)], 'at most 128 characters'],
  [['--token', 'two words'], 'without spaces'],
  [['--admin-email', 'ada'], 'an e-mail address such as'],
  [['--admin-password', 'short'], '8'],
  [['--allow-host', 'http://a'], 'host names such as twin.example.org'],
  [['--allow-host', ' , '], 'host names such as'],
  [['--trust-proxy', 'nginx'], 'IP addresses or networks'],
  [['--trust-proxy', '10.0.0.0/33'], 'IP addresses or networks'],
  [['--allow-origin', 'localhost'], 'an origin such as'],
  [['--allow-origin', 'http://a/b'], 'an origin such as'],
  [['verify', 'arm', '--token', 't'], 'an address such as'],
  [['shard', '2', '--', 'pln', 'a.json'], "unknown command 'pln' behind --"],
  [['shard', '2', '--', 'export', '--urdf', 'a'], 'export has no option --shard'],
])('explains the valid values of %j', async (args, words) => {
  const { text, code } = await runCli(...args);
  expect(text).toContain(words);
  expect(code).not.toBe(0);
});

const UPSTREAM = ['--upstream', 'http://192.168.1.20'];

/** The options of a twin, each with valid values. */
const OF_TWIN: { readonly [flag: string]: readonly string[] } = {
  '--data': ['arm'],
  '--token': ['a-token-of-16-characters'],
  '--admin-email': ['a@example.org'],
  '--admin-password': ['long enough'],
  '--token-file': ['token'],
  '--admin-password-file': ['password'],
  '--driver': ['rapier'],
  '--realism': ['ideal'],
  '--profile': ['profile.json'],
  '--bus': ['memory'],
  '--calibration': ['arm.json'],
  '--servo-family': ['feetech'],
  '--arm-is-supported': [],
  '--bus-rate': ['125'],
  '--clock': ['1'],
  '--dialect': ['auto'],
  '--name': ['Arm'],
  '--timezone': ['UTC'],
  '--seed': ['seed.json'],
  '--cell': ['fixtures/cells/trays.json'],
  '--record': ['a.tape'],
  '--foxglove': [],
  '--discover': [],
  '--no-sim': [],
  '--webhooks': ['ci'],
  '--no-private-hooks': [],
  '--trust-proxy': ['10.0.0.0/8'],
};

/** The options that work with `--upstream`, each with a valid value. */
const OF_FRONT: { readonly [flag: string]: string } = {
  '--arm': 'default',
  '--host': '127.0.0.1',
  '--port': '0',
  '--allow-origin': 'http://friend.test',
  '--allow-host': 'arm.example.org',
  '--parent': '1',
  '--log-level': 'warn',
};

it('knows of every option whether it has an effect with --upstream', () => {
  const known = [...Object.keys(OF_TWIN), ...Object.keys(OF_FRONT), '--upstream'];
  expect(serveOptions.map(({ long }) => long).sort()).toEqual(known.sort());
});

/** Options whose file is read before they are compared with others. */
const READ = ['--token-file', '--admin-password-file', '--profile', '--seed'];
const unread = Object.entries(OF_TWIN).filter(([flag]) => !READ.includes(flag));

it.each(unread)('refuses %s beside --upstream', async (flag, values) => {
  const { text, code, calls } = await runCli(...UPSTREAM, flag, ...values);
  expect(text).toContain(`--upstream cannot be used with ${flag}`);
  expect(code).not.toBe(0);
  expect(calls).toEqual([]);
});

it('names the options and variables that --upstream excludes, but no data folder', async () => {
  vi.stubEnv('ARMTWIN_CLOCK', '10');
  vi.stubEnv('ARMTWIN_DATA', '/data');
  const { text } = await runCli(...UPSTREAM, '--no-sim', '--name', 'Arm');
  expect(text).toContain('--upstream cannot be used with --clock, --name, --no-sim');
  vi.stubEnv('ARMTWIN_CLOCK', undefined);
  const front = Object.entries(OF_FRONT).flat();
  expect((await runCli(...UPSTREAM, ...front)).calls).toEqual(['serve']);
  vi.unstubAllEnvs();
});

it('allows one transport per emulated bus', async () => {
  const both = await runCli('emulate-bus', '--tcp', '0', '--pty', 'bus');
  expect(both.text).toContain("'--pty <link>' cannot be used with option '--tcp <port>'");
  expect(both.calls).toEqual([]);
  expect((await runCli('emulate-bus', '--pty', 'bus')).calls).toEqual(['emulate-bus']);
});

it('names the nearest command for help of a word that is none', async () => {
  const { text, code } = await runCli('help', 'verfy');
  expect([code, text]).toEqual([1, expect.stringContaining('Did you mean verify?')]);
  expect((await runCli('help', 'verify')).text).toContain('Usage: armtwin verify');
});

it('takes what stands behind the command of run for its own, also without --', async () => {
  const { text, calls } = await runCli('run', '--clock', '10', 'python3', 'arm.py', '--fast');
  expect([text, calls]).toEqual(['', ['run']]);
});
