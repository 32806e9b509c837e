/**
 * Writes a planning problem as a mixed-integer program in LP format, for tasks with one instrument
 * each and no buffers: a start variable per task and move, and a binary per pair that must not
 * overlap. Shares no code with the planner, so the solver's result is independent.
 */
import type { PlanProblem, SlotLocation } from './problem.ts';

interface Visit {
  readonly key: string;
  readonly labware: number;
  /** Variable of the time from which the slot is held; null: from the start. */
  readonly begin: string | null;
  /** Variable and offset of the time at which it becomes free; null: never. */
  end: { readonly name: string; readonly plus_s: number } | null;
}

interface Span {
  readonly start: string;
  readonly duration_s: number;
}

class Program {
  readonly lines: string[] = [];
  readonly binaries: string[] = [];
  readonly starts: string[] = [];
  private readonly horizon_s: number;

  constructor(horizon_s: number) {
    this.horizon_s = horizon_s;
  }

  /** later ≥ earlier + least_s. */
  follow(later: string, earlier: string, least_s: number): void {
    this.lines.push(`${later} - ${earlier} >= ${least_s}`);
  }

  /** One of two: b ≥ a + a_s, or a2 ≥ b2 + b_s. */
  either(first: [string, string, number], second: [string, string, number]): void {
    const name = `y${this.binaries.length}`;
    const big = 2 * this.horizon_s;
    this.binaries.push(name);
    this.lines.push(`${first[0]} - ${first[1]} + ${big} ${name} >= ${first[2]}`);
    this.lines.push(`${second[0]} - ${second[1]} - ${big} ${name} >= ${second[2] - big}`);
  }
}

function separate(program: Program, spans: readonly Span[]): void {
  spans.forEach((a, i) => {
    for (const b of spans.slice(i + 1)) {
      program.either([b.start, a.start, a.duration_s], [a.start, b.start, b.duration_s]);
    }
  });
}

function separateVisits(program: Program, visits: readonly Visit[]): void {
  visits.forEach((a, i) => {
    for (const b of visits.slice(i + 1)) {
      if (a.key !== b.key || a.labware === b.labware) continue;
      const [afterA, afterB] = [a.end, b.end];
      if (b.begin && afterA && a.begin && afterB) {
        program.either(
          [b.begin, afterA.name, afterA.plus_s],
          [a.begin, afterB.name, afterB.plus_s],
        );
      } else if (b.begin && afterA) program.follow(b.begin, afterA.name, afterA.plus_s);
      else if (a.begin && afterB) program.follow(a.begin, afterB.name, afterB.plus_s);
    }
  });
}

function textOf(program: Program): string {
  const rows = program.lines.map((line, i) => ` r${i}: ${line}`);
  const bounds = program.starts.map((name) => ` ${name} >= 0`);
  const binaries = program.binaries.map((name) => ` ${name}`);
  const parts = ['Minimize', ' goal: end', 'Subject To', ...rows, 'Bounds', ...bounds];
  return [...parts, 'Binary', ...binaries, 'End', ''].join('\n');
}

function visitOf({ instrument, slot }: SlotLocation, labware: number, begin: string | null): Visit {
  return { key: `${instrument}/${slot}`, labware, begin, end: null };
}

/** Returns the text of the program whose optimum is the shortest makespan. */
export function programText(problem: PlanProblem): string {
  const { tasks, labware, instruments } = problem;
  const longest_s = tasks.reduce((sum, { duration_s }) => sum + duration_s, 0);
  const program = new Program(longest_s + tasks.length * 40);
  const visits: Visit[] = [];
  const moves: Span[] = [];
  tasks.forEach((task, t) => {
    program.starts.push(`t${t}`);
    program.follow('end', `t${t}`, task.duration_s);
    for (const other of task.after) program.follow(`t${t}`, `t${other}`, tasks[other]!.duration_s);
  });
  labware.forEach((piece, l) => {
    let location = piece.location;
    let visit = visitOf(location, l, null);
    let previous: number | null = null;
    visits.push(visit);
    for (const t of piece.tasks) {
      const use = tasks[t]!.uses.find((one) => one.labware === l)!;
      const to = { instrument: tasks[t]!.candidates[0]!, slot: use.slot };
      const ready: [string, number] | null =
        previous === null ? null : [`t${previous}`, tasks[previous]!.duration_s];
      if (location.instrument !== to.instrument || location.slot !== to.slot) {
        const start = `m${t}x${l}`;
        const duration_s = problem.move_s(location, to)!;
        program.starts.push(start);
        moves.push({ start, duration_s });
        if (ready) program.follow(start, ready[0], ready[1]);
        program.follow(`t${t}`, start, duration_s);
        visit.end = { name: start, plus_s: 0 };
        visit = visitOf(to, l, start);
        visits.push(visit);
      } else if (ready) program.follow(`t${t}`, ready[0], ready[1]);
      location = to;
      if (use.slot_after !== use.slot) {
        visit.end = { name: `t${t}`, plus_s: tasks[t]!.duration_s };
        location = { instrument: to.instrument, slot: use.slot_after };
        visit = visitOf(location, l, `t${t}`);
        visits.push(visit);
      }
      previous = t;
    }
  });
  for (const { from, from_end, to, to_end, min_s, max_s } of problem.constraints) {
    const offset_s =
      (from_end ? tasks[from]!.duration_s : 0) - (to_end ? tasks[to]!.duration_s : 0);
    program.follow(`t${to}`, `t${from}`, min_s + offset_s);
    if (Number.isFinite(max_s)) program.follow(`t${from}`, `t${to}`, -max_s - offset_s);
  }
  separate(program, moves);
  instruments.forEach((instrument, i) => {
    if (instrument.capacity > 1) return;
    const own = tasks.flatMap((task, t) =>
      task.candidates[0] === i ? [{ start: `t${t}`, duration_s: task.duration_s }] : [],
    );
    separate(program, own);
  });
  separateVisits(program, visits);
  return textOf(program);
}
