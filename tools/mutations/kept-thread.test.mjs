import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keptThread } from './kept-thread.mjs';
import { limitOf } from './test-limits.setup.mjs';

/** A thread that answers each message with the number of messages so far. */
const THREAD = `
const { parentPort } = require('node:worker_threads');
let count = 0;
parentPort.on('message', () => parentPort.postMessage(++count));
`;

it('keeps the thread between runs, until one ends by force', async () => {
  const distPath = mkdtempSync(join(tmpdir(), 'armtwin-thread-'));
  mkdirSync(join(distPath, 'workers'));
  writeFileSync(join(distPath, 'workers/threads.js'), THREAD);
  /** @type {{ [key: string]: any }} */
  const config = {};
  keptThread.configureVitest({ project: { config } });
  const run = async (/** @type {boolean} */ byForce) => {
    const worker = config['poolRunner'].createPoolWorker({ distPath, env: {}, execArgv: [] });
    worker.start();
    const answer = (/** @type {object} */ message) =>
      new Promise((done) => {
        const listener = (/** @type {unknown} */ value) => {
          worker.off('message', listener);
          done(value);
        };
        worker.on('message', listener);
        worker.send(message);
      });
    const count = await answer({ type: 'run' });
    if (!byForce) expect(await answer({ type: 'stop' })).toMatchObject({ type: 'stopped' });
    await worker.stop();
    return count;
  };
  expect([await run(false), await run(false), await run(true)]).toEqual([1, 2, 3]);
  expect([await run(false), await run(true)]).toEqual([1, 2]);
});

it('gives the tests of a slow file more time', () => {
  expect(limitOf()).toBe(6_000);
  expect(limitOf(10_000)).toBe(46_000);
});
