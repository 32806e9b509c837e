/** Checks of the import graph: no runtime cycles, no unreachable files. */
import { ENTRIES } from './import-rules.mjs';

/**
 * @typedef {import('./tree.mjs').Tree} Tree
 * @typedef {Map<string, string[]>} Graph
 */

/**
 * @param {Tree} tree
 * @param {boolean} withTypes
 * @returns {Graph}
 */
function graphOf(tree, withTypes) {
  const graph = new Map();
  for (const { path, imports } of tree.files.values()) {
    const wanted = imports.filter((one) => (withTypes || !one.types) && tree.files.has(one.target));
    graph.set(
      path,
      wanted.map((one) => one.target),
    );
  }
  return graph;
}

/**
 * The cycles of the graph by depth-first search, each as a path that ends at its first file.
 * @param {Graph} graph
 */
function cyclesOf(graph) {
  /** @type {Map<string, 'open' | 'done'>} */
  const marks = new Map();
  /** @type {string[][]} */
  const cycles = [];
  for (const start of graph.keys()) {
    if (marks.has(start)) continue;
    marks.set(start, 'open');
    const stack = [{ path: start, next: 0 }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const target = (graph.get(top.path) ?? [])[top.next++];
      if (target === undefined) {
        marks.set(top.path, 'done');
        stack.pop();
      } else if (!marks.has(target)) {
        marks.set(target, 'open');
        stack.push({ path: target, next: 0 });
      } else if (marks.get(target) === 'open') {
        const from = stack.findIndex(({ path }) => path === target);
        cycles.push([...stack.slice(from).map(({ path }) => path), target]);
      }
    }
  }
  return cycles;
}

/** @param {Tree} tree */
export function cycles(tree) {
  const found = cyclesOf(graphOf(tree, false));
  const problems = found.map(
    (cycle) =>
      `${cycle.join(' → ')}; import only a type, or move the shared part to a third module`,
  );
  return { checked: tree.files.size, problems };
}

/**
 * The files where reachability starts. In a tree without server/main.ts every file outside tools is
 * an entry point, because its callers may be missing.
 * @param {Graph} graph
 */
function entryPoints(graph) {
  const hasProgram = graph.has('server/main.ts');
  return [...graph.keys()].filter(
    (path) =>
      ENTRIES.some((entry) => entry.test(path)) || (!hasProgram && !path.startsWith('tools/')),
  );
}

/** @param {Tree} tree */
export function deadFiles(tree) {
  const graph = graphOf(tree, true);
  const waiting = entryPoints(graph);
  const reached = new Set(waiting);
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const target of graph.get(at) ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      waiting.push(target);
    }
  }
  /** @type {import('./ratchet.mjs').Places} */
  const places = new Map();
  for (const path of graph.keys()) {
    const say = 'no program, test or tool imports it; use it or remove it';
    if (!reached.has(path)) places.set(path, { value: 1, say });
  }
  return { checked: graph.size, places };
}
