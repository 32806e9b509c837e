/**
 * Where an object of a cell should be: the rule for goals of `POST /sim/v1/cell/until`, of the
 * expectations of a rehearsal, and of matchers. Distances in mm.
 */
import type { Problem } from '../../contract/problem.ts';
import type { Cell } from '../../contract/types.generated.ts';
import { placeNames } from './cell-model.ts';
import { nestsOf } from './nests.ts';

/** An object within this distance of a nest is in it (mm), unless the goal says otherwise. */
export const WITHIN_MM = 10;

/** At a place, held by a gripper, or at rest anywhere. */
export interface ObjectGoal {
  readonly object: string;
  readonly at?: string | undefined;
  readonly held_by?: string | undefined;
  /** Greatest distance from the nest `at`. */
  readonly within_mm?: number | undefined;
}

interface Named {
  readonly name: string;
}

/** What is said of a name that no part of its kind has. */
export function unknownNameText(kind: string, name: string, parts: readonly Named[] = []): string {
  const known = parts.map((part) => part.name).join(', ');
  return `the cell has no ${kind} “${name}”: it has ${known === '' ? 'none' : known}`;
}

function placeProblem(cell: Cell, { object, at }: ObjectGoal & { readonly at: string }) {
  const places = placeNames(cell);
  if (!places.includes(at)) {
    return unknownNameText(
      'place',
      at,
      places.map((name) => ({ name })),
    );
  }
  if (at === object) return 'is the object itself';
  const onItself = nestsOf(cell).some(({ name, on }) => name === at && on === object);
  return onItself ? 'is on the object itself' : null;
}

function distanceProblem(cell: Cell, at: string | undefined, within_mm: number): string | null {
  if (!(Number.isFinite(within_mm) && within_mm >= 0)) {
    return `is ${within_mm}, but must be a number of mm, at least 0`;
  }
  if (at === undefined) return 'needs at, from which it is measured';
  if (nestsOf(cell).some(({ name }) => name === at) || !placeNames(cell).includes(at)) return null;
  return `counts from a nest, which “${at}” is not`;
}

/** Why an object can never be at a goal, or what the goal does not say; each with its place. */
export function goalProblems(cell: Cell, goal: ObjectGoal): Problem[] {
  const { object, at, held_by, within_mm } = goal;
  const problems: Problem[] = [];
  const add = (path: string, problem: string | null) => {
    if (problem !== null) problems.push({ path, problem });
  };
  const isKnown = (parts: readonly Named[] = [], name: string) =>
    parts.some((part) => part.name === name);
  if (!isKnown(cell.objects, object)) {
    add('/object', unknownNameText('object', object, cell.objects));
  }
  if (at !== undefined) add('/at', placeProblem(cell, { object, at }));
  if (held_by !== undefined && !isKnown(cell.grippers, held_by)) {
    add('/held_by', unknownNameText('gripper', held_by, cell.grippers));
  }
  if (at !== undefined && held_by !== undefined) {
    add('/at', 'excludes held_by: what is held rests nowhere');
  }
  if (within_mm !== undefined) add('/within_mm', distanceProblem(cell, at, within_mm));
  return problems;
}
