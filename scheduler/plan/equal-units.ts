/**
 * Equal units of work in a problem: pieces of labware, or groups of pieces that share tasks, whose
 * work is the same except for their own slots.
 */
import type { PlanProblem } from './problem.ts';
import { ANY_SLOT, type SlotLocation } from './slot-location.ts';

/** The tasks and pieces of one unit, in the order of their indices. */
export interface Unit {
  readonly tasks: readonly number[];
  readonly pieces: readonly number[];
}

/** Fewer units have no steady state. */
const MIN_UNITS = 3;

/** Groups tasks that share a piece, a dependency or a limit of time. */
function unitsOf({ tasks, labware, constraints }: PlanProblem): Unit[] {
  const parent = tasks.map((_, t) => t);
  const rootOf = (t: number): number => {
    let root = t;
    while (parent[root] !== root) root = parent[root]!;
    parent[t] = root;
    return root;
  };
  const join = (a: number, b: number) => {
    const [one, other] = [rootOf(a), rootOf(b)];
    parent[Math.max(one, other)] = Math.min(one, other);
  };
  tasks.forEach(({ after }, t) => {
    for (const other of after) join(t, other);
  });
  for (const piece of labware) for (const t of piece.tasks) join(t, piece.tasks[0]!);
  for (const { from, to } of constraints) join(from, to);
  const units = new Map<number, { tasks: number[]; pieces: number[] }>();
  tasks.forEach((_, t) => {
    const root = rootOf(t);
    const unit = units.get(root) ?? { tasks: [], pieces: [] };
    unit.tasks.push(t);
    units.set(root, unit);
  });
  labware.forEach((piece, l) => {
    if (piece.tasks.length > 0) units.get(rootOf(piece.tasks[0]!))!.pieces.push(l);
  });
  return [...units.values()];
}

export function slotKey({ instrument, slot }: SlotLocation): string {
  return `${instrument}/${slot}`;
}

/** The slots that more than one unit uses. */
function sharedSlots({ tasks, labware, instruments }: PlanProblem, units: readonly Unit[]) {
  const owners = new Map<string, number>();
  const shared = new Set<string>();
  units.forEach((unit, u) => {
    const note = (location: SlotLocation) => {
      if (instruments[location.instrument]!.slotless) return;
      const key = slotKey(location);
      if ((owners.get(key) ?? u) !== u) shared.add(key);
      owners.set(key, u);
    };
    for (const piece of unit.pieces) note(labware[piece]!.location);
    for (const t of unit.tasks) {
      const { candidates, uses } = tasks[t]!;
      for (const instrument of candidates) {
        for (const { slot, slot_after } of uses) {
          note({ instrument, slot });
          note({ instrument, slot: slot_after });
        }
      }
    }
  });
  return shared;
}

/** The work of a unit as text, with its own indices and without its own slots. */
function signatureOf(problem: PlanProblem, unit: Unit, shared: ReadonlySet<string>): string {
  const { tasks, labware, constraints } = problem;
  const taskAt = new Map(unit.tasks.map((t, i) => [t, i] as const));
  const pieceAt = new Map(unit.pieces.map((l, i) => [l, i] as const));
  const own = new Map<string, string>();
  const place = (location: SlotLocation) => {
    const { instrument, slot } = location;
    if (problem.instruments[instrument]!.slotless) return `${instrument}`;
    const key = slotKey(location);
    if (shared.has(key)) return `${instrument}/${slot}`;
    if (!own.has(key)) own.set(key, `${instrument}/own ${own.size}`);
    return own.get(key)!;
  };
  const work = unit.tasks.map((t) => {
    const { duration_s, candidates, after, uses, release_s } = tasks[t]!;
    const places = uses.map(({ labware: piece, slot, slot_after }) => [
      pieceAt.get(piece),
      candidates.map((instrument) => place({ instrument, slot })),
      candidates.map((instrument) => place({ instrument, slot: slot_after })),
    ]);
    return [duration_s, candidates, after.map((one) => taskAt.get(one)).sort(), places, release_s];
  });
  const chains = unit.pieces.map((l) => {
    const { location, tasks: chain } = labware[l]!;
    return [place(location), chain.map((t) => taskAt.get(t))];
  });
  const limits = constraints.flatMap(({ id: _, from, to, max_s, ...rest }) =>
    taskAt.has(from) ? [[taskAt.get(from), taskAt.get(to), `${max_s}`, Object.values(rest)]] : [],
  );
  return JSON.stringify([work, chains, limits.map((one) => JSON.stringify(one)).sort()]);
}

/** The equal units of a problem and the slots that they share. */
export interface EqualUnits {
  readonly units: readonly Unit[];
  readonly shared: ReadonlySet<string>;
}

/** The equal units of a problem, in the order of their jobs; null unless all work is theirs. */
export function equalUnits(problem: PlanProblem): EqualUnits | null {
  // A cycle is one of pieces in slots that are known.
  if (problem.tasks.some(({ uses }) => uses.some(({ slot }) => slot === ANY_SLOT))) return null;
  const units = unitsOf(problem);
  const [first] = units;
  if (!first || units.length < MIN_UNITS || first.pieces.length === 0) return null;
  const isAlike = ({ tasks, pieces }: Unit) =>
    tasks.length === first.tasks.length && pieces.length === first.pieces.length;
  if (!units.every(isAlike)) return null;
  const shared = sharedSlots(problem, units);
  const signature = signatureOf(problem, first, shared);
  if (!units.every((unit) => signatureOf(problem, unit, shared) === signature)) return null;
  const { jobs = [] } = problem;
  const rank = new Map(jobs.flatMap((job) => job.tasks.map((t) => [t, job.rank] as const)));
  const rankOf = ({ tasks }: Unit) => rank.get(tasks[0]!) ?? 0;
  return { units: units.toSorted((a, b) => rankOf(b) - rankOf(a)), shared };
}
