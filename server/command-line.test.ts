/** What the command line says to somebody who meets it for the first time. */
import { CommanderError } from 'commander';
import { expect, it } from 'vitest';
import { createCommandLine, type Verbs } from './command-line.ts';

async function said(...args: string[]) {
  const calls: string[] = [];
  const verb = (name: string) => async () => void calls.push(name);
  const verbs: Verbs = {
    serve: verb('serve'),
    plan: verb('plan'),
    replay: verb('replay'),
    verify: verb('verify'),
    emulateBus: verb('emulate-bus'),
    calibrate: verb('calibrate'),
    doctor: verb('doctor'),
  };
  let text = '';
  const output = {
    writeOut: (more: string) => (text += more),
    writeErr: (more: string) => (text += more),
  };
  const program = createCommandLine(verbs, '1.2.3').configureOutput(output);
  for (const command of program.commands) command.configureOutput(output);
  const code = await program.parseAsync(['node', 'armtwin', ...args]).then(
    () => 0,
    (error: unknown) => (error instanceof CommanderError ? error.exitCode : error),
  );
  return { text, code, calls };
}

it('lists the flags of the twin without a command, and examples', async () => {
  const { text, code } = await said('--help');
  expect(code).toBe(0);
  for (const flag of ['--port', '--clock', '--driver', '--token', '--data']) {
    expect(text).toContain(`${flag} <`);
  }
  expect(text).toContain('Examples:');
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
});

it('serves without a command', async () => {
  expect((await said('--port', '0')).calls).toEqual(['serve']);
});

it('guesses the command that was meant, and starts nothing', async () => {
  const { text, code, calls } = await said('verfy', 'http://127.0.0.1');
  expect(text).toContain("unknown command 'verfy'");
  expect(text).toContain('Did you mean verify?');
  expect(code).not.toBe(0);
  expect(calls).toEqual([]);
  const other = await said('xylophone');
  expect(other.text).toContain("unknown command 'xylophone'");
  expect(other.text).not.toContain('mean');
});

it('guesses the flag that was meant', async () => {
  const { text, code } = await said('--drver', 'fast');
  expect(text).toContain('Did you mean --driver?');
  expect(code).not.toBe(0);
});

it.each([
  [['--port', '70000'], 'from 0 to 65535'],
  [['--clock', 'fast'], 'a multiple such as 10'],
  [['--driver', 'slow'], 'rapier, fast, servo, mirrored'],
  [['--timezone', 'Moon'], 'a time zone such as UTC'],
  [['--seed', 'nowhere.json'], 'nowhere.json cannot be read: nowhere.json does not exist'],
  [['--seed', 'README.md'], 'README.md cannot be read: it is not JSON'],
  [['--seed', 'package.json'], '  and more'],
  [['--data', ''], 'It must not be empty'],
  [['--token', ''], 'no spaces'],
  [['--token', 'two words'], 'no spaces'],
  [['--admin-email', 'ada'], 'an e-mail address such as'],
  [['--admin-password', 'short'], '8'],
  [['--allow-origin', 'localhost'], 'an origin such as'],
  [['--allow-origin', 'http://a/b'], 'an origin such as'],
  [['verify', 'arm', '--token', 't'], 'an address such as'],
])('says what %j should be', async (args, words) => {
  const { text, code } = await said(...args);
  expect(text).toContain(words);
  expect(code).not.toBe(0);
});

it('gives one emulated bus one door', async () => {
  const both = await said('emulate-bus', '--tcp', '0', '--pty', 'bus');
  expect(both.text).toContain("'--pty <link>' cannot be used with option '--tcp <port>'");
  expect(both.calls).toEqual([]);
  expect((await said('emulate-bus', '--pty', 'bus')).calls).toEqual(['emulate-bus']);
});
