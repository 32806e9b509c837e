/** The start of a run: plans it on the deck of its workcell, and stores it before it begins. */

import { isRefusal, type Refusal, refuse } from '../../contract/refusal.ts';
import { type ShareError, shares } from '../../contract/shares.ts';
import type { RunEvent, RunHead, StartRunBody } from '../../contract/types.generated.ts';
import { ownTurn } from '../../server/clock/turns.ts';
import { clockAt_s, timestamp } from '../../server/clock/twin-time.ts';
import { Share } from '../../server/shares/share.ts';
import type { LateError } from '../../server/store/guard.ts';
import { EMPTY_HISTORY } from '../archive/run-history.ts';
import type { RunRecord } from '../archive/run-record.ts';
import { planRefusal } from '../definition/plan-refusal.ts';
import { JointPlan } from '../joint/joint-plan.ts';
import type { JointResult } from '../joint/joint-problem.ts';
import type { PlannedRun, SchedulingTerms } from '../joint/planned-run.ts';
import { ArmShare } from '../workcell/arm-share.ts';
import { ArmTransporter } from '../workcell/arm-transporter.ts';
import { SharedWorkcell } from '../workcell/shared-workcell.ts';
import { TimedTransporter } from '../workcell/timed-transporter.ts';
import type { LiveRun } from './live-run.ts';
import { PreparedMoves } from './prepared-moves.ts';
import { type MoveProgress, RunProgress } from './progress.ts';
import { Run } from './run.ts';
import { RunLog } from './run-log.ts';
import type { RunsParts } from './runs-parts.ts';
import { safetyFault } from './safety-fault.ts';
import { SimulatedResults } from './simulated-results.ts';
import type { StartRefusal, StartRequest } from './start-request.ts';
import { fillStock, supplyFault } from './supply-start.ts';
import { type BoundWorkflow, type RunsOnWorkcells, WorkcellBinding } from './workcell-binding.ts';

const DEFAULT_PRIORITY = 5;

/** A refusal of the call at the time when its run would be stored. */
class LateRefusal extends Error {
  readonly refusal: Refusal<LateError | ShareError>;

  constructor(refusal: Refusal<LateError | ShareError>) {
    super('refused');
    this.refusal = refusal;
  }
}

function simulatedTimeFault(
  { clock }: RunsParts,
  { simulate_time }: StartRunBody,
): Refusal<'not_supported'> | null {
  if (!simulate_time || clock.pace.kind !== 'scaled') return null;
  const text = 'The clock runs in real time; set its pace to max or stepped by /sim/v1/clock';
  return refuse('not_supported', text);
}

/** The schedule of a run as its start asks for it. */
function scheduleOf({ priority, start_after_s, due_s }: StartRunBody): SchedulingTerms {
  return {
    priority: priority ?? DEFAULT_PRIORITY,
    start_after_s: start_after_s ?? 0,
    due_s: due_s ?? Number.POSITIVE_INFINITY,
  };
}

/** A run that is planned and not stored yet. */
interface PlannedStart {
  readonly bound: BoundWorkflow;
  readonly starting: PlannedRun;
  readonly held: MoveProgress | null;
  readonly found: JointResult;
  readonly tick: number;
}

/** What a start asks of the runs of the twin, and tells them. */
interface StartingRuns extends RunsOnWorkcells {
  /** The runs that have not stopped, by id; a run is added when it begins. */
  readonly live: Map<number, LiveRun>;
  /** Number of resets; a start that began before the latest is refused. */
  readonly generation: number;
  sharedOn(workcell_id: number): SharedWorkcell | null;
  /** The tick since which an instrument is down; null for one that is up. */
  downSince(instrument_id: string): number | null;
  /** Takes an event of a run. */
  onEvent(record: RunRecord, event: RunEvent): void;
  /** Resolves when the events of a run so far are durable and visible, or could not be saved. */
  settled(record: RunRecord): Promise<void>;
}

/** Starts runs; those on workcells one after the other. */
export class RunStarter {
  /** Ends with the last start on a workcell: they are made one after the other. */
  private lastStart: Promise<unknown> = Promise.resolve();
  private readonly runs: StartingRuns;
  private readonly parts: RunsParts;
  private readonly binding: WorkcellBinding;

  constructor(runs: StartingRuns, parts: RunsParts) {
    this.runs = runs;
    this.parts = parts;
    this.binding = new WorkcellBinding(runs, parts);
  }

  private startFault({
    options,
    caller,
  }: StartRequest): Refusal<'not_supported' | 'share_used_up' | 'wrong_state'> | null {
    const timeFault = simulatedTimeFault(this.parts, options);
    if (timeFault) return timeFault;
    const isFull = this.liveShare.refusal({ owner: caller.user_id });
    if (isFull) return isFull;
    const unsafe = safetyFault(this.parts.arm.safety);
    return unsafe === null ? null : refuse('wrong_state', unsafe);
  }

  /** The live runs of each owner. */
  private get liveShare(): Share {
    const share = new Share(shares.live_runs);
    for (const { owner_id } of this.runs.live.values()) share.add(owner_id);
    return share;
  }

  /** Whether the arm works in another workcell. */
  private armFault({ model, workcell }: BoundWorkflow): Refusal<'wrong_state'> | null {
    if (model.arm === null || workcell === null) return null;
    if (this.parts.workcells.holding(workcell.id)) {
      return refuse('wrong_state', 'The gripper holds labware of another workcell');
    }
    for (const [id, { usesArm, workcell_id }] of this.runs.live) {
      if (usesArm && workcell_id !== workcell.id)
        return refuse('wrong_state', `Run ${id} uses the arm; wait for its end or stop it`);
    }
    return null;
  }

  /** Plans a workflow and starts a run of it; starts on workcells follow each other. */
  start(request: StartRequest): Promise<RunHead | StartRefusal> {
    const owner = request.caller.user_id;
    return this.parts.planning.run({ owner }, () => this.startInTurn(request));
  }

  private startInTurn(request: StartRequest): Promise<RunHead | StartRefusal> {
    if (request.options.simulate_drivers) return this.startNow(request);
    const started = this.lastStart.then(() => this.startNow(request));
    this.lastStart = started.catch(() => {});
    return started;
  }

  private async startNow(request: StartRequest): Promise<RunHead | StartRefusal> {
    const { generation } = this.runs;
    const fault = this.startFault(request);
    if (fault) return fault;
    const planned = await this.plan(request);
    if (isRefusal(planned)) return planned;
    const { bound } = planned;
    // Meanwhile the labware may have been moved, or the twin may have been reset.
    const hasHooks = bound.model.hooks.length > 0;
    const late =
      this.resetFault(generation) ??
      (hasHooks ? this.parts.deliveryRefusal(request.caller.user_id) : null) ??
      request.recheck() ??
      this.startFault(request) ??
      this.armFault(bound) ??
      this.supplyFault(request, bound) ??
      this.binding.movedFault(request, bound);
    if (late) return late;
    const known = this.sharedOf(bound);
    const transport = planned.starting.moves.usesArm ? this.armTransport(request, bound) : null;
    const lockFault = known ? null : (transport?.acquireLock() ?? null);
    if (lockFault) return refuse('lock_held_by_other', lockFault);
    const record = await this.store(request, bound).catch((error: unknown) => {
      transport?.releaseLock();
      throw error;
    });
    if (isRefusal(record)) {
      transport?.releaseLock();
      return record;
    }
    return this.begin(request, planned, { record, transport });
  }

  private sharedOf({ workcell }: BoundWorkflow): SharedWorkcell | null {
    return workcell && this.runs.sharedOn(workcell.id);
  }

  /** What is left where the supplies of a run do not last, and nobody is asked to refill them. */
  private supplyFault(request: StartRequest, bound: BoundWorkflow): Refusal<'wrong_state'> | null {
    const others = this.sharedOf(bound)?.runs ?? [];
    const fault = supplyFault(bound, others, request.options.deck === 'as_defined');
    return fault === null ? null : refuse('wrong_state', fault);
  }

  private async plan(request: StartRequest): Promise<PlannedStart | StartRefusal> {
    const bound = await this.binding.bind(request);
    if (isRefusal(bound)) return bound;
    const busy = this.armFault(bound) ?? this.supplyFault(request, bound);
    if (busy) return busy;
    const { wall, time } = this.parts;
    const { options } = request;
    const { model, held } = bound;
    const arm = this.parts.arm.loaderFor(request.caller);
    const moves = await PreparedMoves.prepare(model, { arm, wall }, options.simulate_drivers);
    if (moves.refusal) return moves.refusal;
    const heldMove = held < 0 ? null : await this.binding.heldMove(bound, moves);
    if (held >= 0 && !heldMove) {
      const { id } = model.labware[held]!;
      return refuse(
        'wrong_state',
        `There is no free place to put down ${id}: free its slot, or take it out of the gripper`,
      );
    }
    await ownTurn(wall);
    const progress = new RunProgress(model);
    const begun = heldMove && progress.startMove(heldMove, 0);
    if (heldMove) progress.locations[heldMove.labware] = null;
    const { tick } = time;
    const schedule = scheduleOf(options);
    const limits = { violations: [], isBroken: () => false };
    const rest = { limits, plan: null, isActive: true, start_tick: tick };
    const starting: PlannedRun = { model, moves, progress, schedule, ...rest };
    const downSince = (id: string) => this.runs.downSince(id);
    const clock = { clockAt_s: (at: number) => clockAt_s(time, at), begun_tick: tick };
    const world = { runs: [], statics: bound.statics, version: 0, downSince, ...clock };
    const seed = options.seed ?? model.seed;
    const joint = this.sharedOf(bound)?.joint ?? new JointPlan(world, seed);
    const found = await joint.planWith(starting, { tick, seed, wall });
    if (!found.ok) return planRefusal(found.error, moves.problems);
    return { bound, starting, held: begun, found: found.value, tick };
  }

  /** The workcell of a run that begins: that of the active runs, or a new one. */
  private shared(
    request: StartRequest,
    { bound }: PlannedStart,
    transport: ArmTransporter | null,
  ): SharedWorkcell {
    const known = this.sharedOf(bound);
    if (known) return known;
    const { time, timers } = this.parts;
    return new SharedWorkcell({
      ...this.parts,
      transporter: transport ?? new TimedTransporter(time, timers),
      downSince: (id) => this.runs.downSince(id),
      seed: request.options.seed ?? bound.model.seed,
      statics: this.binding.staticsNow(request, bound),
      stock: this.binding.stockOf(bound),
      onEmpty: () => transport?.releaseLock(),
    });
  }

  private async begin(
    request: StartRequest,
    planned: PlannedStart,
    { record, transport }: { record: RunRecord; transport: ArmTransporter | null },
  ): Promise<RunHead> {
    const { bound, starting, held, found, tick } = planned;
    const { model, workcell } = bound;
    const { id } = record.head;
    const shared = this.shared(request, planned, transport);
    fillStock(shared.stock, bound, shared.runs, request.options.deck === 'as_defined');
    const run = new Run(
      {
        ...this.parts,
        ...starting,
        shared,
        held,
        transporter: new ArmShare(shared.arm),
        log: new RunLog(id, this.parts.time, (event) => this.runs.onEvent(record, event)),
        results: new SimulatedResults(
          model,
          request.options.faults ?? [],
          request.options.seed ?? model.seed,
        ),
        downSince: (name) => this.runs.downSince(name),
      },
      found.plans.at(-1)!,
    );
    const workcell_id = workcell?.id ?? null;
    const usesArm = starting.moves.usesArm;
    const { owner_id } = record;
    this.runs.live.set(id, { run, owner_id, model, plan_id: 0, usesArm, workcell_id });
    shared.add(run, found, tick);
    await run.start();
    // The run is durable; its first events may be late, as all others.
    await this.runs.settled(record);
    return record.head;
  }

  private resetFault(generation: number): Refusal<'wrong_state'> | null {
    return generation === this.runs.generation ? null : refuse('wrong_state', 'The twin was reset');
  }

  /** Stores a new run; it starts only if that succeeds in time. */
  private async store(
    request: StartRequest,
    bound: BoundWorkflow,
  ): Promise<RunRecord | Refusal<LateError | ShareError | 'wrong_state'>> {
    const { generation } = this.runs;
    try {
      const record = await this.parts.archive.create((id) => {
        const refusal = request.recheck() ?? this.parts.archive.refusal(request.caller.user_id);
        if (refusal) throw new LateRefusal(refusal);
        return this.recordOf(id, request, bound);
      }, request.onCreated);
      return this.resetFault(generation) ?? record;
    } catch (error) {
      if (error instanceof LateRefusal) return error.refusal;
      throw error;
    }
  }

  private armTransport({ caller }: StartRequest, { model }: BoundWorkflow): ArmTransporter {
    return new ArmTransporter({ ...this.parts, config: model.arm!.config, caller });
  }

  private recordOf(
    id: number,
    { caller, workflow_id }: StartRequest,
    { model, workcell }: BoundWorkflow,
  ): RunRecord {
    const head: RunHead = {
      id,
      workflow_id,
      workcell_id: workcell?.id ?? null,
      name: model.name,
      state: 'started',
      message: '',
      started_at: timestamp(this.parts.time),
      stopped_at: null,
    };
    const { user_id: owner_id } = caller;
    return {
      head,
      owner_id,
      hooks: model.hooks,
      events: [],
      history: EMPTY_HISTORY,
      pausing: false,
    };
  }
}
