/**
 * The process that tries states of snapshot files: one answer for each state that it receives. It
 * kills itself where a trial takes too long, also when the twin is gone by then.
 */
import { Worker } from 'node:worker_threads';
import { tryHere } from './run-worker.ts';
import type { TrialReply, TrialRequest } from './snapshot-trials.ts';

const KILL_LATER = `
  const { workerData } = require('node:worker_threads');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), workerData);
`;

process.on('message', async ({ task, limit_ms }: TrialRequest) => {
  // A tick that never ends keeps this thread busy, so another one measures the time.
  const killer = new Worker(KILL_LATER, { eval: true, execArgv: [], workerData: limit_ms });
  const reply: TrialReply = { failure: await tryHere(task) };
  await killer.terminate();
  process.send?.(reply);
});
