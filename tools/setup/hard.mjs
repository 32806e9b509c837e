/**
 * `npm run test:hard -- <flags>`: a fresh build, then faults, load and attacks against it, each
 * with a figure (e2e/hard). The quick ones are a stage of `npm test`.
 */
import { spawn } from 'node:child_process';
import { ensureProgram } from './start.mjs';

const MAIN = ['--import', 'tsx', 'e2e/hard/main.ts'];

/** Arguments of node for the quick checks. */
export const QUICK = [...MAIN, '--quick'];

/** @param {string[]} flags */
export async function hard(flags) {
  if (!(await ensureProgram())) return 1;
  const child = spawn(process.execPath, [...MAIN, ...flags], { stdio: 'inherit' });
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}
