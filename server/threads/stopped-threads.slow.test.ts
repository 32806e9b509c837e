/**
 * Pools of the built program that end while their threads still load. Node ends the process then
 * if piscina calls `require` in the thread, so the pools run in a process of their own.
 */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const PROGRAM = `
import { Piscina } from 'piscina';
import { threadFile } from './server/threads/thread-file.ts';
const folder = 'file://' + process.cwd() + '/dist/server/planning/';
const file = threadFile(folder + 'planner.js', './plan-worker');
for (let i = 0; i < 300; i++) {
  const pool = new Piscina({ ...file, minThreads: 2, maxThreads: 2 });
  await new Promise((done) => setTimeout(done, 20 + (i % 60) * 4));
  await pool.destroy();
}
console.log('ended');
`;

it('can end at any instant', async () => {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toContain('ended');
}, 600_000);
