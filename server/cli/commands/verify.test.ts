/**
 * Output and exit codes of `armtwin verify` against a twin and against unreachable services.
 * @module-tag ci
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../../contract/client.ts';
import { createTwin, type Twin } from '../../index.ts';
import { runVerify, type VerifyFlags } from './verify.ts';

let twin: Twin;
const folder = mkdtempSync(join(tmpdir(), 'armtwin-verify-'));

beforeAll(async () => {
  twin = await createTwin({ dialect: 'documented' });
});
afterAll(async () => {
  await twin.close();
  rmSync(folder, { recursive: true });
});

async function run(flags: VerifyFlags, url = twin.url) {
  const texts = { out: '', err: '' };
  const code = await runVerify(
    url,
    { token: twin.token, ...flags },
    {
      out: { write: (text: string) => (texts.out += text) },
      err: { write: (text: string) => (texts.err += text) },
    },
  );
  return { code, ...texts };
}

describe('armtwin verify', () => {
  it('prints a line per rule, progress and a score, and exits with 0', async () => {
    const { code, out, err } = await run({ only: ['lock/'] });
    const lines = out.trimEnd().split('\n').slice(1);
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect(line).toMatch(/^lock\/\S+ +held/);
    expect(err).toContain(`${lines.length} of ${lines.length} rules\n`);
    expect(err).toContain('(100 %), 0 skipped');
    expect(code).toBe(0);
  });

  it('advances the clock of a twin instead of waiting half an hour', {
    tags: ['slow'],
  }, async () => {
    const before_s = twin.now_s();
    const { code } = await run({ only: ['session/renewed'], patience: 0 });
    expect(code).toBe(0);
    expect(twin.now_s() - before_s).toBeGreaterThan(1800);
  });

  it('exits with 1 and prints the reason when a rule breaks', async () => {
    const { code, out, err } = await run({ only: ['pause/'], dialect: 'fielded' });
    expect(code).toBe(1);
    expect(out).toMatch(/broken .*\n +.*answered 204/);
    expect(err).toContain('broken pause/');
  });

  it('skips everything with exit code 3 while the lock is held', { tags: ['slow'] }, async () => {
    const arm = connect({ baseUrl: twin.url, token: twin.token });
    await arm.takeLock();
    const { code, err, out } = await run({ only: ['session/needed'] });
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(/^skipped: lock held by another session of this token/);
    expect((await arm.getLock()).owner).toBe('you');
    await arm.releaseLock();
    expect((await run({ only: ['session/needed'] })).code).toBe(0);
  });

  it('stopped by a signal, leaves no users and no lock, and exits as a shell has it', async () => {
    const stop = new AbortController();
    const arm = connect({ baseUrl: twin.url, token: twin.token });
    const before = (await arm.listUsers()).users.length;
    let said = '';
    const err = {
      write: (text: string) => {
        said += text;
        if (text.includes(' of ')) stop.abort('SIGINT');
      },
    };
    const flags = { token: twin.token, only: ['lock/', 'session/'] };
    const io = { out: { write: () => true }, err, signal: stop.signal };
    expect(await runVerify(twin.url, flags, io)).toBe(130);
    expect(said).toContain('stopped by SIGINT after 10 rules\n');
    expect((await arm.listUsers()).users).toHaveLength(before);
    expect((await arm.getLock()).owner).toBe('none');
  });

  it('lets the lock expire on a clock that is faster by itself, and sets it back', async () => {
    const fast = await createTwin({ dialect: 'documented', clock: 'max' });
    const flags = { token: fast.token, only: ['lock/teach-motion-needs-it'] };
    const { code, out } = await run(flags, fast.url);
    const arm = connect({ baseUrl: fast.url, token: fast.token });
    const { pace } = await arm.getClock();
    await fast.close();
    expect(out).toMatch(/teach-motion-needs-it +held/);
    expect([code, pace]).toEqual([0, 'max']);
  });

  it('judges no motion by how late it asks, and gives back the pace after a signal, too', async () => {
    const fast = await createTwin({ dialect: 'documented', clock: 'max' });
    const arm = connect({ baseUrl: fast.url, token: fast.token });
    // A reset puts back the pace of the start.
    const only = ['reset/', 'sim/reset', 'seed/profile', 'seed/ends-motion', 'speed/'];
    const { out } = await run({ token: fast.token, only }, fast.url);
    const stop = new AbortController();
    const err = { write: () => stop.abort('SIGTERM') };
    const flags = { token: fast.token, only: ['lock/', 'session/'] };
    const code = await runVerify(fast.url, flags, { out: err, err, signal: stop.signal });
    const { pace } = await arm.getClock();
    await fast.close();
    expect(out).toMatch(/go-to-default +held/);
    expect(out).not.toMatch(/ broken /);
    expect([code, pace]).toEqual([128 + 15, 'max']);
  });

  it('does not move the arm with --no-motion', async () => {
    const only = ['pause/', 'cancel/'];
    const { code, out, err } = await run({ only, motion: false, json: true });
    const report = JSON.parse(out);
    // A job that checks nothing must not pass.
    expect(code).toBe(2);
    expect(err).toContain('no rule was checked: each was skipped');
    expect(report.score).toMatchObject({ held: 0, broken: 0, skipped: report.rules.length });
    expect(report.rules[0].reason).toBe('the arm may not move');
  });

  it('writes JUnit and HTML files besides the table', async () => {
    const junit = join(folder, 'rules.xml');
    const html = join(folder, 'rules.html');
    await run({ only: ['session/needed'], junit, html });
    expect(readFileSync(html, 'utf8')).toContain('<code>session/needed</code>');
    const text = readFileSync(junit, 'utf8');
    expect(text).toContain('tests="1" failures="0" skipped="0"');
    expect(text).toContain('<testcase classname="session" name="needed: ');
  });

  it('names a report that cannot be written before it runs', async () => {
    const html = join(folder, 'absent', 'rules.html');
    const calls = run({ only: ['session/needed'], html });
    await expect(calls).rejects.toThrow(`--html cannot be written: The folder ${dirname(html)}`);
  });

  it.each([
    { status: 404, text: '{"error":{"error_code":0}}', users: 404, broken: 1, ends: 1 },
    { status: 405, text: '', users: 404, broken: 1, ends: 1 },
    { status: 200, text: '<html>', users: 404, broken: 1, ends: 1 },
    { status: 404, text: '', users: 403, broken: 0, ends: 2 },
  ])(
    'checks an arm without updates and clock, which answers them with $status',
    async ({ status, text, users, broken, ends }) => {
      const arm = createServer(async (request, response) => {
        if (/update|sim/.test(request.url ?? '')) response.writeHead(status).end(text);
        else if (/users/.test(request.url ?? '')) response.writeHead(users).end();
        else {
          const lock = { owner: 'none', status: 'unlocked', token: 's' };
          response.end(JSON.stringify(lock));
        }
      });
      await new Promise<void>((resolve) => arm.listen(0, '127.0.0.1', resolve));
      const { port } = arm.address() as AddressInfo;
      const flags = { only: ['update/checked'], json: true, motion: false };
      const { code, out, err } = await run(flags, `http://127.0.0.1:${port}`);
      expect(err).not.toMatch(/refuses|cannot/);
      expect([code, JSON.parse(out).score.broken]).toEqual([ends, broken]);
      arm.closeAllConnections();
      arm.close();
    },
  );

  it('skips rules that need an admin', async () => {
    const admin = { Authorization: `Bearer ${await sessionOf(twin.token)}` };
    const headers = { ...admin, 'Content-Type': 'application/json' };
    const made = await fetch(`${twin.url}/api/v1/users`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ email: 'plain@armtwin.test', password: 'long enough' }),
    });
    const { user } = (await made.json()) as { user: { id: number } };
    const reply = await fetch(`${twin.url}/api/v1/users/${user.id}/tokens`, {
      method: 'POST',
      headers,
      body: '{"name":"plain"}',
    });
    const { token } = (await reply.json()) as { token: string };
    const { code, out } = await run({ only: ['users/'], token });
    expect(code).toBe(0);
    expect(out).toContain('there is no admin token');
  });

  interface Failure {
    readonly when: string;
    readonly flags?: VerifyFlags;
    readonly url?: string;
    readonly message: string;
  }
  const failures: readonly Failure[] = [
    {
      when: 'no server listens',
      url: 'http://127.0.0.1:9',
      message: 'http://127.0.0.1:9 does not answer',
    },
    {
      when: 'the token is unknown',
      flags: { token: 'no such' },
      message: 'refuses: createSession answered 401',
    },
    {
      when: 'no rule id matches',
      flags: { only: ['nothing/'] },
      message: 'no rule is left by --only and --shard',
    },
  ];

  it.each(failures)('exits with 2 when $when', async ({ flags = {}, url, message }) => {
    const junit = join(mkdtempSync(join(tmpdir(), 'verify-')), 'rules.xml');
    const { code, err } = await run({ ...flags, junit }, url);
    expect(existsSync(junit)).toBe(false);
    expect(err).toContain(message);
    expect(code).toBe(2);
  });
});

async function sessionOf(token: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ token });
  const reply = await fetch(`${twin.url}/api/v1/auth`, { method: 'POST', headers, body });
  return ((await reply.json()) as { token: string }).token;
}
