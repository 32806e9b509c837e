/** A small model of two plates, a stepped clock and hand-made parts, for tests of one module. */

import type { WorkflowTimeConstraint } from '../../contract/types.generated.ts';
import { Timers } from '../../server/clock/timers.ts';
import { STEPPED_EPOCH_MS, TICKS_PER_S, type TwinTime } from '../../server/clock/twin-time.ts';
import type { WallClock } from '../../server/clock/wall-clock.ts';
import { modelOf as smallModel } from '../definition/small-model.cases.ts';
import {
  failureActionsOf,
  failurePolicyOf,
  type ModelTask,
  type WorkflowModel,
} from '../definition/workflow-model.ts';
import type { Plan, PlannedLabwareMove, PlannedTask } from '../plan/problem.ts';
import type { SlotLocation } from '../plan/slot-location.ts';
import { RunProgress } from './progress.ts';
import { RunPlan } from './run-plan.ts';
import { RunSupplies } from './run-supplies.ts';
import { TimeLimits } from './time-limits.ts';

/** Twin time that a test steps, with its timers. */
export class StepClock implements TwinTime {
  readonly timers = new Timers();
  tick = 0;

  get now_s(): number {
    return this.tick / TICKS_PER_S;
  }

  get epoch_ms(): number {
    return STEPPED_EPOCH_MS + this.now_s * 1000;
  }

  /** Fires what is due up to a time (s), each at its tick. */
  advanceTo(time_s: number): void {
    const last = Math.round(time_s * TICKS_PER_S);
    for (let due = this.timers.nextDue_tick(); due <= last; due = this.timers.nextDue_tick()) {
      this.tick = Math.max(this.tick, due);
      this.timers.fire(this.tick);
    }
    this.tick = last;
  }
}

/** A wall clock whose turns come at once; it stands still. */
export const quickWall: WallClock = {
  now_ms: () => 0,
  epoch_ms: () => 0,
  after: () => () => {},
  afterUnreferenced: () => () => {},
  soon(callback) {
    queueMicrotask(callback);
    return () => {};
  },
};

/** Names of the instruments by index. */
export const [HOTEL, WASHER, READER] = [0, 1, 2];
/** Names of the tasks by index: plate a is washed and read, and so is plate b. */
export const [WASH_A, READ_A, WASH_B, READ_B] = [0, 1, 2, 3];
/** Names of the plates by index. */
export const [PLATE_A, PLATE_B] = [0, 1];

export const at = (instrument: number, slot: number): SlotLocation => ({ instrument, slot });

function taskOf(id: string, instrument: number, labware: number): ModelTask {
  return {
    id,
    action: id.replace(/_.*/, ''),
    candidates: [instrument],
    after: [],
    uses: [{ labware, slot: 1, slot_after: instrument === READER ? 2 : 1 }],
    estimate_s: 20,
    execution_s: 20,
    time_out_s: Number.POSITIVE_INFINITY,
    succeeds: true,
    skip: false,
    failureActions: failureActionsOf(),
    onFailure: failurePolicyOf(failureActionsOf()),
  };
}

interface ModelChanges extends Partial<WorkflowModel> {
  /** Merged into the tasks of these indices. */
  readonly changed?: Readonly<Record<number, Partial<ModelTask>>>;
}

/** Two plates in a hotel; each is washed for 20 s and then read for 20 s, into slot 2. */
export function modelOf({ changed = {}, ...rest }: ModelChanges = {}): WorkflowModel {
  const tasks = [
    taskOf('wash_a', WASHER, PLATE_A),
    taskOf('read_a', READER, PLATE_A),
    taskOf('wash_b', WASHER, PLATE_B),
    taskOf('read_b', READER, PLATE_B),
  ];
  const instrument = (id: string, capacity: number, slotless = false) => {
    return { id, type: id, bench: 'a', mappings: [], capacity, slots: capacity, slotless };
  };
  return smallModel({
    name: 'two plates',
    instruments: [instrument('hotel', 10), instrument('washer', 1), instrument('reader', 2)],
    tasks: tasks.map((task, i) => ({ ...task, ...changed[i] })),
    labware: [
      { id: 'plate_a', location: at(HOTEL, 1), tasks: [WASH_A, READ_A] },
      { id: 'plate_b', location: at(HOTEL, 2), tasks: [WASH_B, READ_B] },
    ],
    ...rest,
  });
}

/** A limit from the start of washing plate a to the start of reading it, unless it says else. */
export function limitOf(change: Partial<WorkflowTimeConstraint>): WorkflowTimeConstraint {
  const tasks = { start_task_id: 'wash_a', end_task_id: 'read_a' };
  return { id: 'soon', type: 'start_to_start', ...tasks, ...change };
}

/** A move of plate a from the hotel to the washer from 0 s to 5 s, unless it says else. */
export function moveOf(change: Partial<PlannedLabwareMove> = {}): PlannedLabwareMove {
  const route = { from: at(HOTEL, 1), to: at(WASHER, 1) };
  return { task: WASH_A, labware: PLATE_A, ...route, start_s: 0, end_s: 5, ...change };
}

/** A plan with these tasks and moves. */
export function planOf({ tasks = [], moves = [], ...rest }: Partial<Plan> = {}): Plan {
  const ends = [...tasks, ...moves].map(({ end_s }) => end_s);
  return { tasks, moves, makespan_s: Math.max(0, ...ends), lower_bound_s: 0, ...rest };
}

/** Plate a goes to the washer and then to the reader. */
export const BRING = moveOf();
export const WASH: PlannedTask = { task: WASH_A, instrument: WASHER, start_s: 5, end_s: 25 };
export const FETCH = moveOf({
  task: READ_A,
  from: at(WASHER, 1),
  to: at(READER, 1),
  start_s: 25,
  end_s: 30,
});
export const READ: PlannedTask = { task: READ_A, instrument: READER, start_s: 30, end_s: 50 };
export const PLAN = planOf({ tasks: [WASH, READ], moves: [BRING, FETCH] });

/** A run as reports and checks see it, at a time that the test sets; no other run is near it. */
export class ShownParts {
  now_s = 0;
  hold: { readonly what: 'all' | 'moves'; readonly reason: string } | null = null;
  readonly down = new Set<number>();
  readonly progress: RunProgress;
  readonly plan: RunPlan;
  readonly limits: TimeLimits;
  readonly supplies: RunSupplies;
  readonly model: WorkflowModel;
  readonly neighbours = {
    holderOf: (_location: SlotLocation): string | undefined => undefined,
    runningOn: (_instrument: number): string[] => [],
    carriedAt: (_instrument: number): string[] => [],
    gripped: (): string | null => null,
  };

  constructor(model: WorkflowModel, plan: Plan = planOf()) {
    this.model = model;
    this.progress = new RunProgress(model);
    this.plan = new RunPlan(this.progress, plan);
    this.supplies = new RunSupplies(model, new Map());
    const time = new StepClock();
    this.limits = new TimeLimits({
      model,
      progress: this.progress,
      time,
      timers: time.timers,
      now_s: () => this.now_s,
      onViolation: () => {},
      onReleased: () => {},
    });
  }

  get workcell() {
    const { model, progress, limits, supplies, neighbours } = this;
    const downSince_s = (instrument: number) => (this.down.has(instrument) ? 0 : null);
    const lastEnd_s = (instrument: number) => progress.lastEnd_s(instrument);
    const times = { downSince_s, lastEnd_s, begun_s: 0, clock_s: 0, now_s: () => this.now_s };
    return { model, progress, limits, supplies, neighbours, ...times };
  }

  /** The piece is in the gripper from 1 s after the start of a move to 1 s before its end. */
  readonly moves = {
    pieceTimes: ({ start_s, end_s }: PlannedLabwareMove) => {
      return { start_s: start_s + 1, end_s: end_s - 1 };
    },
  };
}
