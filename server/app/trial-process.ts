/**
 * The process that tries states of snapshot files: one answer for each state that it receives. It
 * kills itself where a trial takes too long, also when the twin is gone by then.
 */
import { Worker } from 'node:worker_threads';
import type { TrialReply, TrialRequest } from './snapshot-trials.ts';
import { tryHere } from './try-here.ts';

/** Interval between two looks at the processor time (ms). */
const LOOK_MS = 20;
const KILL_LATER = `
  const { workerData: limit_us } = require('node:worker_threads');
  const used_us = () => process.cpuUsage().user + process.cpuUsage().system;
  const start_us = used_us();
  setInterval(() => {
    if (used_us() - start_us > limit_us) process.kill(process.pid, 'SIGKILL');
  }, ${LOOK_MS});
`;

process.on('message', async ({ task, limit_s }: TrialRequest) => {
  // A tick that never ends keeps this thread busy, so another one measures the time: that of the
  // processor, because a busy machine must not refuse a file.
  const killer = new Worker(KILL_LATER, { eval: true, execArgv: [], workerData: limit_s * 1e6 });
  const reply: TrialReply = { failure: await tryHere(task) };
  await killer.terminate();
  process.send?.(reply);
});
