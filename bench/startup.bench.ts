/**
 * Start-up of the built program: time until it is ready, processor time and memory. Goal: 1.0 s
 * with Rapier. Run `npm run build` first.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../dist/server/main.js', import.meta.url));
const STARTS = 7;
/** Clock tick of /proc (ms). */
const CLOCK_TICK_MS = 10;

async function start(driver: string) {
  const began = performance.now();
  const env = { ...process.env, MALLOC_ARENA_MAX: '1' };
  const child = spawn(process.execPath, [MAIN, '--port', '0', '--driver', driver], { env });
  await once(child.stdout, 'data');
  const ready_ms = performance.now() - began;
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ');
  const processor_ms = (Number(fields[13]) + Number(fields[14])) * CLOCK_TICK_MS;
  const rss_kb = Number(
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1],
  );
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { ready_ms, processor_ms, rss_mb: rss_kb / 1024 };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

for (const driver of ['rapier', 'fast']) {
  const starts: Awaited<ReturnType<typeof start>>[] = [];
  for (let i = 0; i < STARTS; i++) starts.push(await start(driver));
  const of = (key: 'ready_ms' | 'processor_ms' | 'rss_mb') =>
    median(starts.map((entry) => entry[key])).toFixed(0);
  console.log(
    `${driver}: ready after ${of('ready_ms')} ms (processor ${of('processor_ms')} ms), ` +
      `RSS ${of('rss_mb')} MB, median of ${STARTS}`,
  );
}
