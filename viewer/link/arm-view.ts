/** What the page knows of the robot, as one immutable value. */
import type {
  ArmProfile,
  CellPathCheck,
  ContactsReply,
  LockStatus,
  SimClock,
  SimFault,
  SimLogEvent,
  SimObstacle,
  SimStatus,
  SimTouchingEvent,
  Snapshot,
  Toolpath,
  ToolpathHead,
} from '../../contract/types.generated.ts';
import type { ArmRange } from '../../physics/arm/arm-range.ts';
import type { CellView } from './cell-view.ts';
import type { KeptRun } from './kept-run.ts';

/** signed-out: credentials are required; stale: the newest message is too old. */
export type LinkState = 'signed-out' | 'connecting' | 'live' | 'stale';

export type LogKind = 'done' | 'step' | 'warn' | 'fault' | 'lock' | 'io';

export interface LogEntry {
  readonly at: Date;
  readonly kind: LogKind;
  readonly text: string;
}

/** A message to the user about a failed action. */
export interface Notice {
  readonly text: string;
  readonly code: string;
}

/** The toolpath loaded in the robot, if this user may read it. */
export interface LoadedToolpathView {
  readonly hash: string;
  readonly toolpath: Toolpath;
  readonly duration_s: number | null;
}

/** The toolpath on the screen of a page that shows one; it need not be the loaded one. */
export interface ShownToolpath {
  readonly name: string;
  /** Content hash, comparable with `control.toolpath_hash`. */
  readonly hash: string;
  readonly unsaved: boolean;
  readonly toolpath?: Toolpath;
  /** Why it cannot be loaded; empty if it can. */
  readonly problem: string;
  /** Whether it is the replay of a run, which is not meant to run. */
  readonly isReplay?: boolean;
  /** Whether it is being checked, which mostly takes a moment. */
  readonly isChecking?: boolean;
  /** Loads it into the robot; false, with a notice, if that was refused. */
  load(): Promise<boolean>;
}

/** State from the simulation control API, which only admins of a simulated arm may use (D8). */
export interface SimView {
  readonly clock: SimClock;
  /** State, cause and progress; null until the first reply. */
  readonly status: SimStatus | null;
  /** The injected faults. */
  readonly faults: readonly SimFault[];
  /** The contacts, oldest first, beside force limits; null until the first reply. */
  readonly contacts: ContactsReply | null;
  /** Twin seconds until the lock expires; null while it is free. */
  readonly lockLeft_s: number | null;
  /** The user whose token holds the lock; null while it is free. */
  readonly lockHolder: number | null;
  readonly touches: SimTouchingEvent['touches'];
  /** Obstacles in the simulated world; null if the driver has none. */
  readonly obstacles: readonly SimObstacle[] | null;
  /** Null without a cell, and until the first reply. */
  readonly cell: CellView | null;
  /** Whether the cell, or that there is none, is known. */
  readonly isCellKnown: boolean;
  /** What the loaded toolpath meets in the cell; null where it is not known. */
  readonly cellCheck: CellPathCheck | null;
  /** The profile of an arm by which the twin moves; null for that of the model. */
  readonly profile: ArmProfile | null;
  /** The range of the joints, where that of a real arm is narrower than the model's; else null. */
  readonly jointRange: ArmRange | null;
  /** When each toolpath was saved last, by id, in UTC; null until the first reply. */
  readonly modified: ReadonlyMap<number, string> | null;
  /** The twin log, newest first. */
  readonly log: readonly SimLogEvent[];
}

/** The state of the robot with its cause, and what the arm touched; null where that is not known. */
export interface StopCause {
  readonly status: SimStatus;
  readonly contacts: ContactsReply | null;
}

/** The workflow run of this user that holds the robot lock and moves the arm. */
export interface WorkflowHold {
  readonly run_id: number;
  readonly name: string;
  /** Why its next task has not started; empty if nothing waits. */
  readonly waiting: string;
}

/** A moment of the past that the page has heard. */
export interface LookedBack {
  /** Time of the arm (ms). */
  readonly at_ms: number;
  /** Where it was then (rad), or was seen last before. */
  readonly joints: Float64Array;
  /** Whether the page has heard of the arm then. */
  readonly isKnown: boolean;
}

export interface ArmView {
  readonly link: LinkState;
  readonly name: string;
  readonly version: string;
  readonly driver: string | null;
  readonly clock: string | null;
  /** Whether what is saved ends with the server, which has no data folder. */
  readonly isInMemory: boolean;
  /** The signed-in user; null if the server does not report it. */
  readonly user_id: number | null;
  /** Counts the user events; pages that list users refresh when it grows. */
  readonly usersRevision: number;
  readonly snapshot: Snapshot | null;
  readonly lock: LockStatus | null;
  /** Null while no workflow run of this user has the arm. */
  readonly workflow: WorkflowHold | null;
  /** Whether this page acquired the lock, not another client with the same token. */
  readonly lockHeldHere: boolean;
  readonly toolpaths: readonly ToolpathHead[];
  /** Whether the list of toolpaths is read; before that nothing is known of it. */
  readonly isListed: boolean;
  readonly loaded: LoadedToolpathView | null;
  /** Null on pages that show the robot's own toolpath, or none. */
  readonly shown: ShownToolpath | null;
  readonly log: readonly LogEntry[];
  readonly notice: Notice | null;
  /** Messages a second on the stream. */
  readonly rate_hz: number;
  /** Null if this user has no simulation control API: a real arm, or not an admin. */
  readonly sim: SimView | null;
  /** Why the robot has stopped, for users without simulation control; null while it has not. */
  readonly cause: StopCause | null;
  /** When this page saw the run and the current loop start (performance time); null: not seen. */
  readonly runStarted_ms: number | null;
  readonly loopStarted_ms: number | null;
  /** Since when this page sees the motion paused; null while it is not. */
  readonly pausedSince_ms: number | null;
  /** Wall time at which this page saw the run start. */
  readonly runStartedAt: Date | null;
  /** The moment of the past that the Live page looks at; null while that is now. */
  readonly lookBack: LookedBack | null;
  /** The runs that this browser keeps, newest first; null until they are read. */
  readonly runs: readonly KeptRun[] | null;
}

/** True in the states in which a motion is active or paused. */
export function isMotionActive(snapshot: Snapshot | null): boolean {
  const state = snapshot?.control.state;
  return state === 'running' || state === 'stopping' || state === 'paused';
}
