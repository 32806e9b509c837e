/**
 * The places of a problem under numbers, with the times of moves between them: asked for some
 * thousand times by every attempt, so each is worked out once.
 */
import type { Place, PlanProblem } from './problem.ts';

const SLOTS = 4096;
const IMPOSSIBLE = -1;

/** Only these parts of a problem decide about its places. */
type Grounds = Pick<PlanProblem, 'instruments' | 'move_s'>;

export class Places {
  readonly list: Place[] = [];
  /** Whether any number of pieces may stand there. */
  readonly slotless: boolean[] = [];
  private readonly numbers = new Map<number, number>();
  private readonly rows: (Float64Array | undefined)[] = [];
  private readonly grounds: Grounds;

  constructor(grounds: Grounds) {
    this.grounds = grounds;
  }

  /** The number of a place; −1 where it has none. */
  find({ instrument, slot }: Place): number {
    return this.numbers.get(instrument * SLOTS + slot) ?? -1;
  }

  /** Gives a place its number, if it has none yet. */
  add(place: Place): number {
    const known = this.find(place);
    if (known >= 0) return known;
    const number = this.list.length;
    this.numbers.set(place.instrument * SLOTS + place.slot, number);
    this.list.push(place);
    this.slotless.push(this.grounds.instruments[place.instrument]!.slotless);
    return number;
  }

  /** Time of a move between numbered places (s); −1 where the arm cannot make it. */
  move_s(from: number, to: number): number {
    this.rows[from] ??= new Float64Array(this.list.length).fill(Number.NaN);
    const row = this.rows[from]!;
    const known_s = row[to]!;
    if (known_s >= IMPOSSIBLE) return known_s;
    const time_s = this.grounds.move_s(this.list[from]!, this.list[to]!) ?? IMPOSSIBLE;
    row[to] = time_s;
    return time_s;
  }
}

/** Numbers every place that a plan for the problem can have to do with. */
export function placesOf({ instruments, move_s, labware, tasks, started }: PlanProblem): Places {
  const places = new Places({ instruments, move_s });
  for (const { place } of labware) places.add(place);
  for (const { candidates, uses } of tasks) {
    for (const instrument of candidates) {
      for (const { slot, slot_after } of uses) {
        places.add({ instrument, slot });
        places.add({ instrument, slot: slot_after });
      }
    }
  }
  for (const one of started) {
    if (one.kind === 'move') {
      places.add(one.from);
      places.add(one.to);
    } else {
      for (const { slot_after } of tasks[one.task]!.uses) {
        places.add({ instrument: one.instrument, slot: slot_after });
      }
    }
  }
  return places;
}
