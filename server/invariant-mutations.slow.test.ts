/**
 * Each statement of the invariant monitor notices mutations of the code: a copy of the sources is
 * mutated, and a program plays commands on its twin.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MUTATIONS, type Mutation } from './invariant-mutations.cases.ts';
import { playScenes } from './invariant-play.cases.ts';

/** Plays the scenes in the copy and prints the violations. */
const PROGRAM = `const { playScenes } = await import('./server/invariant-play.cases.ts');
  process.stdout.write(JSON.stringify(await playScenes()));`;
const COPIED = ['contract', 'physics', 'bridge', 'server', 'package.json', 'tsconfig.json'];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'armtwin-mutations-'));
  for (const name of COPIED) cpSync(name, join(folder, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Violations by statement that the monitor counts in the copy. */
function countInCopy(): Record<string, number> {
  const args = ['--import', 'tsx', '--input-type', 'module', '-e', PROGRAM];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }));
}

function mutated({ path, find, put }: Mutation): Record<string, number> {
  const file = join(folder, path);
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(find, () => put),
  );
  try {
    return countInCopy();
  } finally {
    writeFileSync(file, text);
  }
}

describe('the invariant monitor', () => {
  it('finds nothing in the code as it is', async () => {
    expect(await playScenes()).toEqual({});
    expect(countInCopy()).toEqual({});
  });

  it.each(MUTATIONS)('$statement: $path without “$find”', (mutation) => {
    const counts = mutated(mutation);
    expect(Object.keys(counts)).toContain(mutation.statement);
  });
});
