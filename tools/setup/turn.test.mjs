import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inTurn } from './turn.mjs';

const turnFile = () => join(mkdtempSync(join(tmpdir(), 'turn-')), 'turn');

it('one works at a time, and the turn passes on where the work fails', async () => {
  const file = turnFile();
  /** @type {string[]} */
  const at = [];
  const work = (/** @type {string} */ name) =>
    inTurn(file, 'works', async () => {
      at.push(`${name} begins`);
      await new Promise((done) => setImmediate(done));
      at.push(`${name} ends`);
      if (name === 'first') throw new Error('it fails');
    });
  const [first, second] = await Promise.allSettled([work('first'), work('second')]);
  expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
  expect(at).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  expect(existsSync(file)).toBe(false);
});

it.each(['4194305', '', 'what is this'])('the turn of nobody is taken: %j', async (text) => {
  const file = turnFile();
  writeFileSync(file, text);
  expect(await inTurn(file, 'works', async () => 'done')).toBe('done');
});
