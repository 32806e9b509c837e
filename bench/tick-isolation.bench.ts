/**
 * Lateness of ticks while the worst bodies of each call arrive, four at a time without a pause, at
 * the built program; the worst bodies come from a search on processor time. Before it, how late a
 * bare timer of this machine is beside as many busy processes. Run:
 * npm run bench tick-isolation -- [--json FILE] [--driver fast|rapier] [--seconds N] [--largest]
 * [CALL …]; --largest runs the largest program in place of an ordinary one
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { limits } from '../contract/limits.ts';
import { fillPath, ROUTES, type RouteRow } from '../contract/routes.ts';
import type { Toolpath } from '../contract/types.generated.ts';
import {
  runForever,
  startTwinProcess,
  TOKEN,
  type TwinProcess,
} from '../e2e/robustness/twin-process.ts';
import { giveWay } from './give-way.ts';
import { type WorstBody, worstBodies } from './worst-bodies.ts';

const PARALLEL = 4;
/** The statistics cover the last 8 s. */
const DEFAULT_S = 9;
const ID = 1;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    driver: { type: 'string', default: 'fast' },
    seconds: { type: 'string', default: String(DEFAULT_S) },
    largest: { type: 'boolean', default: false },
  },
});

interface Row {
  readonly call: string;
  readonly body: string;
  readonly bytes: number;
  /** Processor time of reading the body once (ms). */
  readonly cost_ms: number;
  readonly calls: number;
  readonly statuses: string;
  readonly lateness_p99_ms: number;
  readonly real_time_factor: number;
  /** Processor time for which work held the thread of the control loop at a time (ms). */
  readonly held_p99_ms: number;
  readonly held_most_ms: number;
}

/** Figures of preloads/thread-time.mjs since the last call. */
async function heldTimes(program: TwinProcess) {
  const before = program.stderr().length;
  program.signal('SIGUSR2');
  while (!program.stderr().slice(before).includes('\n')) await wait(10);
  const { held_p99_ms, held_most_ms } = JSON.parse(program.stderr().slice(before)) as Row;
  return { held_p99_ms, held_most_ms };
}

const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL });

/** A new session: calls before this one may have ended others. */
async function logIn({ url }: TwinProcess): Promise<string> {
  const reply = await fetch(`${url}/api/v1/auth`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: TOKEN }),
  });
  return ((await reply.json()) as { token: string }).token;
}

/** A toolpath of as many waypoints as one may have. */
function largeToolpath() {
  const toolpath = JSON.parse(readFileSync('fixtures/toolpaths/pick-and-place.json', 'utf8'));
  const { waypoints } = toolpath;
  for (let id = 1000; waypoints.length < limits.waypoints; id++) {
    waypoints.push({ label_id: id, joints: waypoints[0].joints });
  }
  return toolpath;
}

/**
 * A toolpath of as many steps as one may have, back and forth on straight lines: its program is a
 * hundred times as large as its text, and takes the robot hours.
 */
function denseToolpath(): Toolpath {
  const toolpath = JSON.parse(readFileSync('fixtures/toolpaths/pick-and-place.json', 'utf8'));
  const { label_id, joints } = toolpath.waypoints[0];
  const other = joints.map((angle: number, j: number) => (j === 0 ? angle + 0.2 : angle));
  const timeline = Array.from({ length: limits.timeline_actions - 1 }, (_, i) => ({
    ...{ type: 'trajectory', trajectory: 'linear', waypoint_id: (i + 1) % 2 },
  }));
  return {
    ...toolpath,
    waypoints: [
      { label_id, joints },
      { label_id: label_id + 1, joints: other },
    ],
    timeline: [{ type: 'home', waypoint_id: 0 }, ...timeline],
  };
}

/** Runs the dense toolpath in a loop, so that what copies the program of the robot is seen. */
async function runDense({ arm }: TwinProcess): Promise<void> {
  await arm.takeLock();
  await arm.useUnsavedToolpath({ name: 'dense', toolpath: denseToolpath() });
  await arm.home();
  await arm.runUntil({ state: 'ready', limit_s: 30 });
  await arm.run({ mode: 'automatic', loop: 0 });
}

/** Saves what calls with ids name: a large toolpath, a workflow, a second user. */
async function fill({ arm }: TwinProcess): Promise<void> {
  await arm.createToolpath({ name: 'large', toolpath: largeToolpath() });
  const workflow = JSON.parse(readFileSync('fixtures/workflows/assay.json', 'utf8'));
  const types = Array.from({ length: 1000 }, (_, i) => ({
    id: `type ${i}`,
    note: 'x'.repeat(900),
  }));
  workflow.workflow.labware_types = types;
  await arm.createWorkflow(workflow);
  await arm.keepState({ name: KEPT });
  await arm.createUser({ email: 'second@example.org', password: 'long enough' });
}

/** Sends a body; resolves with the status, or 0 if the connection broke. */
function send(
  program: TwinProcess,
  session: string,
  { row, body }: { readonly row: RouteRow; readonly body: Uint8Array | null },
): Promise<number> {
  const { method } = row;
  const names = row.path.match(/(?<=\{)\w+/g) ?? [];
  const ids = Object.fromEntries(names.map((name) => [name, name === 'user_id' ? 2 : ID]));
  const path = fillPath(row.path, ids);
  const headers = {
    Authorization: `Bearer ${session}`,
    ...(body && { 'Content-Type': 'application/json', 'Content-Length': body.length }),
  };
  return new Promise((resolve) => {
    const sent = request({ agent, port: program.port, method, path, headers }, (reply) => {
      reply.on('error', () => resolve(0));
      reply.on('end', () => resolve(reply.statusCode ?? 0));
      reply.resume();
    });
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}

const KEPT = 'kept';

/** A state file of the whole library; asked for again while earlier calls still take the time. */
async function stateFile(arm: TwinProcess['arm'], attempts = 5): Promise<object> {
  try {
    return await arm.exportState({ name: KEPT });
  } catch (error) {
    if (attempts === 1) throw error;
    await wait(5000);
    return stateFile(arm, attempts - 1);
  }
}

/** Bodies of calls whose work depends on what is stored, as they are used. */
async function usedBody({ arm }: TwinProcess, { id }: RouteRow): Promise<object | null> {
  if (id === 'startRun') return { simulate_drivers: true };
  if (id === 'exportState' || id === 'restoreState' || id === 'keepState') return { name: KEPT };
  if (id === 'importState') return stateFile(arm);
  if (id !== 'seedTwin') return null;
  const toolpath = largeToolpath();
  return { toolpaths: Array.from({ length: 8 }, (_, i) => ({ name: `seed ${i}`, toolpath })) };
}

async function measure(
  program: TwinProcess,
  row: RouteRow,
  {
    name,
    bytes,
    cost_ms,
  }: Pick<WorstBody, 'name' | 'cost_ms'> & { readonly bytes: Uint8Array | null },
): Promise<Row> {
  const session = await logIn(program);
  const counts = new Map<number, number>();
  const seconds = Number(values.seconds);
  const end_ms = performance.now() + seconds * 1000;
  const keepSending = async () => {
    while (performance.now() < end_ms) {
      const status = await send(program, session, { row, body: bytes });
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (status === 0) await wait(50);
    }
  };
  await heldTimes(program);
  const sending = Array.from({ length: PARALLEL }, keepSending);
  await wait(seconds * 1000 - 300);
  const lateness_p99_ms = 1000 * (await program.metric('armtwin_tick_lateness_p99_seconds'));
  const real_time_factor = await program.metric('armtwin_real_time_factor');
  await Promise.all(sending);
  return {
    ...(await heldTimes(program)),
    call: row.id,
    body: name,
    bytes: bytes?.length ?? 0,
    cost_ms,
    calls: [...counts.values()].reduce((sum, count) => sum + count, 0),
    statuses: [...counts].map(([status, count]) => `${status} × ${count}`).join(', '),
    lateness_p99_ms,
    real_time_factor,
  };
}

function print({ call, bytes, cost_ms, calls, lateness_p99_ms, real_time_factor, ...row }: Row) {
  const cells = [
    call.padEnd(22),
    `${(bytes / 1024).toFixed(0)} kB`.padStart(8),
    `${cost_ms.toFixed(0)} ms`.padStart(8),
    `${calls}`.padStart(7),
    `${row.held_p99_ms.toFixed(1)} ms`.padStart(9),
    `${row.held_most_ms.toFixed(1)} ms`.padStart(9),
    `${lateness_p99_ms.toFixed(1)} ms`.padStart(9),
    real_time_factor.toFixed(3).padStart(7),
    row.statuses.padEnd(20),
    row.body,
  ];
  console.log(cells.join('  '));
}

/** Calls that remove what others use, or end sessions and the run: they come last. */
const removes = ({ id, method }: RouteRow) =>
  method === 'DELETE' || ['cyclePower', 'resetTwin', 'seedTwin', 'restoreState'].includes(id);
const chosen = (ROUTES as readonly RouteRow[]).filter(
  ({ id, carries }) => (positionals.length === 0 || positionals.includes(id)) && !carries,
);
const rows = [...chosen.filter((row) => !removes(row)), ...chosen.filter(removes)];
const results: Row[] = [];
console.log(
  'call                       body  one read    calls  held p99       most   lateness  factor',
);
// Without a twin: a busy thread of lower priority, and clients.
const bareTimer = ['bench/bare-timer.ts', values.seconds, '10', 'idle', 'idle'];
const floor_ms = Number(
  execFileSync(process.execPath, [...process.execArgv, ...bareTimer], { encoding: 'utf8' }),
);
console.log(`a bare timer beside busy processes: lateness ${floor_ms.toFixed(1)} ms`);
const flags = ['--driver', values.driver, '--log-level', 'silent'];
const program = await startTwinProcess(flags, './preloads/thread-time.mjs');
// Clients run on other machines; here they share the processors with the twin, and give way to it.
giveWay(process.pid);
await fill(program);
await (values.largest ? runDense(program) : runForever(program));
await wait(5000);
const quiet = { id: 'none', method: 'GET', path: '/livez' } as RouteRow;
for (const row of [quiet, ...rows]) {
  const none = { name: 'no body', bytes: null, cost_ms: 0 };
  const used = await usedBody(program, row);
  const inUse = used && { name: 'in use', bytes: Buffer.from(JSON.stringify(used)), cost_ms: 0 };
  const bodies = row.body === undefined ? [none] : worstBodies(row);
  for (const body of inUse ? [...bodies, inUse] : bodies) {
    const result = await measure(program, row, body);
    results.push(result);
    print(result);
    if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
  }
}
await program.stop();
console.log(`machine load ${loadavg()[0]!.toFixed(1)}`);
