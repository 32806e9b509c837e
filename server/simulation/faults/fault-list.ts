/**
 * Injected faults: the list of active faults, and the rules by which the fault-injecting parts of
 * the twin look them up. A fault that this twin cannot produce is refused. Also: the services that
 * inject faults.
 */
import { limits } from '../../../contract/limits.ts';
import { type Refusal, refuseLimitReached } from '../../../contract/refusal.ts';
import type { AddFaultBody, SimFault } from '../../../contract/types.ts';
import type { TimeProfile } from '../../../physics/motion/jerk-phases.ts';
import type { GoToRequest, GoToResult } from '../../../physics/toolpath/plan-segment.ts';
import { type WallClock, waitUnreferenced } from '../../clock/clock.ts';
import type { ToolpathText } from '../../documents/document-tasks.ts';
import type { PlanError } from '../../planning/plan-tasks.ts';
import type { BuiltTrajectory, LoadedPlan, LoadRequest, Planner } from '../../planning/planner.ts';
import type { ToolpathTask } from '../../robot/commands.ts';
import type { PausedMotion } from '../../robot/trajectory-player.ts';
import { StorageError } from '../../store/disk.ts';
import { Hub, type HubOptions, type StreamMessage } from '../../stream/hub.ts';
import { Updates, type UpdatesParts } from '../../updates/updates.ts';

type FaultRefusal = Refusal<'invalid_arguments' | 'not_supported'>;

export type FaultKind = AddFaultBody['kind'];
export type FaultBody<Kind extends FaultKind> = Extract<AddFaultBody, { kind: Kind }>;

/** Callbacks from an active fault to the list. */
export interface FaultReporter {
  /** Counts one effect of the fault. */
  readonly applied: () => void;
  /** Removes the fault from the list. */
  readonly expired: () => void;
}

/** Activates a fault; returns the function that ends it, or a refusal. */
export type FaultProducer<Kind extends FaultKind> = (
  fault: FaultBody<Kind>,
  reporter: FaultReporter,
) => (() => void) | FaultRefusal;

export type FaultProducers = { readonly [Kind in FaultKind]: FaultProducer<Kind> };

/** A delay in wall time (s), or a dropped message. */
export type MessageFault = { readonly delay_s: number } | 'drop';

interface PlannerFault {
  /** Additional wall time (s). */
  readonly delay_s: number;
  readonly fails: boolean;
}

/** Which events a fault affects, and how. */
export interface FaultRule<Event, Effect> {
  readonly matches: (event: Event) => boolean;
  readonly effect: Effect;
  /** Number of effects before the fault expires; undefined: no limit. */
  readonly times?: number | undefined;
}

interface ActiveRule<Event, Effect> extends FaultRule<Event, Effect> {
  readonly reporter: FaultReporter;
  remaining: number;
}

/** Rules of the active faults of one event type; the first rule that matches applies. */
export class FaultRules<Event, Effect> {
  private rules: ActiveRule<Event, Effect>[] = [];

  /** Adds a rule; returns the function that removes it. */
  add(rule: FaultRule<Event, Effect>, reporter: FaultReporter): () => void {
    const entry = { ...rule, reporter, remaining: rule.times ?? Number.POSITIVE_INFINITY };
    this.rules.push(entry);
    return () => {
      this.rules = this.rules.filter((other) => other !== entry);
    };
  }

  /** The effect of an active fault on an event, or null. */
  match(event: Event): Effect | null {
    const rule = this.rules.find(({ matches }) => matches(event));
    if (!rule) return null;
    rule.remaining -= 1;
    rule.reporter.applied();
    if (rule.remaining <= 0) rule.reporter.expired();
    return rule.effect;
  }
}

/**
 * Rules of the fault-injecting parts. Exists only where the simulation control API is on and the
 * arm is simulated; otherwise the plain parts are composed (docs/architecture.md).
 */
export class InjectedFaults {
  /** Messages of the arm's stream, by type. */
  readonly messages = new FaultRules<string, MessageFault>();
  readonly plans = new FaultRules<null, PlannerFault>();
  readonly installations = new FaultRules<null, 'fails'>();
  readonly saves = new FaultRules<null, 'disk full'>();

  /** Called by the store before each write. */
  readonly beforeCommit = () => {
    const isFull = this.saves.match(null) !== null;
    if (isFull) throw new StorageError('No space is left on the disk');
  };
}

interface ActiveFault {
  readonly id: number;
  readonly fault: AddFaultBody;
  applied_count: number;
  end: () => void;
}

/** The fault kinds of parts of the cell, each named like its part. */
export const CELL_PARTS = ['gripper', 'object', 'sensor', 'conveyor'] as const;

function isOfCell({ kind }: AddFaultBody): boolean {
  return CELL_PARTS.some((part) => part === kind);
}

/** The part of arm or cell on which a fault acts, of which it can have only one; null: no such. */
function targetOf(fault: AddFaultBody): string | null {
  if (fault.kind === 'driver') return `joint ${fault.joint}`;
  if (fault.kind === 'gripper') return `gripper ${fault.gripper}`;
  if (fault.kind === 'object') return `object ${fault.object}`;
  if (fault.kind === 'sensor') return `sensor ${fault.sensor}`;
  return fault.kind === 'conveyor' ? `conveyor ${fault.conveyor}` : null;
}

/** Whether two faults exclude each other: the newer one replaces the older. */
function sameTarget(a: AddFaultBody, b: AddFaultBody): boolean {
  const target = targetOf(a);
  return target !== null && target === targetOf(b);
}

export class FaultList {
  private readonly producers: FaultProducers;
  private active: ActiveFault[] = [];
  private lastId = 0;

  constructor(producers: FaultProducers) {
    this.producers = producers;
  }

  list(): readonly SimFault[] {
    return this.active.map(({ id, fault, applied_count: acted }) => ({ id, fault, acted }));
  }

  add(fault: AddFaultBody): SimFault | FaultRefusal {
    if (this.active.length >= limits.faults) {
      return refuseLimitReached('faults', limits.faults);
    }
    for (const entry of this.active) if (sameTarget(entry.fault, fault)) this.clear(entry.id);
    return this.activate({ id: this.lastId + 1, fault, acted: 0 });
  }

  private activate(row: SimFault): SimFault | FaultRefusal {
    const { id, fault } = row;
    const entry: ActiveFault = { id, fault, applied_count: row.acted, end: () => {} };
    let isExpired = false;
    const reporter: FaultReporter = {
      applied: () => {
        entry.applied_count += 1;
      },
      expired: () => {
        isExpired = true;
        this.clear(entry.id);
      },
    };
    const produce = this.producers[fault.kind] as FaultProducer<FaultKind>;
    const end = produce(fault, reporter);
    if (typeof end !== 'function') return end;
    entry.end = end;
    this.lastId = Math.max(this.lastId, id);
    if (!isExpired) this.active.push(entry);
    return { id, fault, acted: entry.applied_count };
  }

  /** Ends a fault; false for an unknown id. */
  clear(id: number): boolean {
    const entry = this.active.find((one) => one.id === id);
    if (!entry) return false;
    this.active = this.active.filter((one) => one !== entry);
    entry.end();
    return true;
  }

  /** Ends the faults of the cell's parts: the cell is replaced. */
  clearCell(): void {
    for (const { id, fault } of this.active) if (isOfCell(fault)) this.clear(id);
  }

  clearAll(): void {
    for (const { id } of this.active) this.clear(id);
  }

  /** Replaces all faults; keeps the given ids, resets the counts. */
  replaceAll(rows: readonly SimFault[]): void {
    this.clearAll();
    for (const row of rows) this.activate({ ...row, acted: 0 });
  }
}

/**
 * Planner, event stream and updates that inject faults: slow or failed plans, dropped or delayed
 * messages, failed installations.
 */

const FAILED = 'Planning failed because of an injected fault';

function failedPlan(): PlanError {
  const error = `${FAILED} (generation_error).`;
  return { kind: 'hard', error, code: 'generation_error', path: '' };
}

function failedGoTo(): GoToResult {
  return { ok: false, code: 'generation_error', path: '', message: FAILED };
}

function failedTrajectory(): BuiltTrajectory {
  const outcome = failedPlan();
  const trajectory = { error: outcome.error };
  const json = new TextEncoder().encode(JSON.stringify(trajectory));
  return { outcome, json, trajectory };
}

/** A planner that injects delays and failures into another one. */
export class FaultInjectingPlanner implements Planner {
  private readonly inner: Planner;
  private readonly wall: WallClock;
  private readonly faults: FaultRules<null, PlannerFault>;

  constructor(inner: Planner, wall: WallClock, faults: FaultRules<null, PlannerFault>) {
    this.inner = inner;
    this.wall = wall;
    this.faults = faults;
  }

  private async plan<Value>(task: () => Promise<Value>, error: () => Value): Promise<Value> {
    const fault = this.faults.match(null);
    if (fault && fault.delay_s > 0) await waitUnreferenced(this.wall, fault.delay_s * 1000);
    return fault?.fails ? error() : task();
  }

  build(toolpath: ToolpathText): Promise<BuiltTrajectory> {
    return this.plan(() => this.inner.build(toolpath), failedTrajectory);
  }

  load(request: LoadRequest): Promise<LoadedPlan> {
    return this.plan(() => this.inner.load(request), failedPlan);
  }

  /** Injects no fault: nothing is planned. */
  taskOf(toolpath: ToolpathText): ToolpathTask {
    return this.inner.taskOf(toolpath);
  }

  goTo(request: GoToRequest): Promise<GoToResult> {
    return this.plan(() => this.inner.goTo(request), failedGoTo);
  }

  /** Injects no fault: a paused motion can always be resumed. */
  resume(motion: PausedMotion): Promise<TimeProfile> {
    return this.inner.resume(motion);
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}

/** A hub that drops or delays messages. */
export class FaultInjectingHub extends Hub {
  private readonly wall: WallClock;
  private readonly faults: FaultRules<string, MessageFault>;

  constructor(options: HubOptions, wall: WallClock, faults: FaultRules<string, MessageFault>) {
    super(options);
    this.wall = wall;
    this.faults = faults;
  }

  protected override dispatch(type: StreamMessage['type'], send: () => void): void {
    const fault = this.faults.match(type);
    if (fault === null) send();
    else if (fault !== 'drop') this.wall.afterUnreferenced(fault.delay_s * 1000, send);
  }
}

interface UpdateFaults {
  readonly rules: FaultRules<null, 'fails'>;
  readonly onFailed: (message: string) => void;
}

/** Updates whose installation can fail. */
export class FaultInjectingUpdates extends Updates {
  private readonly faults: UpdateFaults;

  constructor(parts: UpdatesParts, faults: UpdateFaults) {
    super(parts);
    this.faults = faults;
  }

  protected override saveVersion(version: string): void {
    if (this.faults.rules.match(null) === null) super.saveVersion(version);
    else this.faults.onFailed(`Version ${version} was not installed; the previous version remains`);
  }
}
