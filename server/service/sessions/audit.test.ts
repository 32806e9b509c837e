/**
 * The audit log: what is recorded of log-ins and changes of users, and that it holds no secret.
 * @module-tag ci
 */

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connect } from '../../../contract/client.ts';
import { credentialLines } from '../../cli/credentials.ts';
import { secret, secretFile } from '../../cli/option-parsers.ts';
import { createTwin, type Twin } from '../../index.ts';
import type { AuditDetails, AuditEvent } from '../logging/audit-event.ts';
import { AuditLog } from '../logging/audit-log.ts';
import { tokenWarning } from './token-warning.ts';

const PASSWORD = 'a password of the audit';
const WRONG = 'a wrong password of the audit';
const EMAIL = 'audited@example.org';
let twin: Twin;
/** Recorded events in order. */
const events: (AuditDetails & { readonly event: AuditEvent })[] = [];

beforeAll(async () => {
  const original = AuditLog.prototype.record;
  vi.spyOn(AuditLog.prototype, 'record').mockImplementation(function (
    this: AuditLog,
    event,
    details,
  ) {
    events.push({ event, ...details });
    original.call(this, event, details);
  });
  twin = await createTwin();
});
afterAll(async () => {
  await twin.close();
  vi.restoreAllMocks();
});

const recorded = () => events.splice(0).map(({ event, user_id }) => [event, user_id]);

describe('the audit log', () => {
  it('records log-ins, failures, users, passwords, roles and tokens, and no secret', async () => {
    expect(recorded()).toEqual([
      ['user_created', 1],
      ['token_created', 1],
    ]);
    const arm = connect({ baseUrl: twin.url, token: twin.token });
    const { user } = await arm.createUser({ email: EMAIL, password: PASSWORD });
    expect(recorded()).toEqual([
      ['log_in', 1],
      ['user_created', user.id],
    ]);
    const logIn = async (password: string) =>
      (
        await fetch(`${twin.url}/api/v1/auth/login`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ email: EMAIL, password }),
        })
      ).status;
    expect(await logIn(PASSWORD)).toBe(200);
    expect(await logIn(WRONG)).toBe(401);
    for (let count = 0; count < 10; count++) await logIn(WRONG);
    const kinds = recorded();
    expect(kinds.slice(0, 2)).toEqual([
      ['log_in', user.id],
      ['log_in_failed', user.id],
    ]);
    expect(kinds.at(-1)).toEqual(['log_in_refused', user.id]);
    const of = { user_id: user.id };
    const token = await arm.createToken(of, { name: 'audited' });
    await arm.updateUser(of, { role: 'admin', password: `${PASSWORD}!`, email: `x${EMAIL}` });
    await arm.deleteToken({ ...of, token_id: token.id });
    await arm.deleteUser(of);
    expect(events).toMatchObject([
      { event: 'token_created', by: 1, user_id: user.id, token_id: token.id, address: '127.0.0.1' },
      { event: 'password_changed', by: 1, user_id: user.id, role: 'admin' },
      { event: 'role_changed', by: 1, user_id: user.id, role: 'admin' },
      { event: 'user_changed', by: 1, user_id: user.id },
      { event: 'token_deleted', by: 1, token_id: token.id },
      { event: 'user_deleted', by: 1, user_id: user.id },
    ]);
    const text = JSON.stringify(events);
    for (const secret of [PASSWORD, WRONG, EMAIL, token.token, twin.token]) {
      expect(text).not.toContain(secret);
    }
    const metrics = await (await fetch(`${twin.url}/metrics`)).text();
    expect(metrics).toContain('armtwin_audit_events_total{event="log_in_failed"} 10');
    expect(metrics).toContain('armtwin_password_checks_total{result="failed"} 10');
  });

  it('records who begins an update, and to which version', async () => {
    const arm = connect({ baseUrl: twin.url, token: twin.token });
    await arm.takeLock();
    const { updates } = await arm.checkUpdates();
    events.splice(0);
    await arm.applyUpdate({ version: updates[0]!.version });
    expect(events).toEqual([
      { event: 'update_started', by: 1, version: updates[0]!.version, address: '127.0.0.1' },
    ]);
    await twin.advance(31);
    events.splice(0);
  });

  it('writes the first failures of a minute, and counts all', () => {
    vi.restoreAllMocks();
    let now_ms = 0;
    let lines = 0;
    const audit = new AuditLog({ audit: () => void lines++ }, () => now_ms);
    for (let count = 0; count < 1000; count++) audit.record('log_in_failed', { address: '::1' });
    expect(lines).toBe(60);
    audit.record('user_deleted', { address: '::1' });
    expect(lines).toBe(61);
    now_ms = 60_000;
    audit.record('log_in_failed', { address: '::1' });
    expect(lines).toBe(62);
    expect(audit.counts).toEqual({ log_in_failed: 1001, user_deleted: 1 });
  });
});

describe('generated secrets', () => {
  const credentials = { email: 'admin@example.org', password: 'generated', token: 'secret-token' };

  it.each(['a data folder', ':memory:'])('go to a file of their owner, for %s', (kind) => {
    const data = kind === ':memory:' ? kind : mkdtempSync(join(tmpdir(), 'armtwin-secrets-'));
    const lines = credentialLines(credentials, { data, isTerminal: false });
    expect(lines.join(' ')).not.toMatch(/generated|secret-token/);
    const path = lines.at(-1)!.replace('secrets  ', '');
    const begun = lines.filter((line) => line.startsWith('data     '));
    expect(begun).toEqual(kind === ':memory:' ? [] : [`data     ${data} held none: begun as new`]);
    try {
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(readFileSync(path, 'utf8')).toBe(
        'admin    admin@example.org\npassword generated\ntoken    secret-token\n',
      );
      // A second twin of the folder, whose users were removed, replaces the file.
      if (data !== ':memory:') credentialLines(credentials, { data, isTerminal: false });
    } finally {
      rmSync(dirname(path), { recursive: true });
    }
  });

  it('of a twin in memory are lost with a warning where no file can be written', () => {
    vi.stubEnv('TMPDIR', '/proc/nowhere');
    const options = { data: ':memory:', isTerminal: false };
    const lines = credentialLines({ ...credentials, token: null }, options);
    vi.unstubAllEnvs();
    expect(lines).toEqual([
      'admin    admin@example.org',
      expect.stringMatching(/are lost: .* set --admin-password, or TMPDIR/),
    ]);
  });

  it('are shown to a terminal', () => {
    const options = { data: '/nowhere', isTerminal: true };
    expect(credentialLines(credentials, options)).toContain('token    secret-token');
  });

  it('need no file when the configuration sets them all', () => {
    const given = { ...credentials, password: null, token: null };
    const options = { data: '/nowhere', isTerminal: false };
    expect(credentialLines(given, options)).toEqual([
      'data     /nowhere held none: begun as new',
      'admin    admin@example.org',
    ]);
  });

  it('are read from files, without the line end of an editor', () => {
    const folder = mkdtempSync(join(tmpdir(), 'armtwin-secrets-'));
    const path = join(folder, 'token');
    const read = secretFile(secret);
    try {
      writeFileSync(path, 'token-of-a-file\n');
      expect(read(path)).toEqual({ ok: true, value: 'token-of-a-file' });
      writeFileSync(path, 'two words\n');
      expect(read(path)).toMatchObject({ ok: false, error: expect.stringContaining(path) });
      expect(read(join(folder, 'none'))).toMatchObject({ ok: false });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('of the configuration are reported when they are short and others reach the service', () => {
    const host = '0.0.0.0';
    expect(tokenWarning({ token: 'my-token', host })).toContain('has 8 characters');
    expect(tokenWarning({ token: 'my-token', host: '127.0.0.1' })).toBeNull();
    expect(tokenWarning({ token: 'x'.repeat(32), host })).toBeNull();
    expect(tokenWarning({ token: null, host })).toBeNull();
  });
});
