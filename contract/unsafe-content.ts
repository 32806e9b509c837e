/**
 * Rejects parsed bodies that are not safe to process: deep nesting, prototype keys, infinite
 * numbers and broken Unicode. Works without recursion.
 */
import { pointerSegment } from './json-pointer.ts';
import { type Fields, isTree } from './json-tree.ts';
import { limits } from './limits.ts';
import type { Problem } from './problem.ts';

const FORBIDDEN_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** An object or array to look into, and the way to it: its key and the visit of its parent. */
interface Visit {
  readonly value: object;
  readonly key: string | number | null;
  readonly parent: Visit | null;
  readonly depth: number;
}

/** The JSON pointer of a visited value. Built on demand: most bodies have no problem to report. */
function pointerOf(visit: Visit): string {
  const { key, parent } = visit;
  return parent === null ? '' : pointerOf(parent) + pointerSegment(String(key));
}

const SURROGATE = /\p{Surrogate}/u;

/** Whether a text has half of a surrogate pair, which UTF-8 cannot carry. */
function isBroken(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && SURROGATE.test(value);
}

function brokenText(path: string): Problem {
  return { path, problem: 'must be valid Unicode, but has half of a surrogate pair' };
}

/** The problem of a value without children: JSON numbers like 1e400 are read as infinite. */
function leafProblem(value: unknown, path: () => string): Problem | null {
  if (isBroken(value)) return brokenText(path());
  if (value !== Infinity && value !== -Infinity) return null;
  return { path: path(), problem: 'is beyond the range of a number (±1.8e308)' };
}

/** The value that is looked into, and the values that are still to be. */
interface Search {
  readonly at: Visit;
  readonly open: Visit[];
}

/** The first problem of a child; an object or array is added to `open`, to be looked into. */
function childProblem(child: unknown, key: string | number, { at, open }: Search): Problem | null {
  if (!isTree(child)) return leafProblem(child, () => pointerOf(at) + pointerSegment(String(key)));
  open.push({ value: child, key, parent: at, depth: at.depth + 1 });
  return null;
}

/** The first problem of a key and its child. */
function fieldProblem(key: string, search: Search): Problem | null {
  const { at } = search;
  if (FORBIDDEN_KEYS.includes(key)) {
    const path = pointerOf(at) + pointerSegment(key);
    return { path, problem: `is a forbidden key: remove ${key}` };
  }
  if (isBroken(key)) return brokenText(pointerOf(at) + pointerSegment(key));
  return childProblem((at.value as Fields)[key], key, search);
}

/** The first problem of the children of an object or array. */
function contentProblem(search: Search): Problem | null {
  const { value } = search.at;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const problem = childProblem(value[i], i, search);
      if (problem) return problem;
    }
    return null;
  }
  for (const key of Object.keys(value)) {
    const problem = fieldProblem(key, search);
    if (problem) return problem;
  }
  return null;
}

/** The first unsafe part of a parsed JSON value, or null when the value is safe to process. */
export function unsafeContent(value: unknown): Problem | null {
  if (!isTree(value)) return leafProblem(value, () => '');
  const open: Visit[] = [{ value, key: null, parent: null, depth: 1 }];
  for (let visit = open.pop(); visit; visit = open.pop()) {
    if (visit.depth > limits.nesting_levels) {
      return { path: '', problem: `must not nest deeper than ${limits.nesting_levels} levels` };
    }
    const problem = contentProblem({ at: visit, open });
    if (problem) return problem;
  }
  return null;
}
