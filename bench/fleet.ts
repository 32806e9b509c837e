/**
 * Processor and memory of one twin at real time, idle and running, on each plant, as the system
 * reports them for the built program; the data of docs/fleets.md. Run: npm run bench fleet
 * -- [--json FILE]
 */
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { runForever, withTwinProcess } from '../e2e/robustness/twin-process.ts';

const SETTLE_MS = 6000;
const WATCH_MS = 20_000;

interface Cost {
  readonly plant: string;
  readonly doing: 'idle' | 'running';
  /** Share of one processor. */
  readonly processor: number;
  readonly memory_mb: number;
  readonly lateness_p99_ms: number;
}

async function costOf(plant: 'fast' | 'rapier', doing: Cost['doing']): Promise<Cost> {
  return withTwinProcess(['--driver', plant, '--log-level', 'silent'], async (program) => {
    if (doing === 'running') await runForever(program);
    await wait(SETTLE_MS);
    const used_s = await program.processor_s();
    const start_ms = performance.now();
    await wait(WATCH_MS);
    const span_s = (performance.now() - start_ms) / 1000;
    const processor = ((await program.processor_s()) - used_s) / span_s;
    const memory_mb = await program.memory_mb();
    const lateness_p99_ms = 1000 * (await program.metric('armtwin_tick_lateness_p99_seconds'));
    return { plant, doing, processor, memory_mb, lateness_p99_ms };
  });
}

function rowOf({ plant, doing, processor, memory_mb, lateness_p99_ms }: Cost): string {
  const cells = [
    plant.padEnd(8),
    doing.padEnd(8),
    `${(100 * processor).toFixed(1)} %`.padStart(9),
    `${memory_mb.toFixed(0)} MB`.padStart(8),
    `${lateness_p99_ms.toFixed(1)} ms`.padStart(9),
  ];
  return cells.join('  ');
}

const costs: Cost[] = [];
console.log('plant     doing     processor    memory  lateness');
for (const plant of ['fast', 'rapier'] as const) {
  for (const doing of ['idle', 'running'] as const) {
    const cost = await costOf(plant, doing);
    costs.push(cost);
    console.log(rowOf(cost));
  }
}
console.log(`machine load ${loadavg()[0]!.toFixed(1)}`);
const at = process.argv.indexOf('--json');
const path = process.argv[at + 1];
if (at > 0 && path) writeFileSync(path, `${JSON.stringify(costs, null, 2)}\n`);
