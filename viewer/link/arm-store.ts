/**
 * All that the page knows about the robot, in one value that changes by replacement. The link
 * writes it, panels read it.
 */
import type {
  LockStatus,
  SimClock,
  SimLogEvent,
  SimObstacle,
  SimTouchingEvent,
  Snapshot,
  Toolpath,
  ToolpathHead,
} from '../../contract/types.ts';

/** signed-out: a token is wanted; stale: the last word is too old to trust. */
export type LinkState = 'signed-out' | 'connecting' | 'live' | 'stale';

export type LogKind = 'done' | 'step' | 'warn' | 'fault' | 'lock' | 'io';

export interface LogEntry {
  readonly at: Date;
  readonly kind: LogKind;
  readonly text: string;
}

/** A sentence for the user about something that did not work. */
export interface Notice {
  readonly text: string;
  readonly code: string;
}

/** The toolpath that the robot holds, as far as this user may read it. */
export interface LoadedToolpath {
  readonly hash: string;
  readonly toolpath: Toolpath;
  readonly duration_s: number | null;
}

/** What the hand on a twin tells, where there is one and this user is an admin (decision D8). */
export interface SimView {
  readonly clock: SimClock;
  /** Twin seconds until the lock lapses; null while nobody holds it. */
  readonly lockLeft_s: number | null;
  readonly touches: SimTouchingEvent['touches'];
  /** Bodies that the arm was never told of; null where the driver has no simulated world. */
  readonly obstacles: readonly SimObstacle[] | null;
  /** The twin's own log, newest first. */
  readonly log: readonly SimLogEvent[];
}

export interface ArmView {
  readonly link: LinkState;
  readonly name: string;
  readonly version: string;
  readonly driver: string | null;
  readonly clock: string | null;
  /** The signed-in user, where the server says who that is. */
  readonly user_id: number | null;
  /** Counts what was heard of users: whoever lists them asks anew when it grows. */
  readonly userNews: number;
  readonly snapshot: Snapshot | null;
  readonly lock: LockStatus | null;
  /** Whether this page, not another client of the same token, took the lock. */
  readonly lockTakenHere: boolean;
  readonly toolpaths: readonly ToolpathHead[];
  readonly loaded: LoadedToolpath | null;
  readonly log: readonly LogEntry[];
  readonly notice: Notice | null;
  /** Messages a second on the stream. */
  readonly rate_hz: number;
  /** Null where there is no hand on the twin for this user: a real arm, or no admin. */
  readonly sim: SimView | null;
  /** When this page saw the run and the present loop begin (performance time); null: before it. */
  readonly runSeen_ms: number | null;
  readonly loopSeen_ms: number | null;
  /** Wall time at which the run was seen to start. */
  readonly runStarted: Date | null;
}

const EMPTY: ArmView = {
  link: 'connecting',
  name: '',
  version: '',
  driver: null,
  clock: null,
  user_id: null,
  userNews: 0,
  snapshot: null,
  lock: null,
  lockTakenHere: false,
  toolpaths: [],
  loaded: null,
  log: [],
  notice: null,
  rate_hz: 0,
  sim: null,
  runSeen_ms: null,
  loopSeen_ms: null,
  runStarted: null,
};

const LOG_MAX = 200;

export interface ArmStore {
  view(): ArmView;
  set(patch: Partial<ArmView>): void;
  log(entries: readonly LogEntry[]): void;
  /** Calls back after every change; changes within one turn come as several calls. */
  subscribe(listener: (view: ArmView, before: ArmView) => void): void;
}

/** An empty store. */
export function createArmStore(): ArmStore {
  let view = EMPTY;
  const listeners: ((view: ArmView, before: ArmView) => void)[] = [];
  function set(patch: Partial<ArmView>): void {
    const before = view;
    view = { ...view, ...patch };
    for (const listener of listeners) listener(view, before);
  }
  return {
    view: () => view,
    set,
    log(entries) {
      if (entries.length > 0)
        set({ log: [...[...entries].reverse(), ...view.log].slice(0, LOG_MAX) });
    },
    subscribe: (listener) => void listeners.push(listener),
  };
}

/** True in the states in which the arm may be moving or is about to. */
export function isUnderWay(snapshot: Snapshot | null): boolean {
  const state = snapshot?.control.state;
  return state === 'running' || state === 'stopping' || state === 'paused';
}
