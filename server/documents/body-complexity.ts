/**
 * How many values and names a body may have before it takes the thread of the control loop too
 * long.
 */
import { limits } from '../../contract/limits.ts';

/** Adds the values of an object; a spread of as many arguments would exceed the call stack. */
function pushValues(open: unknown[], from: object): void {
  for (const value of Object.values(from)) open.push(value);
}

/** Whether a value consists of more than `most` values; stops counting there. */
function hasMoreValues(value: unknown, most: number): boolean {
  const open: unknown[] = [value];
  for (let count = 0; open.length > 0; count++) {
    const next = open.pop();
    if (count + open.length >= most) return true;
    if (next !== null && typeof next === 'object') pushValues(open, next);
  }
  return false;
}

/** Whether the objects in a value have more than `most` different names of fields. */
function hasMoreNames(value: unknown, most: number): boolean {
  const names = new Set<string>();
  const open: unknown[] = [value];
  while (open.length > 0 && names.size <= most) {
    const next = open.pop();
    if (next === null || typeof next !== 'object') continue;
    pushValues(open, next);
    if (!Array.isArray(next)) for (const name of Object.keys(next)) names.add(name);
  }
  return names.size > most;
}

const TOO_MANY_VALUES = `has more than ${limits.body_values} values`;
const TOO_MANY_NAMES = `has more than ${limits.body_names} different names of fields`;

/** Why a value takes the thread of the control loop too long; null if it does not. */
export function sizeProblem(value: unknown): string | null {
  if (hasMoreValues(value, limits.body_values)) return TOO_MANY_VALUES;
  return hasMoreNames(value, limits.body_names) ? TOO_MANY_NAMES : null;
}
