/** A long scripted run in two processes, stepped and as fast as possible: equal digests (D40). */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('./long-scripted-run.cases.ts', import.meta.url));
const run = promisify(execFile);

async function digestOf(driver: string, pace: string, ticks: number): Promise<string> {
  const args = ['--import', 'tsx', SCRIPT, driver, pace, String(ticks)];
  const { stdout } = await run(process.execPath, args);
  return stdout;
}

it.each([
  ['fast', 1_000_000],
  ['rapier', 100_000],
])('%s runs %d ticks equally', { timeout: 300_000 }, async (driver, ticks) => {
  const stepped = await digestOf(driver, 'stepped', ticks);
  expect(stepped).toMatch(/^[0-9a-f]{64}$/);
  expect(await digestOf(driver, 'max', ticks)).toBe(stepped);
});
