/**
 * All runs of the twin: starts them, finds them by owner, stores their events and forwards these to
 * the webhooks. At most one live run moves the arm.
 */
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { RunEvent, RunHead, StartRunBody } from '../../contract/types.ts';
import type { Clock } from '../clock/clock.ts';
import type { Timers } from '../clock/timers.ts';
import { timestamp } from '../clock/twin-time.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { Planner } from '../planning/planner.ts';
import type { Caller } from '../robot/commands.ts';
import type { ControlLoop } from '../robot/loop.ts';
import type { Robot } from '../robot/robot.ts';
import type { Guard } from '../store/database.ts';
import { planRefusal } from './definition-handlers.ts';
import type { WorkflowModel } from './model.ts';
import { PreparedMoves } from './prepared-moves.ts';
import { SAFETY_TEXT, safetyOf } from './readiness.ts';
import { Run } from './run.ts';
import {
  type AddDeliveries,
  RESTARTED,
  type RunArchive,
  type RunRecord,
  RunSaver,
} from './run-archive.ts';
import { EMPTY_HISTORY, historyOf, interruptedEvents, interruptedHistory } from './run-history.ts';
import { RunLog } from './run-log.ts';
import { RunFaults, unknownFaults } from './run-tasks.ts';
import { ArmTransporter, TimedTransporter } from './transporter.ts';
import { NOTHING_STARTED, planCooperatively, planProblem } from './workflow-planning.ts';

export interface RunsParts {
  readonly archive: RunArchive;
  readonly robot: Robot;
  readonly loop: ControlLoop;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly planner: Planner;
  readonly wall: WallClock;
  readonly addDeliveries: AddDeliveries;
  readonly onUnsaved: (error: unknown) => void;
}

export interface LiveRun {
  readonly run: Run;
  readonly model: WorkflowModel;
  /** Id of its current plan. */
  plan_id: number;
  readonly usesArm: boolean;
}

export interface StartRequest {
  readonly caller: Caller;
  readonly workflow_id: number;
  readonly model: WorkflowModel;
  readonly options: StartRunBody;
  /** Asked once the plan is made, before the run starts. */
  readonly recheck: Guard;
}

const DEFAULT_SEED = 1;

/** A refusal of the call at the time when its run would be stored. */
class LateRefusal extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super('refused');
    this.refusal = refusal;
  }
}

export class Runs {
  private readonly parts: RunsParts;
  private readonly live = new Map<number, LiveRun>();
  private readonly down = new Set<string>();
  private readonly saver: RunSaver;
  /** Runs that are being stored and will use the arm. */
  private starting_count = 0;
  private last_plan_id: number;
  /** Number of resets; a start that began before the latest is refused. */
  private generation = 0;
  /** The runs of former processes, all stopped. */
  private readonly initial: readonly RunRecord[];

  constructor(parts: RunsParts) {
    this.parts = parts;
    this.saver = new RunSaver(parts, (record) => {
      const live = this.live.get(record.head.id);
      if (live) record.history = historyOf(live, record.history.plan);
    });
    this.last_plan_id = parts.archive.last_plan_id;
    for (const record of parts.archive.records.values()) this.recover(record);
    this.initial = [...parts.archive.records.values()];
  }

  /** Restores the runs of process start; live runs end without events. */
  async reset(): Promise<void> {
    this.generation++;
    const liveRuns = [...this.live.values()];
    this.live.clear();
    for (const { run } of liveRuns) run.dispose();
    this.down.clear();
    this.saver.clear();
    await this.parts.archive.restore(this.initial);
    this.last_plan_id = this.parts.archive.last_plan_id;
  }

  /** Marks a run that the end of a process interrupted as stopped, not before its last event. */
  private recover(record: RunRecord): void {
    if (record.head.state === 'stopped') return;
    const last = record.events.at(-1);
    const now = timestamp(this.parts.loop);
    const stopped_at = last && last.body.timestamp > now ? last.body.timestamp : now;
    record.history = interruptedHistory(record.history, RESTARTED);
    for (const event of interruptedEvents(record, stopped_at, RESTARTED)) {
      this.onEvent(record, event);
    }
  }

  /** Returns the next plan id. */
  nextPlanId(): number {
    return ++this.last_plan_id;
  }

  /** Returns a run of this owner, or null; runs of other users are not visible. */
  find(owner_id: number, id: number): RunRecord | null {
    const record = this.parts.archive.records.get(id);
    return record?.owner_id === owner_id ? record : null;
  }

  list(owner_id: number): RunHead[] {
    const records = [...this.parts.archive.records.values()];
    return records.filter((one) => one.owner_id === owner_id).map(({ head }) => head);
  }

  /** Returns a run that has not stopped, or null. */
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
    const safety = safetyOf(this.parts.robot);
    if (safety !== 'ok') {
      return refuse('wrong_state', `The workcell is not safe: ${SAFETY_TEXT[safety]}`);
    }
    const unknown = unknownFaults(model, options.faults ?? []);
    if (unknown.length > 0) return refuse('invalid_arguments', unknown);
    if (model.arm === null || options.simulate_drivers) return null;
    if (this.starting_count > 0)
      return refuse('wrong_state', 'Another run is about to use the arm');
    for (const [id, { usesArm }] of this.live) {
      if (usesArm)
        return refuse('wrong_state', `Run ${id} uses the arm; wait for its end or stop it`);
    }
    return null;
  }

  /** Plans a workflow and starts a run of it. */
  async start(request: StartRequest): Promise<RunHead | Refusal> {
    const fault = this.startFault(request);
    if (fault) return fault;
    const { model, options } = request;
    const { generation } = this;
    const { planner, wall } = this.parts;
    const moves = await PreparedMoves.prepare(model, planner, options.simulate_drivers ?? false);
    const isDown = (instrument: number) => this.down.has(model.instruments[instrument]!.id);
    const problem = planProblem(model, moves.time_s, { ...NOTHING_STARTED, isDown });
    const found = await planCooperatively(problem, { seed: options.seed ?? DEFAULT_SEED }, wall);
    if (!found.ok) return planRefusal(found.error, moves.problems);
    // Meanwhile another run may have taken the arm, or the twin may have been reset.
    const resetFault =
      generation === this.generation ? null : refuse('wrong_state', 'The twin was reset');
    const lateFault = resetFault ?? request.recheck() ?? this.startFault(request);
    if (lateFault) return lateFault;
    const transport = moves.usesArm ? this.armTransport(request) : null;
    const lockFault = transport?.acquireLock() ?? null;
    if (lockFault) return refuse('lock_held_by_other', lockFault);
    const record = await this.store(request, transport);
    if ('refused' in record) return record;
    const { id } = record.head;
    const run = new Run(
      {
        ...this.parts,
        model,
        moves,
        transporter: transport ?? new TimedTransporter(this.parts.loop, this.parts.timers),
        log: new RunLog(id, this.parts.loop, (event) => this.onEvent(record, event)),
        faults: new RunFaults(model, options.faults ?? []),
        seed: options.seed ?? DEFAULT_SEED,
        isDown: (name) => this.down.has(name),
        onEnd: () => transport?.releaseLock(),
      },
      found.value,
    );
    this.live.set(id, { run, model, plan_id: 0, usesArm: transport !== null });
    run.start();
    await this.saver.saved(record);
    return record.head;
  }

  /** Stores a new run; it starts only if that succeeds in time. */
  private async store(
    request: StartRequest,
    transport: ArmTransporter | null,
  ): Promise<RunRecord | Refusal> {
    const { generation } = this;
    if (transport) this.starting_count += 1;
    try {
      const record = await this.parts.archive.create((id) => {
        const refusal = request.recheck();
        if (refusal) throw new LateRefusal(refusal);
        return this.recordOf(id, request);
      });
      if (generation === this.generation) return record;
      transport?.releaseLock();
      return refuse('wrong_state', 'The twin was reset');
    } catch (error) {
      transport?.releaseLock();
      if (error instanceof LateRefusal) return error.refusal;
      throw error;
    } finally {
      if (transport) this.starting_count -= 1;
    }
  }

  private armTransport({ model, caller }: StartRequest): ArmTransporter {
    const { robot, loop, timers, planner } = this.parts;
    return new ArmTransporter({ config: model.arm!.config, robot, loop, timers, planner, caller });
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
    return { head, owner_id, hooks: model.hooks, events: [], history: EMPTY_HISTORY };
  }

  private onEvent(record: RunRecord, event: RunEvent): void {
    const { id } = record.head;
    this.saver.schedule(record).push(event);
    const live = this.live.get(id);
    if (event.hook_type === 'NewPlanHook' && live) live.plan_id = this.nextPlanId();
    if (event.hook_type !== 'RunStateChangeHook') return;
    const { state: change, message, timestamp: at } = event.body;
    const state = change === 'resumed' ? 'started' : change;
    record.head = { ...record.head, state, message, stopped_at: state === 'stopped' ? at : null };
    if (state !== 'stopped') return;
    if (live) record.history = historyOf(live, record.history.plan);
    this.live.delete(id);
  }

  /** Saves a run after an API call that may have caused no event. */
  async touch(record: RunRecord): Promise<void> {
    if (this.live.has(record.head.id)) this.saver.schedule(record);
    await this.saver.saved(record);
  }

  /** Stops all live runs of an owner. */
  stopAllOf(owner_id: number): void {
    for (const { id } of this.list(owner_id)) this.liveOf(id)?.run.stop();
  }

  /** Takes an instrument down in every workcell, or brings it up again. */
  setInstrument(id: string, isUp: boolean): void {
    if (isUp) this.down.delete(id);
    else this.down.add(id);
    for (const { run } of this.live.values()) run.instrumentChanged();
  }

  /** Resolves when the events of a run so far are durable and visible, or could not be saved. */
  async settled(record: RunRecord): Promise<void> {
    await this.saver.saved(record).catch(() => {});
  }

  /** Resolves when all that has happened is durable, or could not be saved. */
  flush(): Promise<void> {
    return this.saver.flush();
  }
}
