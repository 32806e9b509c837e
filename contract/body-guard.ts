/**
 * What no body may hold, whatever its schema: nesting that would exhaust a stack and keys that
 * reach into prototypes. Runs before any code that walks the value by recursion, so it does not.
 */
import { limits } from './limits.ts';
import type { Problem } from './result.ts';

const FORBIDDEN_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype'];

interface Visit {
  readonly value: object;
  readonly path: string;
  readonly depth: number;
}

/** A key as a step of a JSON pointer. */
export function pointerStep(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function isTree(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}

/** The first thing that makes a parsed JSON value unfit to be looked at, or null. */
export function guardProblem(value: unknown): Problem | null {
  const open: Visit[] = isTree(value) ? [{ value, path: '', depth: 1 }] : [];
  for (let visit = open.pop(); visit; visit = open.pop()) {
    const { path, depth } = visit;
    if (depth > limits.nesting_levels) {
      return { path: '', problem: `must not nest deeper than ${limits.nesting_levels} levels` };
    }
    for (const [key, child] of Object.entries(visit.value)) {
      const here = path + pointerStep(key);
      if (FORBIDDEN_KEYS.includes(key)) {
        return { path: here, problem: `must not be there: the key ${key} is refused everywhere` };
      }
      if (isTree(child)) open.push({ value: child, path: here, depth: depth + 1 });
    }
  }
  return null;
}
