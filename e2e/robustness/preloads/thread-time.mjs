/**
 * Measures how long work holds the thread of the control loop: processor time of the thread between
 * two firings of a timer of 1 ms. Other processes of the machine do not count. SIGUSR2 prints the
 * figures since the last one on stderr.
 */
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const PERIOD_MS = 1;
/** Where Linux states the processor time of the main thread (ns). */
const STATISTICS = `/proc/self/task/${process.pid}/schedstat`;

const used_ms = () => Number(readFileSync(STATISTICS, 'utf8').split(' ')[0]) / 1e6;

if (isMainThread) {
  let samples = [];
  let last_ms = used_ms();
  setInterval(() => {
    const now_ms = used_ms();
    samples.push(now_ms - last_ms);
    last_ms = now_ms;
  }, PERIOD_MS).unref();
  process.on('SIGUSR2', () => {
    const sorted = samples.sort((a, b) => a - b);
    const p99_ms = sorted[Math.floor(0.99 * (sorted.length - 1))] ?? 0;
    const figures = {
      held_p99_ms: p99_ms,
      held_most_ms: sorted.at(-1) ?? 0,
      samples: sorted.length,
    };
    process.stderr.write(`${JSON.stringify(figures)}\n`);
    samples = [];
  });
}
