/**
 * Checks plans independently of the planner's code: tasks and instruments, one arm, slots,
 * precedence and time constraints.
 */

import type { Plan, PlannedLabwareMove, PlannedTask, PlanProblem } from './problem.ts';
import { isPlaceOn, type SlotLocation } from './slot-location.ts';

interface Stay {
  readonly labware: number;
  readonly location: SlotLocation;
  readonly from_s: number;
  readonly to_s: number;
}

const EPSILON_S = 1e-6;

function overlaps(a: { from_s: number; to_s: number }, b: { from_s: number; to_s: number }) {
  return a.from_s < b.to_s - EPSILON_S && b.from_s < a.to_s - EPSILON_S;
}

function same(a: SlotLocation, b: SlotLocation): boolean {
  return a.instrument === b.instrument && a.slot === b.slot;
}

class PlanCheck {
  readonly faults: string[] = [];
  private readonly problem: PlanProblem;
  private readonly plan: Plan;

  constructor(problem: PlanProblem, plan: Plan) {
    this.problem = problem;
    this.plan = plan;
  }

  private require(holds: boolean, message: string): void {
    if (!holds) this.faults.push(message);
  }

  private timeOf(task: number) {
    return this.plan.tasks.find((one) => one.task === task)!;
  }

  tasks(): void {
    const { tasks, now_s } = this.problem;
    tasks.forEach((task, t) => {
      const rows = this.plan.tasks.filter((one) => one.task === t);
      this.require(rows.length === 1, `${task.id} is ${rows.length} times in the plan`);
      for (const { start_s, end_s, instrument } of rows) {
        this.require(start_s >= now_s - EPSILON_S, `${task.id} begins in the past`);
        this.require(Math.abs(end_s - start_s - task.duration_s) < EPSILON_S, `${task.id} length`);
        const able = task.candidates.includes(instrument) || task.candidates.length === 0;
        this.require(able, `${task.id} is on an instrument that cannot do it`);
      }
    });
  }

  precedence(): void {
    this.problem.tasks.forEach((task, t) => {
      for (const other of task.after) {
        const late = this.timeOf(other).end_s <= this.timeOf(t).start_s + EPSILON_S;
        this.require(late, `${task.id} begins before ${this.problem.tasks[other]!.id} has ended`);
      }
    });
    for (const one of this.problem.constraints) {
      const from = this.timeOf(one.from);
      const to = this.timeOf(one.to);
      const between_s =
        (one.to_end ? to.end_s : to.start_s) - (one.from_end ? from.end_s : from.start_s);
      this.require(between_s >= one.min_s - EPSILON_S, `${one.id} is too short`);
      this.require(between_s <= one.max_s + EPSILON_S, `${one.id} is too long`);
    }
  }

  capacity(): void {
    this.problem.instruments.forEach((instrument, i) => {
      const { cool_s = 0, warm_s = 0 } = instrument;
      const rows = this.plan.tasks.filter((one) => one.instrument === i && one.end_s > one.start_s);
      const isWarm = rows.every((one) => one.start_s >= warm_s - EPSILON_S);
      this.require(isWarm, `${instrument.id} is not warm`);
      for (const { start_s, end_s } of instrument.shifts ? rows : []) {
        const isIn = instrument.shifts!.some(({ from_s, to_s }) => {
          const day = Math.floor((start_s - from_s) / 86_400 + EPSILON_S);
          return end_s <= to_s + day * 86_400 + EPSILON_S;
        });
        this.require(isIn, `${instrument.id} works outside of its shifts`);
      }
      for (const { start_s } of rows) {
        const running = rows.filter(
          (one) => one.start_s <= start_s + EPSILON_S && one.end_s + cool_s > start_s + EPSILON_S,
        ).length;
        this.require(running <= instrument.capacity, `${instrument.id} does ${running} at a time`);
      }
      if (instrument.closed) this.closed(i, rows);
    });
  }

  /** Nothing goes in or out while a task runs. */
  private closed(instrument: number, rows: readonly PlannedTask[]): void {
    const moves = this.plan.moves.filter(
      ({ from, to }) => from.instrument === instrument || to.instrument === instrument,
    );
    const { cool_s = 0 } = this.problem.instruments[instrument]!;
    for (const { start_s: from_s, end_s } of rows) {
      const to_s = end_s + cool_s;
      const isOpen = moves.some((one) =>
        overlaps({ from_s, to_s }, { from_s: one.start_s, to_s: one.end_s }),
      );
      this.require(!isOpen, `${this.problem.instruments[instrument]!.id} is not open`);
    }
  }

  arm(): void {
    const moves = [...this.plan.moves].sort((a, b) => a.start_s - b.start_s);
    moves.forEach((move, i) => {
      const needed_s = this.problem.move_s(move.from, move.to);
      const right = needed_s !== null && Math.abs(move.end_s - move.start_s - needed_s) < EPSILON_S;
      this.require(right, `move ${i} takes ${move.end_s - move.start_s} s instead of ${needed_s}`);
      const next = moves[i + 1];
      if (next)
        this.require(next.start_s >= move.end_s - EPSILON_S, `moves ${i}, ${i + 1} overlap`);
    });
  }

  /** Traces a piece through its moves and tasks; returns where it was when. */
  private follow(labware: number): Stay[] {
    const piece = this.problem.labware[labware]!;
    const stays: Stay[] = [];
    let location = piece.location;
    let since_s = Number.NEGATIVE_INFINITY;
    let free_s = this.problem.now_s;
    const leave = (to: SlotLocation, at_s: number, until_s: number) => {
      stays.push({ labware, location, from_s: since_s, to_s: until_s });
      location = to;
      since_s = at_s;
    };
    const setAside = (aside: PlannedLabwareMove) => {
      const isBuffer = this.problem.buffers.some((one) => same(one, aside.to));
      this.require(isBuffer, `${piece.id} is put aside where no buffer is`);
      this.require(same(aside.from, location), `${piece.id} is put aside from where it is not`);
      this.require(aside.start_s >= free_s - EPSILON_S, `${piece.id} is put aside too early`);
      leave(aside.to, aside.start_s, aside.start_s);
      free_s = aside.end_s;
    };
    for (const task of piece.tasks) {
      const use = this.problem.tasks[task]!.uses.find((one) => one.labware === labware)!;
      const time = this.timeOf(task);
      const own = this.plan.moves.filter((one) => one.task === task && one.labware === labware);
      const aside = own.find(({ toBuffer }) => toBuffer);
      if (aside && aside.start_s < time.start_s) setAside(aside);
      const move = own.find(({ toBuffer }) => !toBuffer);
      if (move) {
        this.require(same(move.from, location), `${piece.id} is picked up where it is not`);
        this.require(move.start_s >= free_s - EPSILON_S, `${piece.id} is picked up too early`);
        leave(move.to, move.start_s, move.start_s);
        free_s = move.end_s;
      }
      const isThere = isPlaceOn(location, time.instrument, use.slot);
      this.require(isThere, `${piece.id} is not where its task needs it`);
      this.require(time.start_s >= free_s - EPSILON_S, `a task begins without ${piece.id}`);
      free_s = time.end_s;
      if (use.slot_after !== use.slot) {
        const after = { instrument: time.instrument, slot: use.slot_after };
        leave(after, time.start_s, time.end_s);
      }
    }
    const last = piece.tasks.at(-1);
    const after = this.plan.moves.find(
      (one) =>
        one.toBuffer && one.task === last && one.labware === labware && one.start_s >= free_s,
    );
    if (after) setAside(after);
    stays.push({ labware, location, from_s: since_s, to_s: Number.POSITIVE_INFINITY });
    return stays;
  }

  labware(): void {
    const stays = this.problem.labware.flatMap((_, l) => this.follow(l));
    stays.forEach((one, i) => {
      if (this.problem.instruments[one.location.instrument]!.slotless) return;
      for (const other of stays.slice(i + 1)) {
        const isSeparate = one.labware === other.labware || !same(one.location, other.location);
        const clash = !isSeparate && overlaps(one, other);
        this.require(!clash, `two pieces share ${one.location.instrument}/${one.location.slot}`);
      }
    });
  }

  makespan(): void {
    const ends = [...this.plan.tasks, ...this.plan.moves].map(({ end_s }) => end_s);
    const last_s = Math.max(this.problem.now_s, ...ends);
    this.require(Math.abs(last_s - this.plan.makespan_s) < EPSILON_S, 'the makespan is wrong');
    this.require(this.plan.lower_bound_s <= last_s + EPSILON_S, 'ends before the lower bound');
  }
}

/** Returns the faults of a plan without started operations; empty if it is valid. */
export function planFaults(problem: PlanProblem, plan: Plan): string[] {
  const check = new PlanCheck(problem, plan);
  check.tasks();
  if (check.faults.length > 0) return check.faults;
  check.precedence();
  check.capacity();
  check.arm();
  check.labware();
  check.makespan();
  return check.faults;
}
