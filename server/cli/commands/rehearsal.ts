/**
 * A rehearsal: runs a toolpath against a cell on a stepped clock, as fast as it goes. Variations
 * shift the objects of the cell by drawn offsets, and give the arm other drawn imperfections.
 * Times in s of the twin.
 */

import { Agent, request } from 'node:http';
import type { ArmWorld } from '../../../bridge/arm-world.ts';
import { type ArmClient, type ClientFetch, connect } from '../../../contract/client.ts';
import { waitText } from '../../../contract/condition-text.ts';
import type { RecordingDocument } from '../../../contract/export-document.ts';
import { limits } from '../../../contract/limits.ts';
import type {
  Cell,
  CellPathCheck,
  RehearsalExpectations,
  Toolpath,
} from '../../../contract/types.generated.ts';
import { createPrng } from '../../../physics/math/prng.ts';
import { tickOf } from '../../clock/twin-time.ts';
import type { RecordingPageBuilder } from '../../recording/recorded-page.ts';
import type { ControlLoop } from '../../robot/loop.ts';
import type { Robot } from '../../robot/robot.ts';
import { contactText, seconds, timeText } from './happening-text.ts';
import type { RehearsedContact, RehearsedEvent, RehearsedRun } from './rehearsed-run.ts';
import {
  contactAtStop,
  MISHAPS,
  pathProblems,
  type RunProblem,
  runProblems,
} from './run-problems.ts';
import { type SignalChange, signalWatch } from './signal-watch.ts';
import { StepLog } from './step-log.ts';

/** What a rehearsal uses of a twin. */
export interface RehearsedTwin {
  readonly url: string;
  readonly loop: ControlLoop;
  readonly robot: Robot;
  readonly world: Pick<ArmWorld, 'cell'> | null;
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
/** Of these, those that a contact may have caused. */
const STOPPED_BY_CONTACT: readonly string[] = ['error', 'collision'];
const SEED_RANGE = 2 ** 32;

/** The times of a twin are whole milliseconds. */
const MS_PER_S = 1000;

/** A time from a start on (s), without the digits that the subtraction adds. */
const timeSince = (start_s: number, time_s: number) =>
  Math.round((time_s - start_s) * MS_PER_S) / MS_PER_S;

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

/** The controls that are used at the start, as causes: "door opened, start pressed". */
function pressedText({ cell: { controls = [] }, expected: { press = [] } }: Rehearsal): string {
  const isDoor = (name: string) => controls.some((one) => one.name === name && one.kind === 'door');
  return press.map((name) => `${name} ${isDoor(name) ? 'opened' : 'pressed'}`).join(', ');
}

/** A twin in its cell with the toolpath loaded and the arm at its home. */
export class RehearsalStage {
  private readonly twin: RehearsedTwin;
  private readonly arm: ArmClient;
  private readonly rehearsal: Rehearsal;
  /** What the path meets in the cell as described, by its plan. */
  check: CellPathCheck | null = null;

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
    stage.check = (await arm.getCellCheck()).check;
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
    // The arm lets go of what it has run into, so the contact may have ended by now.
    const last = contacts.at(-1);
    const verb = last?.ended_s === null ? 'touches' : 'touched';
    const cause = last ? `; ${last.body} ${verb} ${last.obstacle}` : '';
    const reason = ENDED.includes(state)
      ? `the robot is in the state ${state}${error ? `: ${error}` : ''}${cause}`
      : `it takes more than ${HOME_LIMIT_S} s`;
    throw new Error(`the arm did not reach the home of the toolpath: ${reason}`);
  }

  /** Runs the toolpath once; `shift` draws the offsets of the objects. */
  async run(
    shift: { readonly spread_mm: number; readonly seed: number } | null,
  ): Promise<RehearsedRun> {
    await this.arm.restoreState({ name: START });
    return this.runFromHere(shift, null);
  }

  /** Runs the toolpath once as described; returns what it did and its recording. */
  async record(): Promise<{ readonly run: RehearsedRun; readonly recording: RecordingDocument }> {
    const { arm, twin, rehearsal } = this;
    // Most rehearsals make no page, and need not wait for its modules.
    const [{ RecordingPageBuilder }, { generatorName }] = await Promise.all([
      import('../../recording/recorded-page.ts'),
      import('./offline-page.ts'),
    ]);
    await arm.restoreState({ name: START });
    const { loop } = twin;
    const page = new RecordingPageBuilder(twin.robot, twin.world ?? { cell: null });
    const start_tick = tickOf(loop.now_s);
    page.onTick(loop.latestFeedback, start_tick);
    const run = await this.runFromHere(null, page);
    const happened_s = [...run.events, ...run.contacts].map(({ at_s }) => at_s);
    const end_tick = start_tick + tickOf(Math.max(run.duration_s, ...happened_s));
    return { run, recording: page.document(rehearsal.name, generatorName(), end_tick) };
  }

  private async runFromHere(
    shift: { readonly spread_mm: number; readonly seed: number } | null,
    page: RecordingPageBuilder | null,
  ): Promise<RehearsedRun> {
    const { arm, rehearsal, twin } = this;
    const { expected, cell, limit_s } = rehearsal;
    const before = (await arm.listCellEvents()).events.at(-1)?.id ?? 0;
    if (shift && shift.spread_mm > 0) await this.shiftObjects(shift);
    const signals: SignalChange[] = [];
    const watchSignals = signalWatch(twin.robot, signals);
    const steps = new StepLog();
    let stopped_s: number | null = null;
    const start_s = twin.loop.now_s;
    const start_tick = tickOf(start_s);
    const unsubscribe = [
      twin.loop.subscribe({
        onTick: (_feedback, tick) => {
          watchSignals(tick);
          steps.take(twin.robot.memory, tick - start_tick);
          if (ENDED.includes(twin.robot.memory.state)) stopped_s ??= twin.loop.now_s;
        },
      }),
      ...(page ? [twin.loop.subscribe(page)] : []),
    ];
    await arm.run({ mode: 'automatic', loop: 1 });
    for (const control_name of expected.press ?? []) {
      await arm.setCellControl({ control_name }, { active: true });
    }
    const unfinished = await this.finish(start_s + limit_s);
    const duration_s = timeSince(start_s, stopped_s ?? twin.loop.now_s);
    await arm.advanceClock({ seconds: SETTLE_S });
    for (const stop of unsubscribe) stop();
    const { events, contacts } = await this.happenedSince(start_s, before, steps);
    const objects = (await arm.getCell()).state!.objects;
    const seen = { duration_s, events, contacts, objects };
    const isHit = STOPPED_BY_CONTACT.includes(twin.robot.memory.state);
    const hit = isHit ? contactAtStop(contacts, duration_s) : null;
    const cause = hit ? `; ${contactText(hit)}` : '';
    const problems: RunProblem[] = [
      ...(unfinished === null
        ? []
        : [{ text: `${unfinished}${cause}`, at_s: hit?.at_s ?? duration_s }]),
      ...runProblems(seen, expected, signals),
      ...(cell.objects ? await this.objectProblems(seen) : []),
    ];
    const planned = shift === null ? pathProblems(this.check) : [];
    // The plan knows no waits for inputs: where the run shows a problem, that has the time.
    const timed = problems.length > 0 ? problems : planned;
    const failed_s = timed.length === 0 ? null : Math.min(...timed.map(({ at_s }) => at_s));
    return { ...seen, problems: [...problems, ...planned].map(({ text }) => text), failed_s };
  }

  /** Events with a later id, and contacts that last from a time on; all their times are from then. */
  private async happenedSince(start_s: number, lastEvent: number, steps: StepLog) {
    const { events } = await this.arm.listCellEvents();
    const { contacts } = await this.arm.listContacts();
    return {
      events: events
        .filter(({ id }) => id > lastEvent)
        .map(({ at_s, tick, ...event }): RehearsedEvent => {
          const ticks = tick - tickOf(start_s);
          const step = steps.stepAt(ticks);
          return { ...event, at_s: timeSince(start_s, at_s), tick: ticks, step };
        }),
      contacts: contacts
        .filter(({ ended_s }) => ended_s === null || ended_s >= start_s)
        .map(({ at_s, ended_s, ...contact }): RehearsedContact => {
          // A contact may last from before the run.
          const from_s = Math.max(0, timeSince(start_s, at_s));
          const end_s = ended_s === null ? null : timeSince(start_s, ended_s);
          const step = steps.stepAt(tickOf(from_s));
          return { ...contact, at_s: from_s, ended_s: end_s, step };
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
        const cause = state === 'disabled' ? pressedText(rehearsal) : '';
        const reason = error || cause;
        return `the run ended in the state ${state}${reason ? `: ${reason}` : ''}`;
      }
    }
    return `the run did not finish within ${rehearsal.limit_s} s${await this.whereItIs(until_s)}`;
  }

  /** At which step the run is, and what it waits for; times from its start. */
  private async whereItIs(until_s: number): Promise<string> {
    const { step, waiting } = (await this.arm.getStatus()).activity ?? {};
    const at = step ? `; it is at ${step.at}` : '';
    if (!waiting) return at;
    const since_s = timeSince(until_s - this.rehearsal.limit_s, waiting.since_s);
    return `${at} and ${waitText(waiting.condition)}, since ${seconds(since_s)}`;
  }

  /** Objects that are not where they should be, each with the reason. */
  private async objectProblems({
    duration_s,
    events,
    objects,
  }: Pick<RehearsedRun, 'duration_s' | 'events' | 'objects'>) {
    const problems: RunProblem[] = [];
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
      const reason = cause ? `; ${cause.text} at ${timeText(cause.at_s, cause.step)}` : '';
      const near = within_mm === undefined ? `at ${at}` : `within ${within_mm} mm of ${at}`;
      const target = held_by === undefined ? near : `held by ${held_by}`;
      const text = `${object} is ${where}, (${place}) m, not ${target}${reason}`;
      problems.push({ text, at_s: cause?.at_s ?? duration_s });
    }
    return problems;
  }
}
