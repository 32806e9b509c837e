/**
 * How late this machine lets a bare timer be while its processors are busy: the floor of every
 * figure of lateness. Prints the 99th percentile over the milliseconds of N seconds (ms).
 * Arguments: N, then the nice value of each busy process, or `idle` for one that gives way.
 */
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { giveWay } from './give-way.ts';

const BUSY = 'for (let a = []; ; a.push({})) if (a.length > 1e5) a = [];';

const [seconds, ...priorities] = process.argv.slice(2);
const busy = priorities.map((priority) => {
  const child = spawn(process.execPath, ['-e', BUSY]);
  if (priority === 'idle') giveWay(child.pid!);
  else setPriority(child.pid!, Number(priority));
  return child;
});
await wait(1000);
const late_ms: number[] = [];
const end_ms = performance.now() + Number(seconds) * 1000;
for (let due_ms = Math.ceil(performance.now()) + 1; due_ms < end_ms; ) {
  await wait(Math.max(1, due_ms - performance.now()));
  for (const now_ms = performance.now(); due_ms <= now_ms; due_ms++) late_ms.push(now_ms - due_ms);
}
late_ms.sort((a, b) => a - b);
console.log(late_ms[Math.floor(late_ms.length * 0.99)]);
for (const child of busy) child.kill('SIGKILL');
