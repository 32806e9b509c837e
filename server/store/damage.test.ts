/** Damaged files of a data folder: nothing differs in silence, and every message names the file. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAMAGES, DamagedJournal, damaged, damageProblems } from './damage.cases.ts';
import { FolderLock } from './folder-lock.ts';
import { hurriedClock } from './simulated-disk.cases.ts';
import { seeded } from './store-history.cases.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'armtwin-damage-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('of a journal is reported with the lost changes, and repaired', async () => {
  expect(await damageProblems(1, 60)).toEqual([]);
});

it('of a journal is found by a check that is shown undamaged files', async () => {
  const journal = await DamagedJournal.make(7);
  expect(await journal.damage(7, 'none')).toEqual([]);
});

it('of a lock file does not keep the folder locked', async () => {
  const draw = seeded(11);
  for (let round = 0; round < 2 * DAMAGES.length; round++) {
    const lock = await FolderLock.acquire(folder, hurriedClock);
    const path = join(folder, `writer-${lock.epoch}.lock`);
    const content = readFileSync(path);
    await lock.release();
    const kind = DAMAGES[round % DAMAGES.length]!;
    if (kind === 'removed') rmSync(path);
    else writeFileSync(path, damaged(round % 2 === 0 ? content : readFileSync(path), kind, draw));
  }
});
