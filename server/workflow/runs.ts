/**
 * All runs of the twin: starts them, finds them by owner, keeps their logs, and tells whoever sends
 * notifications. At most one live run moves the arm.
 */
import { limits } from '../../contract/limits.ts';
import type { Hook, RunEvent, RunHead, StartRunBody } from '../../contract/types.ts';
import type { Clock } from '../clock/clock.ts';
import type { Timers } from '../clock/timers.ts';
import { timestamp } from '../clock/twin-time.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { Deadline } from '../http/deadline.ts';
import type { Planner } from '../planning/planner.ts';
import type { Caller } from '../robot/commands.ts';
import type { Loop } from '../robot/loop.ts';
import { type Refusal, refuse } from '../robot/refusal.ts';
import type { Robot } from '../robot/robot.ts';
import { planRefusal } from './definition-handlers.ts';
import type { WorkflowModel } from './model.ts';
import { Moves } from './moves.ts';
import { planPatiently } from './patient-planning.ts';
import { FRESH, planProblem } from './plan-problem.ts';
import { Run } from './run.ts';
import { addEvents, RESTARTED, type RunArchive, type RunRecord } from './run-archive.ts';
import { courseOf, cutShort, NO_COURSE } from './run-course.ts';
import { RunFaults, unknownFaults } from './run-faults.ts';
import { RunLog } from './run-log.ts';
import { ArmTransport, TimedTransport } from './transport.ts';

export interface RunsParts {
  readonly archive: RunArchive;
  readonly robot: Robot;
  readonly loop: Loop;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly planner: Planner;
  readonly wall: WallClock;
  /** Sends an event to the hooks that it fires. */
  readonly notify: (
    sender: { readonly owner_id: number; readonly hooks: readonly Hook[] },
    event: RunEvent,
  ) => void;
}

export interface LiveRun {
  readonly run: Run;
  readonly model: WorkflowModel;
  /** Number of the plan that it follows. */
  plan_id: number;
  readonly usesArm: boolean;
}

export interface StartRequest {
  readonly caller: Caller;
  readonly workflow_id: number;
  readonly model: WorkflowModel;
  readonly options: StartRunBody;
  /** Once it has passed nothing is started any more. */
  readonly deadline: Deadline;
}

const DEFAULT_SEED = 1;

export class Runs {
  private readonly parts: RunsParts;
  private readonly live = new Map<number, LiveRun>();
  private readonly down = new Set<string>();
  /** Records that have changed since they were kept, with their new events. */
  private readonly unsaved = new Map<RunRecord, RunEvent[]>();
  private last_id: number;
  private plans: number;
  /** How often all runs were forgotten. */
  private round = 0;
  /** The runs of former processes, all of them ended. */
  private readonly origin: readonly RunRecord[];

  constructor(parts: RunsParts) {
    this.parts = parts;
    this.last_id = parts.archive.last_id;
    this.plans = parts.archive.last_plan_id;
    for (const record of parts.archive.records.values()) this.recover(record);
    this.origin = [...parts.archive.records.values()];
  }

  /** Goes back to the runs that were there at the start; live ones end without a word. */
  reset(): void {
    this.round++;
    const lives = [...this.live.values()];
    this.live.clear();
    for (const { run } of lives) run.vanish();
    this.down.clear();
    this.unsaved.clear();
    this.parts.archive.restore(this.origin);
    this.plans = this.parts.archive.last_plan_id;
    this.last_id = this.parts.archive.last_id;
  }

  /** A run that was on when the process ended is stopped now, and not before what it last told. */
  private recover(record: RunRecord): void {
    if (record.head.state === 'stopped') return;
    const last = record.events.at(-1);
    const now = timestamp(this.parts.loop);
    const stopped_at = last && last.body.timestamp > now ? last.body.timestamp : now;
    const body = {
      run_id: String(record.head.id),
      timestamp: stopped_at,
      state: 'stopped' as const,
      message: RESTARTED,
    };
    const sequence = (last?.sequence ?? 0) + 1;
    record.course = cutShort(record.course, RESTARTED);
    this.told(record, { sequence, hook_type: 'RunStateChangeHook', body });
  }

  /** The next number of a plan. */
  nextPlanId(): number {
    return ++this.plans;
  }

  /** The run of this owner, or null: somebody else's does not exist for him. */
  find(owner_id: number, id: number): RunRecord | null {
    const record = this.parts.archive.records.get(id);
    return record?.owner_id === owner_id ? record : null;
  }

  list(owner_id: number): RunHead[] {
    const records = [...this.parts.archive.records.values()];
    return records.filter((one) => one.owner_id === owner_id).map(({ head }) => head);
  }

  /** A run that has not stopped, or null. */
  liveOf(id: number): LiveRun | null {
    return this.live.get(id) ?? null;
  }

  private startFault({ model, options }: StartRequest): Refusal | null {
    const isSimulatedTime = this.parts.clock.pace.kind !== 'scaled';
    if (options.simulate_time && !isSimulatedTime) {
      const text = 'The clock runs in real time; set its pace to max or stepped by /sim/v1/clock';
      return refuse('not_supported', text);
    }
    if (this.live.size >= limits.live_runs) {
      return refuse('wrong_state', `${limits.live_runs} runs are on; stop one of them first`);
    }
    const unknown = unknownFaults(model, options.faults ?? []);
    if (unknown.length > 0) return refuse('invalid_arguments', unknown);
    if (model.arm === null || options.simulate_drivers) return null;
    for (const [id, { usesArm }] of this.live) {
      if (usesArm) return refuse('wrong_state', `Run ${id} has the arm`);
    }
    return null;
  }

  /** Plans a workflow and starts a run of it. */
  async start(request: StartRequest): Promise<RunHead | Refusal> {
    const fault = this.startFault(request);
    if (fault) return fault;
    const { model, options } = request;
    const { round } = this;
    const { planner, wall } = this.parts;
    const moves = await Moves.prepare(model, planner, options.simulate_drivers ?? false);
    const isDown = (instrument: number) => this.down.has(model.instruments[instrument]!.id);
    const problem = planProblem(model, moves.time_s, { ...FRESH, isDown });
    const found = await planPatiently(problem, { seed: options.seed ?? DEFAULT_SEED }, wall);
    if (!found.ok) return planRefusal(found.error, moves.faults);
    // Another run may have taken the arm while this one was planned, or all been forgotten.
    const gone = round === this.round ? null : refuse('wrong_state', 'The twin was reset');
    const tooLate = request.deadline.passed ? refuse('timed_out') : null;
    const late = gone ?? tooLate ?? this.startFault(request);
    if (late) return late;
    const transport = moves.byArm ? this.armTransport(request) : null;
    const locked = transport?.takeLock() ?? null;
    if (locked) return refuse('lock_held_by_other', locked);
    const id = ++this.last_id;
    const record = this.recordOf(id, request);
    const run = new Run(
      {
        ...this.parts,
        model,
        moves,
        transport: transport ?? new TimedTransport(this.parts.loop, this.parts.timers),
        log: new RunLog(id, this.parts.loop, (event) => this.told(record, event)),
        faults: new RunFaults(model, options.faults ?? []),
        seed: options.seed ?? DEFAULT_SEED,
        isDown: (name) => this.down.has(name),
        onEnd: () => transport?.releaseLock(),
      },
      found.value,
    );
    this.parts.archive.add(record);
    this.live.set(id, { run, model, plan_id: 0, usesArm: transport !== null });
    run.start();
    return record.head;
  }

  private armTransport({ model, caller }: StartRequest): ArmTransport {
    const { robot, loop, timers, planner } = this.parts;
    return new ArmTransport({ config: model.arm!.config, robot, loop, timers, planner, caller });
  }

  private recordOf(id: number, { caller, workflow_id, model }: StartRequest): RunRecord {
    const head: RunHead = {
      id,
      workflow_id,
      name: model.name,
      state: 'started',
      message: '',
      started_at: timestamp(this.parts.loop),
      stopped_at: null,
    };
    const { user_id: owner_id } = caller;
    return { head, owner_id, hooks: model.hooks, events: [], course: NO_COURSE };
  }

  private told(record: RunRecord, event: RunEvent): void {
    const { id } = record.head;
    addEvents(record, [event]);
    this.saveSoon(record).push(event);
    this.parts.notify(record, event);
    const live = this.live.get(id);
    if (event.hook_type === 'NewPlanHook' && live) live.plan_id = this.nextPlanId();
    if (event.hook_type !== 'RunStateChangeHook') return;
    const { state: told, message, timestamp: at } = event.body;
    const state = told === 'resumed' ? 'started' : told;
    record.head = { ...record.head, state, message, stopped_at: state === 'stopped' ? at : null };
    if (state !== 'stopped') return;
    if (live) record.course = courseOf(live, record.course.plan);
    this.live.delete(id);
  }

  /** Lets a record be kept once what is going on is done; answers its events that are not. */
  private saveSoon(record: RunRecord): RunEvent[] {
    const known = this.unsaved.get(record);
    if (known) return known;
    const events: RunEvent[] = [];
    this.unsaved.set(record, events);
    this.parts.wall.soon(() => this.save(record));
    return events;
  }

  private save(record: RunRecord): void {
    const events = this.unsaved.get(record);
    if (!events) return;
    this.unsaved.delete(record);
    const live = this.live.get(record.head.id);
    if (live) record.course = courseOf(live, record.course.plan);
    this.parts.archive.keep(record, events);
  }

  /** Keeps what somebody has done to a run, though there may be nothing to tell of it. */
  touch(record: RunRecord): void {
    if (this.live.has(record.head.id)) this.saveSoon(record);
  }

  /** Stops what an owner has on. */
  stopOf(owner_id: number): void {
    for (const { id } of this.list(owner_id)) this.liveOf(id)?.run.stop();
  }

  /** Takes an instrument down in every workcell, or up again. */
  setInstrument(id: string, isUp: boolean): void {
    if (isUp) this.down.delete(id);
    else this.down.add(id);
    for (const { run } of this.live.values()) run.instrumentChanged();
  }

  close(): Promise<void> {
    for (const record of [...this.unsaved.keys()]) this.save(record);
    return this.parts.archive.close();
  }
}
