/** Check of the import graph: no cycles at run time. */

/**
 * @typedef {import('./tree.mjs').Tree} Tree
 * @typedef {Map<string, string[]>} Graph
 */

/**
 * The imports at run time, without those of types.
 * @param {Tree} tree
 * @returns {Graph}
 */
function graphOf(tree) {
  const graph = new Map();
  for (const { path, imports } of tree.files.values()) {
    const wanted = imports.filter((one) => !one.types && tree.files.has(one.target));
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
  const found = cyclesOf(graphOf(tree));
  const problems = found.map(
    (cycle) =>
      `${cycle.join(' → ')}; import only a type, or move the shared part to a third module`,
  );
  return { checked: tree.files.size, problems };
}
