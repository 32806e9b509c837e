/**
 * The package's main entry point: a twin for tests. `createTwin()` resolves when the twin is ready,
 * by default on a free port, in memory, on a stepped clock: time passes only by `advance`.
 */
import { TICK_S } from '../bridge/arm-driver.ts';
import type { Problem, Refusal } from '../contract/refusal.ts';
import { ROBOT_STATES, type RobotState } from '../contract/robot-states.ts';
import type { CellEvent, CellObjectState } from '../contract/types.ts';
import { objectState } from '../physics/cell/cell-events.ts';
import { faultTexts } from '../physics/cell/cell-faults.ts';
import { placeNames } from '../physics/cell/cell-model.ts';
import { goalProblems, type ObjectGoal } from '../physics/cell/object-goal.ts';
import { startTwin } from './app/app.ts';
import type { Config } from './cli/config.ts';
import { nearestWord, startupErrorText } from './cli/output.ts';
import { configOf, optionText } from './cli/twin-options.ts';
import { tickOf } from './clock/twin-time.ts';
import type { Command } from './robot/commands.ts';
import type { SnapshotSections } from './robot/robot.ts';

/** The options of a twin, in the groups of `Config`; each has a default (D41). */
export interface TwinOptions
  extends Partial<Omit<Config, 'pace' | 'upstream' | 'plansInline' | 'showsCredentials'>> {
  /**
   * How twin time passes: `stepped` (default on a simulated arm) by `advance` alone, `max` as fast
   * as possible, or a multiple of real time.
   */
  readonly clock?: 'stepped' | 'max' | number;
}

/** An object of the cell now. */
export interface TwinObject extends CellObjectState {
  readonly events: readonly CellEvent[];
  /** Injected faults of the object and of the parts of the cell, in sentences. */
  readonly faults: readonly string[];
  /** Where objects of its cell can rest: nests, fixtures, conveyors, objects and the floor. */
  readonly places: readonly string[];
  /** The grippers of its cell. */
  readonly grippers: readonly string[];
  /** Distance from a nest (m); null for an unknown nest. */
  readonly distanceFrom_m: (nest: string) => number | null;
  /** Why it can never be at a goal, such as one with a name that the cell does not have. */
  readonly goalProblems: (goal: Omit<ObjectGoal, 'object'>) => readonly Problem[];
  /** Whether it rests on a fixture, conveyor or object, or in one of its nests. */
  readonly isOn: (place: string) => boolean;
}

export interface Twin {
  /** Base URL, e.g. http://127.0.0.1:40123. */
  readonly url: string;
  readonly port: number;
  /** API token of the first admin. */
  readonly token: string;
  /** Address of the live connection for Foxglove, without `?token=`; null without the option. */
  readonly foxgloveUrl: string | null;
  /** Seconds of the twin's time since its start. */
  now_s(): number;
  /** Advances twin time (s); resolves when it has passed. */
  advance(seconds: number): Promise<void>;
  /** Advances time until the robot is in a state, at most `limit_s` (s); returns whether it is. */
  until(state: RobotState, limit_s: number): Promise<boolean>;
  /**
   * Calls back at a twin time (s since its start), between two ticks; for a time that has passed,
   * when the clock advances next. The clock does not wait for a promise that the callback returns.
   */
  at(seconds: number, callback: () => void): void;
  /** The robot's snapshot, without HTTP. */
  snapshot(): SnapshotSections;
  /** An object of the cell with its events, or null for an unknown one. */
  cellObject(name: string): TwinObject | null;
  /** Applies a command immediately, e.g. an emergency stop. */
  apply(command: Command): Refusal | null;
  /** Digest of the run so far: equal for equal commands by tick at every pace. */
  digest(): string;
  /** Ends the twin: connections, threads and files. Further calls of `close` do nothing. */
  close(): Promise<void>;
}

/** Ticks of a duration (s); throws when it is not one. */
function ticksOf(what: string, duration_s: number): number {
  if (typeof duration_s === 'number' && Number.isFinite(duration_s) && duration_s >= 0) {
    return tickOf(duration_s);
  }
  throw new TypeError(`${what} needs a number of seconds, at least 0, not ${String(duration_s)}`);
}

/** Throws for a word that is no state: waiting for it would not end before the limit. */
function requireState(wanted: string): void {
  const states: readonly string[] = ROBOT_STATES;
  if (states.includes(wanted)) return;
  const near = nearestWord(wanted, states);
  const hint = near === null ? `there are ${states.join(', ')}` : `did you mean ${near}?`;
  throw new TypeError(`until: ${wanted} is no state of the robot; ${hint}`);
}

/** Starts a twin; resolves when it is ready for commands. Close it after the test. */
export async function createTwin(options: TwinOptions = {}): Promise<Twin> {
  const config = configOf(options);
  const running = await startTwin(config).catch((cause: unknown) => {
    throw new Error(`createTwin: ${optionText(startupErrorText(cause))}`, { cause });
  });
  const state = () => running.robot.memory.state;
  let isClosed = false;
  const advance = async (ticks: number, until?: () => boolean) => {
    if (isClosed) throw new Error('The twin is closed; create another with createTwin()');
    await running.clock.advance(ticks, until);
    const failure = running.world?.cell?.failure ?? null;
    if (failure !== null) throw new Error(`The clock stands: ${failure}`);
  };
  return {
    url: running.url,
    port: running.port,
    token: config.token ?? running.generatedCredentials?.token ?? '',
    foxgloveUrl: running.foxgloveUrl,
    now_s: () => running.loop.tick * TICK_S,
    advance: async (seconds) => advance(ticksOf('advance', seconds)),
    async until(wanted, limit_s) {
      requireState(wanted);
      const ticks = ticksOf('until', limit_s);
      if (state() !== wanted) await advance(ticks, () => state() === wanted);
      return state() === wanted;
    },
    at: (seconds, callback) => void running.timers.at(ticksOf('at', seconds), callback),
    snapshot: () => running.robot.snapshot(),
    cellObject(name) {
      const { cell = null } = running.world ?? {};
      const i = cell?.model.bodies.findIndex((body) => body.name === name) ?? -1;
      if (!cell || i < 0) return null;
      const events = cell.events.list().filter(({ object }) => object === name);
      const distanceFrom_m = (nest: string) => cell.places.distanceFrom(nest, i);
      const faults = faultTexts(cell, i);
      const places = placeNames(cell.model.description);
      const grippers = cell.grippers.map((one) => one.name);
      return {
        ...objectState(cell, i),
        events,
        faults,
        places,
        grippers,
        distanceFrom_m,
        goalProblems: (goal) => goalProblems(cell.model.description, { ...goal, object: name }),
        isOn: (place) => cell.places.isOn(place, i),
      };
    },
    apply: (command) => running.loop.apply(command),
    digest: () => running.digest.value(),
    close() {
      isClosed = true;
      return running.close();
    },
  };
}
