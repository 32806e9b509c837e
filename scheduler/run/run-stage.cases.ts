/**
 * A run among hand-made parts: an arm that a test moves, a stepped clock, a robot whose state is
 * set, and what runs share as a record of its calls.
 */

import type { RunEvent, RunFault } from '../../contract/types.generated.ts';
import { RobotArm } from '../../server/app/robot-arm.ts';
import { STEPPED_EPOCH_MS } from '../../server/clock/twin-time.ts';
import type { LoopListener } from '../../server/robot/loop-listener.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import type { Plan, PlannedLabwareMove, PlannedTask } from '../plan/problem.ts';
import type {
  LabwareTransporter,
  MoveObserver,
  MoveOrder,
} from '../workcell/labware-transporter.ts';
import { RunProgress } from './progress.ts';
import { Run } from './run.ts';
import { RunLog } from './run-log.ts';
import { modelOf, PLAN, READ_B, StepClock, WASH_B } from './run-parts.cases.ts';
import { SimulatedResults } from './simulated-results.ts';

/** The model of one plate: the tasks of plate b are skipped. */
export function onePlate(change: Parameters<typeof modelOf>[0] = {}): WorkflowModel {
  const skipped = { [WASH_B]: { skip: true }, [READ_B]: { skip: true } };
  return modelOf({ ...change, changed: { ...skipped, ...change.changed } });
}

/** A transporter whose moves end when the test says so. */
export class StagedTransporter implements LabwareTransporter {
  isBusy = false;
  isReady = true;
  isAtRest = true;
  readonly calls: string[] = [];
  readonly orders: MoveOrder[] = [];
  /** What the next start and the next preparations and resumptions answer. */
  fault: string | null = null;
  onPrepare: () => string | null = () => null;
  onUpdate = () => {};
  private observer: MoveObserver | null = null;

  start(order: MoveOrder, observer: MoveObserver): string | null {
    this.orders.push(order);
    if (this.fault !== null) return this.fault;
    [this.isBusy, this.observer] = [true, observer];
    return null;
  }

  pick(): void {
    this.observer!.onPicked();
  }

  /** Puts the piece down and ends the move. */
  finish(): void {
    this.observer!.onPlaced();
    this.isBusy = false;
    this.observer!.onDone();
  }

  fail(reason: string): void {
    this.isBusy = false;
    this.observer!.onFailed(reason);
  }

  update(): void {
    this.calls.push('update');
    this.onUpdate();
  }

  pause(): void {
    this.calls.push('pause');
  }

  async prepareResume({ isHolding }: { readonly isHolding: boolean }): Promise<string | null> {
    this.calls.push(`prepare ${isHolding}`);
    return this.onPrepare();
  }

  resume(): string | null {
    this.calls.push('resume');
    return this.fault;
  }

  cancel(): void {
    this.calls.push('cancel');
    this.isBusy = false;
  }

  losePower(): void {
    this.calls.push('lose power');
  }

  detach(): void {
    this.calls.push('detach');
  }
}

type Answer = { ok: true; value: Plan } | { ok: false; error: { messages: string[] } };

/** What the runs on a workcell share, as a record of what a run asks it for. */
export class StagedShare {
  readonly runs: Run[] = [];
  readonly calls: string[] = [];
  readonly drifts: { readonly planned_s: number; readonly actual_s: number }[] = [];
  /** Answers of plans that are asked for, in order; then the plan of the run. */
  readonly answers: Answer[] = [];
  readonly asked: object[] = [];
  /** Adopted by a replanning; null: it makes no plan. */
  nextPlan: Plan | null = PLAN;
  isNext = true;
  onRemoved = () => {};
  onPlanFor = () => {};
  dispatches = 0;
  private isDispatching = false;

  readonly replanning = {
    isDue: false,
    isActive: false,
    next_tick: Number.POSITIVE_INFINITY,
    request: () => {
      this.replanning.isDue = true;
    },
    advance: () => false,
    stop: () => this.calls.push('stop planning'),
    recordTiming: (_: object, times: { planned_s: number; actual_s: number }) =>
      this.drifts.push({ planned_s: times.planned_s, actual_s: times.actual_s }),
    replanNow: async (run: Run, { alwaysPublish }: { alwaysPublish: boolean }) => {
      this.calls.push(`replan ${alwaysPublish}`);
      if (alwaysPublish) run.publisher.mustPublish = true;
      if (this.nextPlan) run.publisher.settle(run.plan.adopt(this.nextPlan));
    },
  };

  readonly joint = {
    planFor: async ({ run: _, progress: __, ...wanted }: Record<string, unknown>, tick: number) => {
      this.asked.push({ ...wanted, tick });
      this.onPlanFor();
      return this.answers.shift() ?? { ok: true, value: PLAN };
    },
  };

  neighboursOf() {
    return { holderOf: () => undefined, runningOn: () => [], gripped: () => null };
  }

  isNextMove(run: Run, _move: PlannedLabwareMove): boolean {
    return this.isNext && this.runs.includes(run);
  }

  isNextTask(run: Run, _task: PlannedTask): boolean {
    return this.isNext && this.runs.includes(run);
  }

  dispatch(): void {
    this.dispatches += 1;
    if (this.isDispatching) return;
    this.isDispatching = true;
    for (let goOn = true; goOn; ) goOn = this.runs.some((run) => run.proceed());
    for (const run of this.runs) run.onDispatched();
    this.isDispatching = false;
  }

  changed(_reason: string): void {
    this.replanning.request();
    this.calls.push('changed');
    this.dispatch();
  }

  remove(run: Run, { goOn }: { readonly goOn: boolean }): void {
    this.calls.push(`remove ${goOn}`);
    this.runs.splice(this.runs.indexOf(run), 1);
    this.onRemoved();
  }
}

/** A stepped clock in place of the control loop. */
export class StagedLoop extends StepClock {
  listener: LoopListener | null = null;
  isNeeded: (() => boolean) | null = null;

  subscribe(listener: LoopListener): () => void {
    this.listener = listener;
    return () => {
      this.listener = null;
    };
  }

  keepAwake(isNeeded: () => boolean): () => void {
    this.isNeeded = isNeeded;
    return () => {
      this.isNeeded = null;
    };
  }
}

function lineOf({ body }: RunEvent, start_s: number): string {
  const time_ms = Date.parse(body.timestamp) - STEPPED_EPOCH_MS - start_s * 1000;
  const subject = 'task_id' in body ? body.task_id : 'labware_id' in body ? body.labware_id : '';
  const plan = 'remaining_worktime' in body ? `plan ${body.remaining_worktime}` : '';
  const state = 'state' in body ? body.state : plan;
  const message = 'message' in body ? body.message : 'error' in body ? body.error : '';
  const words = [subject, state, message && `(${message})`].filter((word) => word !== '');
  return `${time_ms / 1000} ${words.join(' ')}`;
}

export interface StageOptions {
  readonly model?: WorkflowModel;
  readonly plan?: Plan;
  readonly faults?: readonly RunFault[];
  readonly usesArm?: boolean;
  /** The piece of this begun move is in the gripper. */
  readonly held?: PlannedLabwareMove;
  readonly robot?: { readonly estop?: boolean; readonly state?: string };
}

/** A run that begins at 100 s of the twin. */
export class RunStage {
  readonly loop = new StagedLoop();
  readonly transporter = new StagedTransporter();
  readonly shared = new StagedShare();
  readonly down = new Set<string>();
  readonly lines: string[] = [];
  readonly robot: { readonly memory: { estop: boolean; state: string } };
  readonly progress: RunProgress;
  readonly run: Run;

  constructor(options: StageOptions = {}) {
    const { model = onePlate(), plan = PLAN, faults = [], usesArm = false, held } = options;
    const { loop, transporter, shared, lines } = this;
    loop.advanceTo(100);
    this.robot = { memory: { estop: false, state: 'idle', ...options.robot } };
    this.progress = new RunProgress(model);
    const begun = held ? this.progress.startMove(held, 0) : null;
    if (held) this.progress.locations[held.labware] = null;
    const prepareNext = async () => {};
    const moves = { usesArm, toolpath: () => ({}), putDownToolpath: async () => ({}), prepareNext };
    const parts = {
      model,
      moves,
      transporter,
      arm: new RobotArm({ robot: this.robot, loop } as never),
      time: loop,
      timers: loop.timers,
      wall: {},
      cell: () => null,
      log: new RunLog(7, loop, (event) => lines.push(lineOf(event, 100))),
      results: new SimulatedResults(model, faults, 1),
      progress: this.progress,
      schedule: { priority: 5, start_after_s: 0, due_s: Number.POSITIVE_INFINITY },
      shared,
      downSince: (id: string) => (this.down.has(id) ? 25_000 : null),
      held: begun,
    };
    this.run = new Run(parts as never, plan);
    shared.runs.push(this.run);
  }

  /** Steps the twin to a time of the run (s). */
  to(time_s: number): this {
    this.loop.advanceTo(100 + time_s);
    return this;
  }

  /** Sets the state of the robot, and lets the run hear of its safety states. */
  safety(memory: { estop?: boolean; state?: string }, ...states: string[]): void {
    Object.assign(this.robot.memory, memory);
    const events = states.map((state) => ({ kind: 'safety', state }));
    this.loop.listener!.onEvents!(events as never, this.loop.tick);
  }

  tick(): void {
    this.loop.listener!.onTick!({} as never, this.loop.tick);
  }

  /** The events since the last call. */
  news(): string[] {
    return this.lines.splice(0);
  }
}

/** A stage whose run has begun and washes plate a since 5 s. */
export async function washing(options: StageOptions = {}): Promise<RunStage> {
  const stage = new RunStage(options);
  await stage.run.start();
  stage.transporter.pick();
  stage.to(5).transporter.finish();
  stage.news();
  return stage;
}
