/** What `armtwin verify` prints and answers against a twin, and against nothing. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTwin, type Twin } from '../index.ts';
import { type VerifyFlags, verifyVerb } from './verify.ts';

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
  const code = await verifyVerb(
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
  it('prints a line for each rule, its progress and a score, and answers 0', async () => {
    const { code, out, err } = await run({ only: ['lock/'] });
    const lines = out.trimEnd().split('\n').slice(1);
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect(line).toMatch(/^lock\/\S+ +held/);
    expect(err).toContain(`${lines.length} of ${lines.length} rules\n`);
    expect(err).toContain('(100 %), 0 skipped');
    expect(code).toBe(0);
  });

  it('moves the clock of a twin instead of waiting for half an hour', async () => {
    const before_s = twin.now_s();
    const { code } = await run({ only: ['session/renewed'], patience: 0 });
    expect(code).toBe(0);
    expect(twin.now_s() - before_s).toBeGreaterThan(1800);
  });

  it('answers 1 and names the reason when a rule breaks', async () => {
    const { code, out, err } = await run({ only: ['pause/'], dialect: 'fielded' });
    expect(code).toBe(1);
    expect(out).toMatch(/broken .*\n +.*answered 204/);
    expect(err).toContain('broken pause/');
  });

  it('moves nothing when told so', async () => {
    const { code, out } = await run({ only: ['pause/', 'cancel/'], motion: false, json: true });
    const report = JSON.parse(out);
    expect(code).toBe(0);
    expect(report.score).toMatchObject({ held: 0, broken: 0, skipped: report.rules.length });
    expect(report.rules[0].reason).toBe('the arm may not move');
  });

  it('writes JUnit and a page beside the table', async () => {
    const junit = join(folder, 'rules.xml');
    const html = join(folder, 'rules.html');
    await run({ only: ['session/needed'], junit, html });
    expect(readFileSync(html, 'utf8')).toContain('<code>session/needed</code>');
    const text = readFileSync(junit, 'utf8');
    expect(text).toContain('tests="1" failures="0" skipped="0"');
    expect(text).toContain('<testcase classname="session" name="needed: ');
  });

  it('skips what an ordinary token may not do', async () => {
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
    const { code, out } = await run({ only: ['people/'], token });
    expect(code).toBe(0);
    expect(out).toContain('there is no admin token');
  });

  interface Failure {
    readonly when: string;
    readonly flags?: VerifyFlags;
    readonly url?: string;
    readonly said: string;
  }
  const failures: readonly Failure[] = [
    { when: 'nobody listens', url: 'http://127.0.0.1:9', said: 'cannot be verified' },
    {
      when: 'the token is unknown',
      flags: { token: 'no such' },
      said: 'refuses: createSession answered 401',
    },
    { when: 'no rule is called so', flags: { only: ['nothing/'] }, said: 'no rule has such an id' },
  ];

  it.each(failures)('answers 2 when $when', async ({ flags = {}, url, said }) => {
    const { code, err } = await run(flags, url);
    expect(err).toContain(said);
    expect(code).toBe(2);
  });
});

async function sessionOf(token: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ token });
  const reply = await fetch(`${twin.url}/api/v1/auth`, { method: 'POST', headers, body });
  return ((await reply.json()) as { token: string }).token;
}
