/**
 * Writes a planning problem as a mixed-integer program in LP format, for tasks with one instrument
 * each: a start variable per task and move, and a binary per pair that must not overlap. With
 * buffers, each move may have a stop in a buffer slot, and a piece may be put aside after its last
 * task; all moves then take the same time. Shares no code with the planner, so the solver's result
 * is independent.
 */

import type { PlanProblem } from './problem.ts';
import type { SlotLocation } from './slot-location.ts';

interface Visit {
  readonly key: string;
  readonly labware: number;
  /** Variable of the time from which the slot is held; null: from the start. */
  readonly begin: string | null;
  /** Variable and offset of the time at which it becomes free; null: never. */
  end: { readonly name: string; readonly plus_s: number } | null;
  /** Binaries that are 1 if the visit takes place. */
  readonly on: readonly string[];
  /** Binary that is 1 if the visit ends at all; absent: it does. */
  endOn?: string;
}

interface Span {
  readonly start: string;
  readonly duration_s: number;
  /** Binaries that are 1 if it takes place. */
  readonly on: readonly string[];
  /** Of a move: the instruments at its ends. */
  readonly ends?: readonly number[];
}

/** later ≥ earlier + least_s. */
type Order = readonly [later: string, earlier: string, least_s: number];

class Program {
  readonly lines: string[] = [];
  readonly binaries: string[] = [];
  readonly starts: string[] = [];
  private readonly big: number;

  constructor(horizon_s: number) {
    this.big = 2 * horizon_s;
  }

  binary(): string {
    const name = `y${this.binaries.length}`;
    this.binaries.push(name);
    return name;
  }

  start(name: string): string {
    this.starts.push(name);
    return name;
  }

  /** A line of variables that holds where the binaries are 1. */
  private line(left: string, least: number, on: readonly string[]): void {
    const slack = on.map((name) => ` - ${this.big} ${name}`).join('');
    this.lines.push(`${left}${slack} >= ${least - this.big * on.length}`);
  }

  /** Keeps an order where the binaries are 1. */
  follow([later, earlier, least_s]: Order, on: readonly string[] = []): void {
    this.line(`${later} - ${earlier}`, least_s, on);
  }

  /** later ≥ earlier unless the binary is 1. */
  followUnless(later: string, earlier: string, off: string): void {
    this.lines.push(`${later} - ${earlier} + ${this.big} ${off} >= 0`);
  }

  /** One order of two where the binaries are 1; returns the binary: 0 for the first of them. */
  either(first: Order, second: Order, on: readonly string[] = []): string {
    const name = this.binary();
    const { big } = this;
    this.line(`${first[0]} - ${first[1]} + ${big} ${name}`, first[2], on);
    this.line(`${second[0]} - ${second[1]} - ${big} ${name}`, second[2] - big, on);
    return name;
  }

  /** At least one of the binaries is 1, where others are 1; a minus before a name negates it. */
  require(some: readonly string[], on: readonly string[]): void {
    const negated = some.filter((name) => name.startsWith('-')).length;
    const left = some.map((name) => (name.startsWith('-') ? `- ${name.slice(1)}` : `+ ${name}`));
    const slack = on.map((name) => `- ${name}`);
    this.lines.push(`${[...left, ...slack].join(' ')} >= ${1 - negated - on.length}`);
  }
}

function separate(program: Program, spans: readonly Span[]): void {
  spans.forEach((a, i) => {
    for (const b of spans.slice(i + 1)) {
      const on = [...a.on, ...b.on];
      program.either([b.start, a.start, a.duration_s], [a.start, b.start, b.duration_s], on);
    }
  });
}

function separateTwo(program: Program, a: Visit, b: Visit): void {
  const on = [...a.on, ...b.on];
  const aFirst = b.begin && a.end ? ([b.begin, a.end.name, a.end.plus_s] as const) : null;
  const bFirst = a.begin && b.end ? ([a.begin, b.end.name, b.end.plus_s] as const) : null;
  if (aFirst && bFirst) {
    const isB = program.either(aFirst, bFirst, on);
    if (a.endOn) program.require([isB, a.endOn], on);
    if (b.endOn) program.require([`-${isB}`, b.endOn], on);
    return;
  }
  const [order, first] = aFirst ? [aFirst, a] : [bFirst, b];
  if (order) program.follow(order, on);
  if (order && first.endOn) program.require([first.endOn], on);
  if (!order && on.length > 0) program.require([], on);
}

function separateVisits(program: Program, visits: readonly Visit[]): void {
  visits.forEach((a, i) => {
    for (const b of visits.slice(i + 1)) {
      if (a.key === b.key && a.labware !== b.labware) separateTwo(program, a, b);
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

function keyOf({ instrument, slot }: SlotLocation): string {
  return `${instrument}/${slot}`;
}

/** What the moves of all pieces add to the program. */
class Moves {
  readonly visits: Visit[] = [];
  readonly spans: Span[] = [];
  private readonly problem: PlanProblem;
  private readonly program: Program;

  constructor(problem: PlanProblem, program: Program) {
    [this.problem, this.program] = [problem, program];
  }

  /** A stop in one of the buffers from `aside` until `until`; returns the binary of the stop. */
  private stop(name: string, labware: number, until: string | null): [on: string, aside: string] {
    const { program, problem } = this;
    const aside = program.start(`b${name}`);
    const on = program.binary();
    const slots = problem.buffers.map((location) => {
      const chosen = program.binary();
      const end = until === null ? null : { name: until, plus_s: 0 };
      this.visits.push({ key: keyOf(location), labware, begin: aside, end, on: [chosen] });
      return chosen;
    });
    // Exactly one slot if there is a stop.
    program.lines.push(`${slots.map((slot) => `+ ${slot}`).join(' ')} - ${on} = 0`);
    const duration_s = this.move_s(problem.labware[labware]!.location, problem.buffers[0]!);
    this.spans.push({ start: aside, duration_s, on: [on] });
    if (until !== null) program.follow([until, aside, duration_s], [on]);
    return [on, aside];
  }

  private move_s(from: SlotLocation, to: SlotLocation): number {
    return this.problem.move_s(from, to)!;
  }

  /** The visit that a move ends, and the one that it begins. */
  private leave(visit: Visit, name: string, ready: [string, number] | null): void {
    const { program, problem } = this;
    const start = `m${name}`;
    if (ready) program.follow([start, ready[0], ready[1]]);
    if (problem.buffers.length === 0) {
      visit.end = { name: start, plus_s: 0 };
      return;
    }
    const [on, aside] = this.stop(name, visit.labware, start);
    if (ready) program.follow([aside, ready[0], ready[1]]);
    const free = program.start(`f${name}`);
    program.followUnless(free, start, on);
    program.follow([free, aside, 0], [on]);
    visit.end = { name: free, plus_s: 0 };
  }

  /** The chain of a piece. */
  add(l: number): void {
    const { problem, program } = this;
    const { tasks } = problem;
    const piece = problem.labware[l]!;
    let { location } = piece;
    const held = (begin: string | null): Visit => {
      const made: Visit = { key: keyOf(location), labware: l, begin, end: null, on: [] };
      this.visits.push(made);
      return made;
    };
    let visit = held(null);
    let ready: [string, number] | null = null;
    for (const t of piece.tasks) {
      const { duration_s, candidates, uses } = tasks[t]!;
      const use = uses.find((one) => one.labware === l)!;
      const to = { instrument: candidates[0]!, slot: use.slot };
      if (keyOf(location) !== keyOf(to)) {
        const name = `${t}x${l}`;
        const start = program.start(`m${name}`);
        const time_s = this.move_s(location, to);
        const ends = [location.instrument, to.instrument];
        this.spans.push({ start, duration_s: time_s, on: [], ends });
        this.leave(visit, name, ready);
        program.follow([`t${t}`, start, time_s]);
        location = to;
        visit = held(start);
      } else if (ready) program.follow([`t${t}`, ready[0], ready[1]]);
      if (use.slot_after !== use.slot) {
        visit.end = { name: `t${t}`, plus_s: duration_s };
        location = { instrument: to.instrument, slot: use.slot_after };
        visit = held(`t${t}`);
      }
      ready = [`t${t}`, duration_s];
    }
    if (problem.buffers.length === 0 || !ready) return;
    const [on, aside] = this.stop(`e${l}`, l, null);
    program.follow([aside, ready[0], ready[1]]);
    visit.end = { name: aside, plus_s: 0 };
    visit.endOn = on;
  }
}

function addConstraints(program: Program, { constraints, tasks }: PlanProblem): void {
  for (const { from, from_end, to, to_end, min_s, max_s } of constraints) {
    const offset_s =
      (from_end ? tasks[from]!.duration_s : 0) - (to_end ? tasks[to]!.duration_s : 0);
    program.follow([`t${to}`, `t${from}`, min_s + offset_s]);
    if (Number.isFinite(max_s)) program.follow([`t${from}`, `t${to}`, -max_s - offset_s]);
  }
}

/** Returns the text of the program whose optimum is the shortest makespan. */
export function programText(problem: PlanProblem): string {
  const { tasks, labware, instruments, buffers } = problem;
  const longest_s = tasks.reduce((sum, { duration_s }) => sum + duration_s, 0);
  const program = new Program(longest_s + tasks.length * (buffers.length > 0 ? 80 : 40));
  tasks.forEach((task, t) => {
    program.start(`t${t}`);
    program.follow(['end', `t${t}`, task.duration_s]);
    for (const other of task.after)
      program.follow([`t${t}`, `t${other}`, tasks[other]!.duration_s]);
  });
  const moves = new Moves(problem, program);
  for (let l = 0; l < labware.length; l++) moves.add(l);
  addConstraints(program, problem);
  separate(program, moves.spans);
  instruments.forEach((instrument, i) => {
    const own = tasks.flatMap((task, t) =>
      task.candidates[0] === i ? [{ start: `t${t}`, duration_s: task.duration_s, on: [] }] : [],
    );
    if (instrument.capacity === 1) separate(program, own);
    if (!instrument.closed) return;
    const passing = moves.spans.filter(({ ends = [] }) => ends.includes(i));
    for (const one of own) for (const move of passing) separate(program, [one, move]);
  });
  separateVisits(program, moves.visits);
  return textOf(program);
}
