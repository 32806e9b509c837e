/** The start of a run: plans it on the deck of its workcell, and stores it before it begins. */
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { RunHead, StartRunBody } from '../../contract/types.ts';
import { timestamp } from '../clock/twin-time.ts';
import type { LateError } from '../store/database.ts';
import { planRefusal } from './definition-handlers.ts';
import type { WorkflowModel } from './model.ts';
import { PreparedMoves } from './prepared-moves.ts';
import { SAFETY_TEXT, safetyOf } from './readiness.ts';
import { Run } from './run.ts';
import type { RunRecord } from './run-archive.ts';
import { EMPTY_HISTORY } from './run-history.ts';
import { RunLog } from './run-log.ts';
import { RunFaults } from './run-tasks.ts';
import type { Runs, RunsParts } from './runs.ts';
import { ArmTransporter, TimedTransporter } from './transporter.ts';
import {
  type BoundWorkflow,
  isRefusal,
  type StartError,
  type StartRequest,
  WorkcellBinding,
} from './workcell-binding.ts';
import { NOTHING_STARTED, planCooperatively, planProblem } from './workflow-planning.ts';

const DEFAULT_SEED = 1;

/** The refusal of a run's start. */
export type StartRefusal = Refusal<
  StartError | LateError | 'not_found' | 'not_supported' | 'lock_held_by_other'
>;

/** A refusal of the call at the time when its run would be stored. */
class LateRefusal extends Error {
  readonly refusal: Refusal<LateError>;

  constructor(refusal: Refusal<LateError>) {
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

export class RunStarter {
  /** Runs that are being stored and will use the arm. */
  private starting_count = 0;
  private readonly runs: Runs;
  private readonly parts: RunsParts;
  private readonly binding: WorkcellBinding;

  constructor(runs: Runs, parts: RunsParts) {
    this.runs = runs;
    this.parts = parts;
    this.binding = new WorkcellBinding(runs, parts.workcells);
  }

  private startFault({ options }: StartRequest): Refusal<'not_supported' | 'wrong_state'> | null {
    const { robot } = this.parts;
    const timeFault = simulatedTimeFault(this.parts, options);
    if (timeFault) return timeFault;
    if (this.runs.live.size >= limits.live_runs) {
      return refuse('wrong_state', `${limits.live_runs} runs are on; stop one of them first`);
    }
    const safety = safetyOf(robot);
    if (safety === 'ok') return null;
    return refuse('wrong_state', `The workcell is not safe: ${SAFETY_TEXT[safety]}`);
  }

  private armFault({ model, workcell }: BoundWorkflow): Refusal<'wrong_state'> | null {
    if (model.arm === null || workcell === null) return null;
    if (this.parts.workcells.holding(workcell.id)) {
      return refuse('wrong_state', 'The gripper holds labware of another workcell');
    }
    if (this.starting_count > 0)
      return refuse('wrong_state', 'Another run is about to use the arm');
    for (const [id, { usesArm }] of this.runs.live) {
      if (usesArm)
        return refuse('wrong_state', `Run ${id} uses the arm; wait for its end or stop it`);
    }
    return null;
  }

  /** Plans a workflow and starts a run of it. */
  async start(request: StartRequest): Promise<RunHead | StartRefusal> {
    const { generation } = this.runs;
    const fault = this.startFault(request);
    if (fault) return fault;
    const bound = await this.binding.bind(request);
    if (isRefusal(bound)) return bound;
    const busy = this.armFault(bound) ?? this.binding.busyFault(bound);
    if (busy) return busy;
    const { planner, wall } = this.parts;
    const { options } = request;
    const { model, workcell, held } = bound;
    const moves = await PreparedMoves.prepare(model, planner, options.simulate_drivers ?? false);
    const heldMove = held < 0 ? null : await this.binding.heldMove(bound, moves);
    if (held >= 0 && !heldMove) {
      const { id } = model.labware[held]!;
      return refuse('wrong_state', `There is no free place to put down ${id}; set the deck`);
    }
    const isDown = (instrument: number) => this.runs.isDown(model.instruments[instrument]!.id);
    const started = heldMove ? [{ kind: 'move' as const, ...heldMove }] : [];
    const problem = planProblem(model, moves.time_s, { ...NOTHING_STARTED, isDown, started });
    const seed = options.seed ?? DEFAULT_SEED;
    const found = await planCooperatively(problem, { seed }, wall);
    if (!found.ok) return planRefusal(found.error, moves.problems);
    // Meanwhile another run may have taken the arm or the labware, or the twin may have been reset.
    const late =
      this.resetFault(generation) ??
      request.recheck() ??
      this.startFault(request) ??
      this.armFault(bound) ??
      this.binding.busyFault(bound) ??
      this.binding.movedFault(request, bound);
    if (late) return late;
    const transport = moves.usesArm ? this.armTransport(request, model) : null;
    const lockFault = transport?.acquireLock() ?? null;
    if (lockFault) return refuse('lock_held_by_other', lockFault);
    const record = await this.store(request, bound, transport);
    if (isRefusal(record)) return record;
    const { id } = record.head;
    const run = new Run(
      {
        ...this.parts,
        model,
        moves,
        transporter: transport ?? new TimedTransporter(this.parts.loop, this.parts.timers),
        log: new RunLog(id, this.parts.loop, (event) => this.runs.onEvent(record, event)),
        faults: new RunFaults(model, options.faults ?? []),
        seed,
        isDown: (name) => this.runs.isDown(name),
        onEnd: () => transport?.releaseLock(),
        held: heldMove,
      },
      found.value,
    );
    const workcell_id = workcell?.id ?? null;
    this.runs.live.set(id, { run, model, plan_id: 0, usesArm: transport !== null, workcell_id });
    await run.start();
    await this.runs.saved(record);
    return record.head;
  }

  private resetFault(generation: number): Refusal<'wrong_state'> | null {
    return generation === this.runs.generation ? null : refuse('wrong_state', 'The twin was reset');
  }

  /** Stores a new run; it starts only if that succeeds in time. */
  private async store(
    request: StartRequest,
    bound: BoundWorkflow,
    transport: ArmTransporter | null,
  ): Promise<RunRecord | Refusal<LateError | 'wrong_state'>> {
    const { generation } = this.runs;
    if (transport) this.starting_count += 1;
    try {
      const record = await this.parts.archive.create((id) => {
        const refusal = request.recheck();
        if (refusal) throw new LateRefusal(refusal);
        return this.recordOf(id, request, bound);
      }, request.onCreated);
      const reset = this.resetFault(generation);
      if (reset === null) return record;
      transport?.releaseLock();
      return reset;
    } catch (error) {
      transport?.releaseLock();
      if (error instanceof LateRefusal) return error.refusal;
      throw error;
    } finally {
      if (transport) this.starting_count -= 1;
    }
  }

  private armTransport({ caller }: StartRequest, { arm }: WorkflowModel): ArmTransporter {
    const { robot, loop, timers, planner } = this.parts;
    return new ArmTransporter({ config: arm!.config, robot, loop, timers, planner, caller });
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
      started_at: timestamp(this.parts.loop),
      stopped_at: null,
    };
    const { user_id: owner_id } = caller;
    return { head, owner_id, hooks: model.hooks, events: [], history: EMPTY_HISTORY };
  }
}
