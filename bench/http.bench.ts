/**
 * HTTP and event stream of the built program, in its own process, with the arm running. Goals: GET
 * snapshot and PUT forward_kinematics 4,000 req/s on one core, p99 50 ms; 100 stream clients 12 %
 * of a core, 10 clients of Foxglove 10 %; a list of 1,000 toolpaths p99 10 ms; a durable save p99
 * 20 ms. On a busy machine the rate by processor time is more reliable than by wall time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestBytes, runLoad } from './load-generator.ts';
import { keepMoving, type Program, startProgram, streams, toolpath } from './program.ts';

const LOAD_MS = 6000;
/** Clients at the same time: of most figures, and of those with many. */
const CLIENTS = 32;
const MANY_CLIENTS = 100;

async function rate(
  program: Program,
  name: string,
  request: Buffer,
  connections = CLIENTS,
): Promise<void> {
  const before_s = program.processor_s();
  const { port } = program;
  const load = await runLoad({ port, requests: [request], connections, limit_ms: LOAD_MS });
  const processor_s = program.processor_s() - before_s;
  console.log(
    `${name}: ${(load.done / load.wall_s).toFixed(0)} req/s by wall time, ` +
      `${(load.done / processor_s).toFixed(0)} per second of processor time including the arm, ` +
      `p50 ${load.p50_ms.toFixed(1)} ms, p99 ${load.p99_ms.toFixed(1)} ms`,
  );
}

async function library(program: Program): Promise<void> {
  const { port, session } = program;
  const saves = Array.from({ length: 1000 }, (_, i) =>
    requestBytes('POST /api/v1/toolpaths', session, { name: `bench ${i}`, toolpath }),
  );
  const limit_ms = 120_000;
  const save = await runLoad({ port, requests: saves, connections: 1, count: 1000, limit_ms });
  const list = [requestBytes('GET /api/v1/toolpaths', session)];
  const lists = await runLoad({ port, requests: list, connections: 1, count: 500, limit_ms });
  const again = saves.map((_, i) =>
    requestBytes('POST /api/v1/toolpaths', session, { name: `many ${i}`, toolpath }),
  );
  const many = await runLoad({
    ...{ port, requests: again, connections: MANY_CLIENTS, count: 1000, limit_ms },
  });
  for (const [name, { done, p50_ms, p99_ms }] of [
    ['durable save', save],
    ['list of 1,000', lists],
    ['durable save of 100 clients', many],
  ] as const) {
    console.log(`${name}: ${done}, p50 ${p50_ms.toFixed(2)} ms, p99 ${p99_ms.toFixed(2)} ms`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'armtwin-bench-'));
const program = await startProgram(['--data', join(folder, 'data')]);
try {
  await library(program);
  await keepMoving(program);
  const { url, foxgloveUrl } = program;
  await streams(program, { name: 'stream clients', url, count: 100 });
  await streams(program, { name: 'clients of Foxglove', url: foxgloveUrl, count: 10 });
  const joints = [0, 0.5, -1.7, 0, -1.2, 0];
  const snapshot = requestBytes('GET /api/v1/data/snapshot', program.session);
  await rate(program, 'GET snapshot', snapshot);
  await rate(program, 'GET snapshot of 100 clients', snapshot, MANY_CLIENTS);
  const forward = 'PUT /api/v1/calc/forward_kinematics';
  await rate(program, 'PUT forward_kinematics', requestBytes(forward, program.session, { joints }));
} finally {
  await program.stop();
  rmSync(folder, { recursive: true });
}
