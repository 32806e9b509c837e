/**
 * The page's state of the robot as one immutable value that is replaced on change, how changes
 * from the stream are merged into it, and the robot's events as text. The live link and the
 * simulation link write it; panels read it.
 */
import type {
  ArmProfile,
  Cell,
  CellEvent,
  CellState,
  ContactsReply,
  LockStatus,
  RobotEvent,
  SimClock,
  SimFault,
  SimLogEvent,
  SimObstacle,
  SimStatus,
  SimTouchingEvent,
  Snapshot,
  SnapshotChanges,
  Toolpath,
  ToolpathHead,
} from '../../contract/types.ts';
import type { ArmRange } from '../../physics/arm/arm-model.ts';
import type { KeptRun } from '../toolpath/run-log.ts';

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
  /** Loads it into the robot; false, with a notice, if that was refused. */
  load(): Promise<boolean>;
}

/** The cell around the arm; replaced as a whole, its state merged from the stream. */
export interface CellView {
  readonly description: Cell;
  readonly state: CellState;
  /** What happened in it since this page is open, newest first. */
  readonly events: readonly CellEvent[];
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
  readonly touches: SimTouchingEvent['touches'];
  /** Obstacles in the simulated world; null if the driver has none. */
  readonly obstacles: readonly SimObstacle[] | null;
  /** Null without a cell, and until the first reply. */
  readonly cell: CellView | null;
  /** Whether the cell, or that there is none, is known. */
  readonly isCellKnown: boolean;
  /** The profile of an arm by which the twin moves; null for that of the model. */
  readonly profile: ArmProfile | null;
  /** The range of the joints, where that of a real arm is narrower than the model's; else null. */
  readonly jointRange: ArmRange | null;
  /** When each toolpath was saved last, by id, in UTC; null until the first reply. */
  readonly modified: ReadonlyMap<number, string> | null;
  /** The twin log, newest first. */
  readonly log: readonly SimLogEvent[];
}

/** The workflow run of this user that holds the robot lock and moves the arm. */
export interface WorkflowHold {
  readonly run_id: number;
  readonly name: string;
  /** Why its next task has not started; empty if nothing waits. */
  readonly waiting: string;
}

export interface ArmView {
  readonly link: LinkState;
  readonly name: string;
  readonly version: string;
  readonly driver: string | null;
  readonly clock: string | null;
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
  /** When this page saw the run and the current loop start (performance time); null: not seen. */
  readonly runStarted_ms: number | null;
  readonly loopStarted_ms: number | null;
  /** Since when this page sees the motion paused; null while it is not. */
  readonly pausedSince_ms: number | null;
  /** Wall time at which this page saw the run start. */
  readonly runStartedAt: Date | null;
  /** The runs that this browser keeps, newest first; null until they are read. */
  readonly runs: readonly KeptRun[] | null;
}

const EMPTY: ArmView = {
  link: 'connecting',
  name: '',
  version: '',
  driver: null,
  clock: null,
  user_id: null,
  usersRevision: 0,
  snapshot: null,
  lock: null,
  workflow: null,
  lockHeldHere: false,
  toolpaths: [],
  isListed: false,
  loaded: null,
  shown: null,
  log: [],
  notice: null,
  rate_hz: 0,
  sim: null,
  runStarted_ms: null,
  loopStarted_ms: null,
  pausedSince_ms: null,
  runStartedAt: null,
  runs: null,
};

const LOG_MAX = 200;

export interface ArmStore {
  view(): ArmView;
  set(patch: Partial<ArmView>): void;
  log(entries: readonly LogEntry[]): void;
  /** Calls back after every change; changes are not batched. */
  subscribe(listener: (view: ArmView, before: ArmView) => void): void;
}

/** Creates an empty store. */
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

/** Names of the doors that are open and engage the emergency stop. */
export function stoppingDoors({ sim }: ArmView): readonly string[] {
  const { description, state } = sim?.cell ?? {};
  const open = new Set(state?.controls.filter(({ active }) => active).map(({ name }) => name));
  const controls = description?.controls ?? [];
  const doors = controls.filter((one) => one.kind === 'door' && one.stops !== false);
  return doors.map(({ name }) => name).filter((name) => open.has(name));
}

/** "Door “front” is open"; empty while no door engages the emergency stop. */
export function doorStopText(view: ArmView): string {
  const names = stoppingDoors(view).map((name) => `“${name}”`);
  if (names.length < 2) return names.length === 0 ? '' : `Door ${names[0]} is open`;
  return `Doors ${names.slice(0, -1).join(', ')} and ${names.at(-1)} are open`;
}

/** Why the page cannot release the emergency stop; empty while it can, or none is engaged. */
export function outsideStopText(view: ArmView): string {
  if (view.sim?.status?.emergency_stop !== 'wired') return '';
  const doors = doorStopText(view);
  if (doors) return `${doors}: close ${stoppingDoors(view).length > 1 ? 'them' : 'it'} first`;
  return 'The emergency stop at the arm is pressed: release it there';
}

/** True in the states in which a motion is active or paused. */
export function isMotionActive(snapshot: Snapshot | null): boolean {
  const state = snapshot?.control.state;
  return state === 'running' || state === 'stopping' || state === 'paused';
}

interface ConditionStep {
  readonly type?: unknown;
  readonly condition?: { readonly type?: unknown };
}

/** Signals decide where a toolpath branches on them, or waits for them. */
function dependsOnSignals(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  const { type, condition } = value as ConditionStep;
  if (type === 'if' || (type === 'wait' && condition?.type !== 'time')) return true;
  return Object.values(value).some(dependsOnSignals);
}

const openEnded = new WeakMap<Toolpath, boolean>();

/** Whether the duration of a toolpath depends on signals; found out once for each. */
export function isOpenEnded(toolpath: Toolpath): boolean {
  const before = openEnded.get(toolpath);
  if (before !== undefined) return before;
  const { timeline, routines = [] } = toolpath;
  const found = dependsOnSignals([timeline, routines]);
  openEnded.set(toolpath, found);
  return found;
}

const POSITION = 'servos.telemetry.position';
const TEMPERATURE = 'servos.telemetry.temperature';
const VELOCITY = 'servos.telemetry.velocity';

/** Merges the changes of a state_change event (§6.1): replaces arrays, merges objects by key. */
export function mergeChanges(old: Snapshot, changes: SnapshotChanges): Snapshot {
  return {
    collision_detection: { ...old.collision_detection, ...changes.collision_detection },
    control: { ...old.control, ...changes.control },
    global: { ...old.global, ...changes.global },
    'global.inputs': { ...old['global.inputs'], ...changes['global.inputs'] },
    'global.outputs': { ...old['global.outputs'], ...changes['global.outputs'] },
    scheduler: { ...old.scheduler, ...changes.scheduler },
    [POSITION]: changes[POSITION] ?? old[POSITION],
    [TEMPERATURE]: changes[TEMPERATURE] ?? old[TEMPERATURE],
    [VELOCITY]: changes[VELOCITY] ?? old[VELOCITY],
  };
}

/** An event of the list: its kind and its text. */
export interface EventText {
  readonly kind: LogKind;
  readonly text: string;
}

const STATES: Record<Snapshot['control']['state'], EventText> = {
  ready: { kind: 'done', text: 'Ready' },
  running: { kind: 'step', text: 'Running' },
  paused: { kind: 'warn', text: 'Paused' },
  stopping: { kind: 'step', text: 'Stopping after this loop' },
  error: { kind: 'fault', text: 'Error: motion stopped' },
  collision: { kind: 'fault', text: 'Collision: motion stopped' },
  disabled: { kind: 'fault', text: 'Disabled: the emergency stop is engaged' },
  backdriving: { kind: 'step', text: 'Backdriving' },
  updating: { kind: 'step', text: 'Updating' },
  shutting_down: { kind: 'warn', text: 'Shutting down' },
};

const OUTPUTS = [
  ['d0', 'Base output 0'],
  ['d1', 'Base output 1'],
  ['d2', 'Base output 2'],
  ['d3', 'Base output 3'],
  ['ee_d0', 'Tool output 0'],
  ['ee_d1', 'Tool output 1'],
] as const;

/** A recorded change such as "outputs.ee_d0 true" in words; others stay as they are. */
export function signalText(change: string): string {
  const found = /^(in|out)puts\.(ee_)?([da])(\d) (.+)$/.exec(change);
  if (!found) return change;
  const [, direction, tool, type, index, value] = found;
  const name = `${tool ? 'Tool' : 'Base'} ${type === 'a' ? 'analog ' : ''}${direction}put ${index}`;
  const state = { true: 'on', false: 'off' }[value!];
  return state ? `${name} ${state}` : `${name} at ${value}`;
}

function controlEventTexts(old: Snapshot, now: Snapshot): EventText[] {
  const a = old.control;
  const b = now.control;
  const texts: EventText[] = [];
  if (a.toolpath_hash !== b.toolpath_hash && b.toolpath_hash) {
    texts.push({ kind: 'done', text: `${b.toolpath_name || 'Toolpath'} loaded` });
  }
  const sameRun = a.state === b.state || b.state === 'ready';
  if (b.loop_count === a.loop_count + 1 && sameRun) {
    texts.push({ kind: 'done', text: `Loop ${b.loop_count} finished` });
  }
  if (a.state !== b.state) texts.push(STATES[b.state]);
  return texts;
}

/** One text per change; telemetry and analog values are ignored. */
export function snapshotEventTexts(old: Snapshot, now: Snapshot): EventText[] {
  const texts = controlEventTexts(old, now);
  const before = old['global.outputs'];
  const after = now['global.outputs'];
  for (const [key, name] of OUTPUTS) {
    if (before[key] === after[key]) continue;
    texts.push({ kind: 'io', text: `${name} ${after[key] ? 'on' : 'off'}` });
  }
  if (old.global.estop !== now.global.estop) {
    const text = now.global.estop ? 'Emergency stop engaged' : 'Emergency stop released';
    texts.push({ kind: now.global.estop ? 'fault' : 'done', text });
  }
  return texts;
}

const OWNERS = { you: 'you', admin: 'an admin', user: 'another user', none: 'no one' } as const;

/** The holder of the lock as text. */
export function lockOwnerText(lock: LockStatus): string {
  return OWNERS[lock.owner];
}

/** The text of an event other than state_change; null if the list does not show it. */
export function eventText(event: RobotEvent): EventText | null {
  switch (event.type) {
    case 'lock_status': {
      const free = event.lock.status === 'unlocked';
      return {
        kind: 'lock',
        text: free ? 'Lock released' : `Lock acquired by ${lockOwnerText(event.lock)}`,
      };
    }
    case 'toolpath_created':
      return { kind: 'done', text: `${event.toolpath.name} saved` };
    case 'toolpath_updated':
      return { kind: 'done', text: `${event.toolpath.name} changed` };
    case 'toolpath_deleted':
      return { kind: 'step', text: `${event.toolpath.name} deleted` };
    case 'toolpath_shared':
      return { kind: 'step', text: `${event.toolpath.name} shared with you` };
    case 'config_change':
    case 'update_in_progress':
      return { kind: 'step', text: event.message };
    default:
      return null;
  }
}
