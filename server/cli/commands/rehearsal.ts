/**
 * A rehearsal: runs a toolpath against a cell on a stepped clock, as fast as it goes, and judges
 * what happened. Variations shift the objects of the cell by drawn offsets, and give the arm other
 * drawn imperfections. Times in s of the twin.
 */
import { Agent, request } from 'node:http';
import { type ArmClient, type ClientFetch, connect } from '../../../contract/client.ts';
import { limits } from '../../../contract/limits.ts';
import type { Problem } from '../../../contract/refusal.ts';
import type {
  Cell,
  CellEvent,
  CellObjectState,
  RehearsalExpectations,
  SimContact,
  Toolpath,
} from '../../../contract/types.ts';
import { goalProblems, unknownNameText } from '../../../physics/cell/object-goal.ts';
import { createPrng } from '../../../physics/math/portable.ts';
import { tickOf } from '../../clock/twin-time.ts';
import { SignalChanges } from '../../robot/io.ts';
import type { ControlLoop } from '../../robot/loop.ts';
import type { Robot } from '../../robot/robot.ts';

/** What a rehearsal uses of a twin. */
export interface RehearsedTwin {
  readonly url: string;
  readonly loop: ControlLoop;
  readonly robot: Robot;
  close(): Promise<void>;
}

/** What is rehearsed. */
export interface Rehearsal {
  readonly name: string;
  readonly toolpath: Toolpath;
  readonly cell: Cell;
  readonly expected: RehearsalExpectations;
  /** Longest run (s); a run that takes longer has not finished. */
  readonly limit_s: number;
}

/** What one run did; times from its start. */
export interface RehearsedRun {
  readonly duration_s: number;
  readonly events: readonly CellEvent[];
  readonly contacts: readonly SimContact[];
  readonly objects: readonly CellObjectState[];
  /** What was not as expected, in sentences; empty: the run worked. */
  readonly problems: readonly string[];
}

type Signal = NonNullable<RehearsalExpectations['signals']>[number];

/** A change of a signal, and its tick. */
type SignalChange = Signal & { readonly tick: number };

/** Longest way to the home; a slow toolpath also approaches its home slowly. */
const HOME_LIMIT_S = 3600;
/** The lock is renewed so often on the way to the home, which is a motion in teach mode (§3.2). */
const RENEW_S = limits.lock_expiry_teach_s / 2;
/** The run is looked at after so much time at most. */
const LOOK_S = 10;
/** Objects come to rest in this time after the run. */
const SETTLE_S = 1;
const START = 'start of the rehearsal';
/** States in which a run goes no further. */
const ENDED: readonly string[] = ['error', 'collision', 'disabled', 'shutting_down'];
/** What no run should do, unless the file of expectations says where objects are. */
const MISHAPS: readonly string[] = ['missed', 'dropped', 'slipped', 'tipped', 'jammed'];
const SEED_RANGE = 2 ** 32;

/** The times of a twin are whole milliseconds. */
const MS_PER_S = 1000;

/** A time from a start on (s), without the digits that the subtraction adds. */
const timeSince = (start_s: number, time_s: number) =>
  Math.round((time_s - start_s) * MS_PER_S) / MS_PER_S;

const seconds = (time_s: number) => `${time_s.toFixed(2)} s`;

/** What expectations ask of parts that a cell does not have, or do not say; each with its place. */
export function expectationProblems(cell: Cell, expected: RehearsalExpectations): Problem[] {
  const problems: Problem[] = [];
  expected.objects?.forEach((goal, i) => {
    const own = goalProblems(cell, goal);
    problems.push(...own.map(({ path, problem }) => ({ path: `/objects/${i}${path}`, problem })));
    if (goal.at !== undefined || goal.held_by !== undefined) return;
    const problem = 'needs at or held_by, or it expects nothing';
    problems.push({ path: `/objects/${i}`, problem });
  });
  if (expected.objects?.length === 0) {
    const problem = 'is empty: it expects nothing, and mishaps are no problem beside it';
    problems.push({ path: '/objects', problem });
  }
  expected.signals?.forEach(({ input, output }, i) => {
    if ((input === undefined) !== (output === undefined)) return;
    problems.push({ path: `/signals/${i}`, problem: 'needs either an input or an output' });
  });
  const { controls = [] } = cell;
  expected.press?.forEach((name, i) => {
    if (controls.some((control) => control.name === name)) return;
    const problem = unknownNameText('control', name, controls);
    problems.push({ path: `/press/${i}`, problem });
  });
  return problems;
}

/**
 * Sends the calls of a client with the HTTP module that the twin has loaded anyway, uncompressed:
 * to load the global fetch takes longer than all calls of a rehearsal.
 */
function createSender(): ClientFetch {
  // Each call has a connection of its own: while a toolpath is planned here, one that waits for the
  // next call would time out.
  const agent = new Agent({ keepAlive: false });
  return (url, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const call = request(url, { agent, method, headers }, (reply) => {
        const { statusCode: status = 0 } = reply;
        const parts: Buffer[] = [];
        reply.on('data', (part: Buffer) => parts.push(part));
        reply.on('error', reject);
        reply.on('end', () =>
          resolve({ status, text: async () => Buffer.concat(parts).toString('utf8') }),
        );
      });
      call.on('error', (cause) => reject(new Error(cause.message, { cause })));
      call.end(body);
    });
}

/** A twin in its cell with the toolpath loaded and the arm at its home. */
export class RehearsalStage {
  private readonly twin: RehearsedTwin;
  private readonly arm: ArmClient;
  private readonly rehearsal: Rehearsal;

  private constructor(twin: RehearsedTwin, token: string, rehearsal: Rehearsal) {
    this.twin = twin;
    this.arm = connect({ baseUrl: twin.url, token, fetch: createSender() });
    this.rehearsal = rehearsal;
  }

  /** Prepares a twin. Throws an Error with the reason when the toolpath cannot be run. */
  static async open(
    twin: RehearsedTwin,
    token: string,
    rehearsal: Rehearsal,
  ): Promise<RehearsalStage> {
    const stage = new RehearsalStage(twin, token, rehearsal);
    const { arm } = stage;
    const { name, toolpath, cell } = rehearsal;
    const { toolpath: saved } = await arm.createToolpath({ name, toolpath });
    await arm.setCell(cell);
    await arm.takeLock();
    await arm.useToolpath({ toolpath_id: saved.id });
    await stage.goHome();
    await arm.keepState({ name: START });
    return stage;
  }

  /** Moves to the home. Without the lock, the arm would stop before it and be ready there. */
  private async goHome(): Promise<void> {
    const { arm, twin } = this;
    await arm.home();
    const until_s = twin.loop.now_s + HOME_LIMIT_S;
    while (twin.loop.now_s < until_s && !ENDED.includes(twin.robot.memory.state)) {
      await arm.renewLock();
      if ((await arm.runUntil({ state: 'ready', limit_s: RENEW_S })).reached) return;
    }
    const { state, error } = twin.robot.memory;
    const { contacts } = await arm.listContacts();
    const touched = contacts.findLast(({ ended_s }) => ended_s === null);
    const cause = touched ? `; ${touched.body} touches ${touched.obstacle}` : '';
    const reason = ENDED.includes(state)
      ? `the robot is in the state ${state}${error ? `: ${error}` : ''}${cause}`
      : `it takes more than ${HOME_LIMIT_S} s`;
    throw new Error(`the arm did not reach the home of the toolpath: ${reason}`);
  }

  /** Runs the toolpath once; `shift` draws the offsets of the objects. */
  async run(shift: { readonly spread_mm: number; readonly seed: number } | null) {
    const { arm, rehearsal, twin } = this;
    await arm.restoreState({ name: START });
    const { expected, cell, limit_s } = rehearsal;
    const before = (await arm.listCellEvents()).events.at(-1)?.id ?? 0;
    if (shift && shift.spread_mm > 0) await this.shiftObjects(shift);
    const signals: SignalChange[] = [];
    const watchSignals = signalWatch(twin.robot, signals);
    let stopped_s: number | null = null;
    const stop = twin.loop.subscribe({
      onTick: (_feedback, tick) => {
        watchSignals(tick);
        if (ENDED.includes(twin.robot.memory.state)) stopped_s ??= twin.loop.now_s;
      },
    });
    const start_s = twin.loop.now_s;
    await arm.run({ mode: 'automatic', loop: 1 });
    for (const control_name of expected.press ?? []) {
      await arm.setCellControl({ control_name }, { active: true });
    }
    const unfinished = await this.finish(start_s + limit_s);
    const duration_s = timeSince(start_s, stopped_s ?? twin.loop.now_s);
    stop();
    await arm.advanceClock({ seconds: SETTLE_S });
    const { events, contacts } = await this.happenedSince(start_s, before);
    const objects = (await arm.getCell()).state!.objects;
    const seen = { duration_s, events, contacts, objects };
    const problems = [
      ...(unfinished === null ? [] : [unfinished]),
      ...runProblems(seen, expected, signals),
      ...(cell.objects ? await this.objectProblems(seen) : []),
    ];
    return { ...seen, problems } satisfies RehearsedRun;
  }

  /** Events with a later id, and contacts from a time on; all their times are from then. */
  private async happenedSince(start_s: number, lastEvent: number) {
    const { events } = await this.arm.listCellEvents();
    const { contacts } = await this.arm.listContacts();
    return {
      events: events
        .filter(({ id }) => id > lastEvent)
        .map(({ at_s, tick, ...event }): CellEvent => {
          const ticks = tick - tickOf(start_s);
          return { ...event, at_s: timeSince(start_s, at_s), tick: ticks };
        }),
      contacts: contacts
        .filter(({ at_s }) => at_s >= start_s)
        .map(({ at_s, ended_s, ...contact }): SimContact => {
          const end_s = ended_s === null ? null : timeSince(start_s, ended_s);
          return { ...contact, at_s: timeSince(start_s, at_s), ended_s: end_s };
        }),
    };
  }

  private async shiftObjects({ spread_mm, seed }: { spread_mm: number; seed: number }) {
    const random = createPrng(seed);
    for (const { name: object } of this.rehearsal.cell.objects ?? []) {
      const fault = { kind: 'object', fault: 'misplaced', object, spread_mm } as const;
      await this.arm.addFault({ ...fault, seed: Math.floor(random() * SEED_RANGE) });
    }
  }

  /** Lets the run end; returns why it did not, or null. */
  private async finish(until_s: number): Promise<string | null> {
    const { arm, twin, rehearsal } = this;
    while (twin.loop.now_s < until_s) {
      const limit_s = Math.min(LOOK_S, until_s - twin.loop.now_s);
      if ((await arm.runUntil({ state: 'ready', limit_s })).reached) return null;
      const { state, error } = twin.robot.memory;
      if (ENDED.includes(state)) {
        const { press = [] } = rehearsal.expected;
        const cause = state === 'disabled' && press.length > 0 ? `${press.join(', ')} pressed` : '';
        const reason = error || cause;
        return `the run ended in the state ${state}${reason ? `: ${reason}` : ''}`;
      }
    }
    const at = twin.robot.memory.activity?.at ?? '';
    return `the run did not finish within ${rehearsal.limit_s} s${at ? `; it is at ${at}` : ''}`;
  }

  /** Objects that are not where they should be, each with the reason. */
  private async objectProblems({ events, objects }: Omit<RehearsedRun, 'problems'>) {
    const problems: string[] = [];
    for (const { object, at, held_by, within_mm } of this.rehearsal.expected.objects ?? []) {
      const wanted = { object, ...(at !== undefined && { at }), limit_s: 0 };
      const { reached } = await this.arm.runUntilObject({
        ...wanted,
        ...(held_by !== undefined && { held_by }),
        ...(within_mm !== undefined && { within_mm }),
      });
      if (reached) continue;
      const { position, status, ...now } = objects.find(({ name }) => name === object)!;
      const place = [position.x, position.y, position.z].map((part) => part.toFixed(4)).join(', ');
      const where = now.held_by === null ? `${status} at ${now.at}` : `held by ${now.held_by}`;
      const own = events.filter((event) => event.object === object);
      const cause = own.findLast(({ kind }) => MISHAPS.includes(kind));
      const reason = cause ? `; ${cause.text} at ${seconds(cause.at_s)}` : '';
      const near = within_mm === undefined ? `at ${at}` : `within ${within_mm} mm of ${at}`;
      const target = held_by === undefined ? near : `held by ${held_by}`;
      problems.push(`${object} is ${where}, (${place}) m, not ${target}${reason}`);
    }
    return problems;
  }
}

/** Adds every change of a digital signal to `changes`. */
function signalWatch({ memory }: Robot, changes: SignalChange[]): (tick: number) => void {
  const last = { inputs: { ...memory.io.inputs }, outputs: { ...memory.io.outputs } };
  const written = new SignalChanges();
  return (tick) => {
    if (!written.take(memory.io)) return;
    for (const side of ['inputs', 'outputs'] as const) {
      const now = memory.io[side] as Readonly<Record<string, unknown>>;
      const was = last[side] as Record<string, unknown>;
      for (const key in now) {
        const value = now[key];
        if (value === was[key]) continue;
        was[key] = value;
        if (typeof value !== 'boolean') continue;
        const signal = side === 'inputs' ? { input: key, value } : { output: key, value };
        changes.push({ ...(signal as Signal), tick });
      }
    }
  };
}

function nameOf({ output, input, value }: Signal): string {
  return `${output === undefined ? `input ${input}` : `output ${output}`} ${value ? 'on' : 'off'}`;
}

/**
 * The first expected change that does not follow those before it, or null. Changes of the same
 * tick, such as an output and the input that it drives, are in either order.
 */
export function missingSignal(
  wanted: readonly Signal[],
  seen: readonly SignalChange[],
): string | null {
  const left = [...seen];
  let last_tick = Number.NEGATIVE_INFINITY;
  for (const signal of wanted) {
    const name = nameOf(signal);
    const found = left.findIndex((one) => one.tick >= last_tick && nameOf(one) === name);
    if (found < 0) return name;
    last_tick = left[found]!.tick;
    left.splice(found, 1);
  }
  return null;
}

/**
 * Mishaps in sentences. What happens again without a grasp of the object between, such as a slip
 * that sticks and goes on, is one problem with its count and the time of the first and the last.
 */
export function mishapProblems(events: readonly CellEvent[]): string[] {
  const all: { readonly text: string; readonly times_s: number[] }[] = [];
  const open = new Map<string, (typeof all)[number]>();
  for (const { kind, object, by, text, at_s } of events) {
    if (kind === 'grasped') {
      for (const key of open.keys()) if (key.startsWith(`${object}\n`)) open.delete(key);
    }
    if (!MISHAPS.includes(kind)) continue;
    // The forces in the text of a slip differ each time.
    const key = `${object}\n${kind === 'slipped' ? `${kind} ${by}` : text}`;
    const known = open.get(key);
    if (known) {
      known.times_s.push(at_s);
      continue;
    }
    const mishap = { text, times_s: [at_s] };
    open.set(key, mishap);
    all.push(mishap);
  }
  return all.map(({ text, times_s: [first = 0, ...later] }) => {
    const last = later.at(-1);
    const span = `${later.length + 1} times from ${seconds(first)} to ${seconds(last ?? first)}`;
    return last === undefined ? `${text} at ${seconds(first)}` : `${text}; ${span}`;
  });
}

/** What is wrong with a run apart from the places of objects. */
function runProblems(
  { duration_s, events, contacts }: Omit<RehearsedRun, 'problems'>,
  expected: RehearsalExpectations,
  seen: readonly SignalChange[],
): string[] {
  const { objects, max_duration_s = Number.POSITIVE_INFINITY, signals = [] } = expected;
  const problems: string[] = [];
  if (!objects) {
    problems.push(...mishapProblems(events));
  }
  if (duration_s > max_duration_s) {
    problems.push(`the run took ${seconds(duration_s)}, more than ${max_duration_s} s`);
  }
  const most = expected.max_contact_force_n ?? Number.POSITIVE_INFINITY;
  for (const { body, obstacle, peak_force_n, at_s } of contacts) {
    if (peak_force_n <= most) continue;
    const force = `${peak_force_n.toFixed(1)} N, more than ${most} N`;
    problems.push(`${body} touched ${obstacle} with ${force}, at ${seconds(at_s)}`);
  }
  const missing = missingSignal(signals, seen);
  if (missing !== null) problems.push(`${missing} did not follow in the expected order`);
  return problems;
}
