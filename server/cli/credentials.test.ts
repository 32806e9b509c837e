import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keptCredentialLines } from './credentials.ts';

it('a later start says how a lost token is replaced, or where the secrets are', () => {
  const data = mkdtempSync(join(tmpdir(), 'credentials-'));
  const line = `data     ${data}`;
  expect(keptCredentialLines(data, false)).toEqual([line, expect.stringContaining('--token NEW')]);
  expect(keptCredentialLines(data, true)).toEqual([line]);
  writeFileSync(join(data, 'first-admin.txt'), 'token    t');
  expect(keptCredentialLines(data, false)).toEqual([
    line,
    `secrets  ${join(data, 'first-admin.txt')}`,
  ]);
});
