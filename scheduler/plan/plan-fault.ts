/** Explains why there is no plan: violated constraints, deadlocks and unreachable locations. */

import type { Attempt } from './attempt.ts';
import type { Operations } from './operations.ts';
import { type PlanFault, type PlanProblem, placesFor, type TimeConstraint } from './problem.ts';
import { ANY_SLOT, isPlaceOn } from './slot-location.ts';
import { topological } from './topological-order.ts';

function boundaryText(problem: PlanProblem, task: number, end: boolean): string {
  return `the ${end ? 'end' : 'start'} of ${problem.tasks[task]!.id}`;
}

function constraintText(problem: PlanProblem, one: TimeConstraint): string {
  const from = boundaryText(problem, one.from, one.from_end);
  return `time constraint ${one.id} (from ${from} to ${boundaryText(problem, one.to, one.to_end)})`;
}

/** Returns faults that need no attempt: cycles and contradictory bounds. */
export function problemFault(operations: Operations): PlanFault | null {
  const { problem, before } = operations;
  const missing = problem.constraints.filter(({ min_s, max_s }) => min_s > max_s);
  if (missing.length > 0) {
    const messages = missing.map((one) => {
      const bounds = `at least ${one.min_s} s and at most ${one.max_s} s`;
      return `${constraintText(problem, one)} requires ${bounds}`;
    });
    return { kind: 'constraint', messages };
  }
  const order = topological(before);
  if (order.length === operations.tasks) return null;
  const names = problem.tasks.filter((_, t) => !order.includes(t)).map(({ id }) => id);
  return { kind: 'constraint', messages: [`tasks wait for each other: ${names.join(', ')}`] };
}

function brokenConstraints(problem: PlanProblem, { violations }: Attempt): PlanFault {
  const messages = violations.map(({ constraint, excess_s }) => {
    const by_s = Math.ceil(Math.abs(excess_s));
    const bound = excess_s > 0 ? `at most ${constraint.max_s} s` : `at least ${constraint.min_s} s`;
    const text = constraintText(problem, constraint);
    return `${text} allows ${bound}; the best plan found misses it by ${by_s} s`;
  });
  return { kind: 'constraint', messages };
}

/** Returns why a task cannot start, or null. */
function obstacleOf(operations: Operations, { schedule }: Attempt, task: number): string | null {
  const { problem, before } = operations;
  const { id, uses, candidates } = problem.tasks[task]!;
  // The pieces are elsewhere once these have ended.
  const open = before[task]!.filter((other) => !schedule.isScheduled(other));
  const names = open.map((other) => problem.tasks[other]!.id);
  if (open.length > 0) return `${id} waits for ${names.join(', ')}`;
  for (const { labware, slot, slot_after } of uses) {
    const from = schedule.locationOf(labware);
    const name = problem.labware[labware]!.id;
    for (const instrument of candidates) {
      if (isPlaceOn(from, instrument, slot)) continue;
      const on = problem.instruments[instrument]!.id;
      const where = slot === ANY_SLOT ? `a free slot of ${on}` : `${on} slot ${slot}`;
      const places = placesFor(problem, [instrument], slot);
      const occupants = places.map((place) => schedule.occupantOf(place));
      if (occupants.every((occupant) => occupant >= 0 && occupant !== labware)) {
        const names = occupants.map((occupant) => problem.labware[occupant]!.id);
        return `${id} waits for ${where} for ${name}, held by ${names.join(', ')}`;
      }
      if (places.every((place) => problem.move_s(from, place) === null)) {
        const source = `${problem.instruments[from.instrument]!.id} slot ${from.slot}`;
        return `${id} needs ${name} in ${where}; the arm cannot move it there from ${source}`;
      }
    }
    const inside = { instrument: from.instrument, slot: slot_after };
    const holder = schedule.occupantOf(inside);
    if (slot_after !== slot && holder >= 0 && holder !== labware) {
      const where = `${problem.instruments[from.instrument]!.id} slot ${slot_after}`;
      return `${id} puts ${name} into ${where}, held by ${problem.labware[holder]!.id}`;
    }
  }
  return null;
}

function deadlock(operations: Operations, attempt: Attempt): PlanFault {
  const { problem } = operations;
  const messages: string[] = [];
  for (let t = 0; t < operations.tasks; t++) {
    if (attempt.schedule.isScheduled(t)) continue;
    const message = obstacleOf(operations, attempt, t);
    if (message) messages.push(message);
  }
  const isUnreachable = messages.some((text) => text.includes('the arm cannot move'));
  const kind = isUnreachable ? 'unreachable' : 'deadlock';
  if (messages.length > 0) return { kind, messages };
  return {
    kind,
    messages: [`${problem.tasks.length - attempt.schedule.scheduledCount} tasks never start`],
  };
}

/** Returns why the best attempt is not a plan; null if it is one. `relax` allows broken limits. */
export function attemptFault(
  operations: Operations,
  attempt: Attempt,
  relax: boolean,
): PlanFault | null {
  if (attempt.isStuck) return deadlock(operations, attempt);
  if (relax) return null;
  return attempt.violations.length > 0 ? brokenConstraints(operations.problem, attempt) : null;
}

export function missingInstruments({ tasks }: PlanProblem): PlanFault | null {
  const missing = tasks.filter(
    ({ candidates, uses, down }) => down || (candidates.length === 0 && uses.length > 0),
  );
  if (missing.length === 0) return null;
  const messages = missing.map(({ id, down = [] }) => {
    const reason = down.map((instrument) => `${instrument} is down`).join(', ');
    return `no available instrument can do ${id}${reason && `: ${reason}`}`;
  });
  return { kind: 'no_instrument', messages };
}
