/** The numbered locations of a problem with their move times. */
import { type PlanProblem, placesFor } from './problem.ts';
import type { SlotLocation } from './slot-location.ts';

const SLOTS = 4096;
const IMPOSSIBLE = -1;

/** The parts of a problem that determine its locations. */
type LocationInputs = Pick<PlanProblem, 'instruments' | 'move_s'>;

/** The locations of a problem by index, with cached move times. */
export class LocationTable {
  readonly list: SlotLocation[] = [];
  /** Whether a location holds any number of pieces. */
  readonly slotless: boolean[] = [];
  /** Whether nothing goes in or out of a location while a task of its instrument runs. */
  readonly closed: boolean[] = [];
  private readonly indexByKey = new Map<number, number>();
  private readonly moveTimeRows_s: (Float64Array | undefined)[] = [];
  private readonly inputs: LocationInputs;

  constructor(inputs: LocationInputs) {
    this.inputs = inputs;
  }

  /** Returns the index of a location; −1 if unknown. */
  find({ instrument, slot }: SlotLocation): number {
    return this.indexByKey.get(instrument * SLOTS + slot) ?? -1;
  }

  /** Adds a location if it is new; returns its index. */
  add(location: SlotLocation): number {
    const known = this.find(location);
    if (known >= 0) return known;
    const index = this.list.length;
    this.indexByKey.set(location.instrument * SLOTS + location.slot, index);
    this.list.push(location);
    const { slotless = true, closed = false } = this.inputs.instruments[location.instrument] ?? {};
    this.slotless.push(slotless);
    this.closed.push(closed);
    return index;
  }

  /** Returns the time of a move (s); −1 if the arm cannot make it. */
  move_s(from: number, to: number): number {
    this.moveTimeRows_s[from] ??= new Float64Array(this.list.length).fill(Number.NaN);
    const row = this.moveTimeRows_s[from]!;
    const known_s = row[to]!;
    if (known_s >= IMPOSSIBLE) return known_s;
    const time_s = this.inputs.move_s(this.list[from]!, this.list[to]!) ?? IMPOSSIBLE;
    row[to] = time_s;
    return time_s;
  }
}

/** Collects every location that a plan for the problem can use. */
export function locationTableOf(problem: PlanProblem): LocationTable {
  const { instruments, move_s, labware, tasks, started, buffers } = problem;
  const locations = new LocationTable({ instruments, move_s });
  for (const { location } of labware) locations.add(location);
  for (const { candidates, uses } of tasks) {
    const slots = uses.flatMap((use) => [use.slot, use.slot_after]);
    for (const instrument of candidates) {
      for (const slot of slots) {
        for (const place of placesFor(problem, [instrument], slot)) locations.add(place);
      }
    }
  }
  for (const location of buffers) locations.add(location);
  for (const one of started) {
    if (one.kind === 'move') {
      locations.add(one.from);
      locations.add(one.to);
    } else {
      for (const { slot_after } of tasks[one.task]!.uses) {
        for (const place of placesFor(problem, [one.instrument], slot_after)) locations.add(place);
      }
    }
  }
  return locations;
}
