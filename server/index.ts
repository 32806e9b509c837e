/**
 * The package's main entry point: a twin for tests. `createTwin()` resolves when the twin is ready,
 * by default on a free port, in memory, on a stepped clock: time passes only by `advance`.
 */
import { TICK_S } from '../bridge/arm-driver.ts';
import type { Problem } from '../contract/problem.ts';
import type { Refusal } from '../contract/refusal.ts';
import { ROBOT_STATES, type RobotState } from '../contract/robot-states.ts';
import type {
  CellEvent,
  CellObjectState,
  RobotEvent,
  Snapshot,
} from '../contract/types.generated.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../physics/arm/arm-model.ts';
import { placeNames } from '../physics/cell/cell-model.ts';
import { objectState } from '../physics/cell/cell-state.ts';
import { faultTexts } from '../physics/cell/fault-texts.ts';
import { goalProblems, type ObjectGoal } from '../physics/cell/object-goal.ts';
import { type RunningTwin, startTwin } from './app/app.ts';
import type { Config } from './cli/config.ts';
import { nearestWord } from './cli/nearest-word.ts';
import { startupErrorText } from './cli/startup-errors.ts';
import { configOf, optionText } from './cli/twin-options.ts';
import { CallbackError } from './clock/callback-error.ts';
import { tickOf } from './clock/twin-time.ts';
import type { Cancel } from './clock/wall-clock.ts';
import { commandProblem } from './robot/applied-commands.ts';
import type { Command } from './robot/commands.ts';

export type { Refusal } from '../contract/refusal.ts';
export type { RobotState } from '../contract/robot-states.ts';
export type { RobotEvent, Snapshot } from '../contract/types.generated.ts';
export { OptionError } from './cli/option-error.ts';
export type { Command } from './robot/commands.ts';

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
  /** The gripper that carries it: it stands on what that holds, or on what that carries; or null. */
  readonly carriedBy: string | null;
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

/** The ranges of the joints, J1 to J6 (rad). */
export const JOINT_LIMITS: {
  readonly min_rad: readonly number[];
  readonly max_rad: readonly number[];
} = { min_rad: Array.from(JOINT_MIN_RAD), max_rad: Array.from(JOINT_MAX_RAD) };

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
  /**
   * Advances twin time (s); resolves when it has passed, or when a reset sets the time back.
   * Rejects with what a callback of `at` threw, and when the twin closes before.
   */
  advance(seconds: number): Promise<void>;
  /**
   * Advances time until the robot is in a state, at most `limit_s` (s); returns whether it is.
   * Rejects as `advance`.
   */
  until(state: RobotState, limit_s: number): Promise<boolean>;
  /**
   * Calls back at a twin time (s since its start), between two ticks; for a time that has passed,
   * when the clock advances next. What the callback throws ends the `advance`, `until` or HTTP call
   * that advances the clock; at other times it is an uncaughtException of the process. A reset of
   * the state and a restored snapshot drop the callbacks that wait. The clock waits for no promise,
   * so the type refuses callbacks that return one.
   */
  at<Returned>(seconds: number, callback: (() => Returned) & Synchronous<Returned>): void;
  /** The robot's snapshot, without HTTP. */
  snapshot(): Snapshot;
  /**
   * The arm's events from now on, as the first admin receives them, without HTTP: the list grows
   * with each event, at once, and needs no session that could end.
   */
  listen(): readonly RobotEvent[];
  /** An object of the cell with its events, or null for an unknown one. */
  cellObject(name: string): TwinObject | null;
  /** Applies a command immediately, e.g. an emergency stop. */
  apply(command: Command): Refusal | null;
  /**
   * Digest of the run up to the present tick: at the same tick, equal for equal commands by tick at
   * every pace.
   */
  digest(): string;
  /** Ends the twin: connections, threads and files. Every other call throws from then on. */
  close(): Promise<void>;
}

/** Refuses what returns a promise, which the clock would not wait for. */
type Synchronous<Returned> = [Returned] extends [never]
  ? unknown
  : Returned extends PromiseLike<unknown>
    ? never
    : unknown;

/** Ticks of a duration (s); throws when it is not one. */
function ticksOf(what: string, duration_s: number): number {
  if (typeof duration_s === 'number' && Number.isFinite(duration_s) && duration_s >= 0) {
    return tickOf(duration_s);
  }
  throw new TypeError(`${what} needs a number of seconds, at least 0, not ${String(duration_s)}`);
}

/** Throws for a word that is no state: waiting for it would not end before the limit. */
function requireState(wanted: unknown): asserts wanted is RobotState {
  const states: readonly unknown[] = ROBOT_STATES;
  if (states.includes(wanted)) return;
  const near = nearestWord(String(wanted), ROBOT_STATES);
  const hint = near === null ? `there are ${states.join(', ')}` : `did you mean ${near}?`;
  throw new TypeError(`until: ${String(wanted)} is no state of the robot; ${hint}`);
}

/** An object of the cell of a twin now. */
function objectNamed({ world }: RunningTwin, name: string): TwinObject | null {
  const { cell = null } = world ?? {};
  const i = cell?.model.bodies.findIndex((body) => body.name === name) ?? -1;
  if (!cell || i < 0) return null;
  const { description } = cell.model;
  return {
    ...objectState(cell, i),
    events: cell.events.list().filter(({ object }) => object === name),
    faults: faultTexts(cell, i),
    carriedBy: cell.grippers[cell.carried.gripperOf(i)]?.name ?? null,
    places: placeNames(description),
    grippers: cell.grippers.map((one) => one.name),
    distanceFrom_m: (nest) => cell.places.distanceFrom(nest, i),
    goalProblems: (goal) => goalProblems(description, { ...goal, object: name }),
    isOn: (place) => cell.places.isOn(place, i),
  };
}

/** The callbacks of `Twin.at` that wait for their time. */
class Callbacks {
  private readonly running: RunningTwin;
  private readonly waiting = new Set<Cancel>();

  constructor(running: RunningTwin) {
    this.running = running;
    // They belong to the time before.
    running.loop.subscribe({ onRestore: () => this.drop() });
  }

  /** Calls back at a time (s). */
  at(seconds: number, callback: () => unknown): void {
    const tick = ticksOf('at', seconds);
    if (typeof callback !== 'function') {
      throw new TypeError(`at needs a function to call, not ${String(callback)}`);
    }
    const cancel = this.running.timers.at(tick, () => {
      this.waiting.delete(cancel);
      const fail = (cause: unknown) =>
        this.running.clock.fail(new CallbackError(`The callback of twin.at(${seconds})`, cause));
      try {
        // Plain JavaScript may give an async function; only its rejection is heard.
        Promise.resolve(callback()).catch(fail);
      } catch (error) {
        fail(error);
      }
    });
    this.waiting.add(cancel);
  }

  /** Drops those that wait. */
  private drop(): void {
    for (const cancel of this.waiting) cancel();
    this.waiting.clear();
  }
}

/** Advances the clock of a running twin; rejects with what a callback threw. */
async function advanceClock(
  { clock, world }: RunningTwin,
  ticks: number,
  until?: () => boolean,
): Promise<void> {
  await clock.advance(ticks, until).catch((error: unknown) => {
    throw error instanceof CallbackError ? error.cause : error;
  });
  const failure = world?.cell?.failure ?? null;
  if (failure !== null) throw new Error(`The clock stands: ${failure}`);
}

/** Starts a twin; resolves when it is ready for commands. Close it after the test. */
export async function createTwin(options: TwinOptions = {}): Promise<Twin> {
  const config = configOf(options);
  const running = await startTwin(config).catch((cause: unknown) => {
    throw new Error(`createTwin: ${optionText(startupErrorText(cause))}`, { cause });
  });
  const callbacks = new Callbacks(running);
  let closing: Promise<void> | null = null;
  /** The running twin; throws once it is closed. */
  const open = (): RunningTwin => {
    if (closing === null) return running;
    throw new Error('The twin is closed; create another with createTwin()');
  };
  const advance = async (ticks: number, until?: () => boolean) => {
    await advanceClock(open(), ticks, until);
    // Closing ends what is in progress.
    open();
  };
  return {
    url: running.url,
    port: running.port,
    token: config.token ?? running.generatedCredentials?.token ?? '',
    foxgloveUrl: running.foxgloveUrl,
    now_s: () => open().loop.tick * TICK_S,
    advance: async (seconds) => advance(ticksOf('advance', seconds)),
    async until(wanted, limit_s) {
      open();
      requireState(wanted);
      const ticks = ticksOf('until', limit_s);
      const isReached = () => running.robot.memory.state === wanted;
      if (!isReached()) await advance(ticks, isReached);
      return isReached();
    },
    at(seconds, callback) {
      open();
      callbacks.at(seconds, callback);
    },
    snapshot: () => open().robot.snapshot() as Partial<Snapshot> as Snapshot,
    listen: () => open().listen(),
    cellObject: (name) => objectNamed(open(), name),
    apply(command) {
      const { loop } = open();
      const problem = commandProblem(command);
      if (problem !== null) throw new TypeError(`apply: ${problem}`);
      return loop.apply(command);
    },
    digest: () => open().digest.value(),
    close() {
      closing ??= running.close();
      return closing;
    },
  };
}
