/** A schedule under construction for tests: what is offered, as text, and appending one of them. */

import {
  type AttemptParameters,
  type CandidateOperation,
  OperationSelector,
} from './operation-selector.ts';
import { type Operations, operationsOf } from './operations.ts';
import type { PlanProblem, PlanTask } from './problem.ts';
import { instrument, problemOf, task } from './problems.cases.ts';
import { ScheduleBuilder } from './schedule-builder.ts';
import type { SlotLocation } from './slot-location.ts';

export const HOTEL = 0;
export const WASHER = 1;
export const READER = 2;
export const BIN = 3;
const INSTRUMENTS = [
  instrument('hotel', 9),
  instrument('washer'),
  instrument('reader', 2),
  instrument('bin', 9, true),
];

export function at(on: number, slot: number): SlotLocation {
  return { instrument: on, slot };
}

/** Plates p0, p1, ... from hotel slots 1, 2, ...; each is used by the tasks that name it. */
export function platesProblem(
  tasks: readonly PlanTask[],
  rest: Partial<PlanProblem> = {},
): PlanProblem {
  const pieces = 1 + Math.max(-1, ...tasks.flatMap(({ uses }) => uses.map((one) => one.labware)));
  const labware = Array.from({ length: pieces }, (_, l) => ({
    id: `p${l}`,
    location: at(HOTEL, l + 1),
    tasks: tasks.flatMap(({ uses }, t) => (uses.some((one) => one.labware === l) ? [t] : [])),
  }));
  return problemOf({ instruments: INSTRUMENTS, tasks, labware, ...rest });
}

/** Two plates are washed for 20 s in one slot and read for 10 s in slots of their own. */
export function washAndRead(rest: Partial<PlanProblem> = {}): PlanProblem {
  const tasks = [0, 1].flatMap((l) => [
    task(`wash${l}`, 20, { on: WASHER, uses: [[l, 1]] }),
    task(`read${l}`, 10, { on: READER, uses: [[l, l + 1]] }),
  ]);
  return platesProblem(tasks, rest);
}

/** Keeps every offer. */
class AllOffers extends OperationSelector {
  readonly offers: CandidateOperation[] = [];

  override offer(candidate: CandidateOperation): void {
    this.offers.push({ ...candidate });
    super.offer(candidate);
  }
}

interface Setup extends Partial<AttemptParameters> {
  /** Earliest starts of operations by their numbers (s). */
  readonly releases_s?: { readonly [operation: number]: number };
}

export class OfferBench {
  readonly schedule: ScheduleBuilder;
  readonly selector: AllOffers;
  private readonly problem: PlanProblem;
  private readonly operations: Operations;

  constructor(problem: PlanProblem, { releases_s = {}, ...parameters }: Setup = {}) {
    const operations = operationsOf(problem);
    const all: AttemptParameters = {
      sequence: [],
      rank: null,
      weight: 0,
      eager: true,
      noise_s: null,
      wipLimit: Number.POSITIVE_INFINITY,
      preferred: new Int32Array(operations.tasks).fill(-1),
      buffered: null,
      ...parameters,
    };
    const release_s = new Float64Array(operations.count).fill(problem.now_s);
    for (const [operation, at_s] of Object.entries(releases_s)) release_s[Number(operation)] = at_s;
    this.problem = problem;
    this.operations = operations;
    this.schedule = new ScheduleBuilder(operations, release_s, all);
    this.selector = new AllOffers(operations, all, this.schedule.end_s);
  }

  /** An offer as text: `p0 to washer 1, 0-15`, `p0 aside to rack 1, 0-15` or `t on hotel, 5-9`. */
  private text(one: CandidateOperation): string {
    const { instruments, labware, tasks } = this.problem;
    const times = `${one.start_s}-${one.end_s}`;
    const task = tasks[one.task]!;
    if (one.use === -1) {
      return `${task.id} on ${instruments[one.instrument]?.id ?? 'nothing'}, ${times}`;
    }
    const { instrument, slot } = this.operations.locations.list[one.to]!;
    const piece = one.use === -2 ? one.piece : task.uses[one.use]!.labware;
    const how = one.use === -2 ? 'aside to' : 'to';
    return `${labware[piece]!.id} ${how} ${instruments[instrument]!.id} ${slot}, ${times}`;
  }

  /** What a call offers, as text. */
  offersOf(call: (schedule: ScheduleBuilder, selector: OperationSelector) => unknown): string[] {
    this.selector.reset();
    this.selector.offers.length = 0;
    call(this.schedule, this.selector);
    return this.selector.offers.map((one) => this.text(one));
  }

  /** What is offered for a task. */
  for(task: number): string[] {
    return this.offersOf((schedule, selector) => schedule.offerOperations(task, selector));
  }

  /** Appends the last offer of a call. */
  append(call: (schedule: ScheduleBuilder, selector: OperationSelector) => unknown): string {
    const text = this.offersOf(call).at(-1);
    if (text === undefined) throw new Error('nothing is offered');
    this.schedule.append(this.selector.offers.at(-1)!);
    return text;
  }

  /** Appends the moves and the task that are offered for a task, one after the other. */
  do(task: number): string[] {
    const done: string[] = [];
    while (!this.schedule.isScheduled(task)) {
      const [first] = this.for(task);
      if (first === undefined) throw new Error(`${done.join('; ')}: nothing is offered`);
      this.schedule.append(this.selector.offers[0]!);
      done.push(first);
    }
    return done;
  }
}
