/**
 * Rule for the ports of the arm: every class that implements one has a test file that imports the
 * file of the class and the case suite of the port.
 */
import { walk } from './source.mjs';

/** @typedef {import('./tree.mjs').Tree} Tree */

/** The case suite of each port. @type {Record<string, string>} */
const SUITES = {
  ArmDriver: 'bridge/arm-driver.cases.ts',
  ArmWorld: 'bridge/arm-world.cases.ts',
};

/** The classes that implement a port: file, class and port. @param {Tree} tree */
function implementations(tree) {
  /** @type {{ path: string, name: string, port: string }[]} */
  const found = [];
  for (const { path, program } of tree.files.values()) {
    if (!/^(bridge|server)\//.test(path) || /\.(test|cases)\.ts$/.test(path)) continue;
    walk(program, (node) => {
      if (node.type !== 'ClassDeclaration') return;
      for (const { expression } of node['implements'] ?? []) {
        if (SUITES[expression.name] !== undefined)
          found.push({ path, name: node['id'].name, port: expression.name });
      }
    });
  }
  return found;
}

/** The files that a file imports, directly or over one other file. @param {Tree} tree */
function nearImports(tree) {
  const direct = (/** @type {string} */ path) =>
    tree.files.get(path)?.imports.map(({ target }) => target) ?? [];
  return (/** @type {string} */ path) => {
    const first = direct(path);
    return new Set([...first, ...first.flatMap(direct)]);
  };
}

/** @param {Tree} tree */
export function portSuites(tree) {
  const near = nearImports(tree);
  const tests = [...tree.files.keys()].filter((path) => path.endsWith('.test.ts'));
  const classes = implementations(tree);
  const problems = classes
    .filter(({ path, port }) => {
      const suite = /** @type {string} */ (SUITES[port]);
      return !tests.some((test) => near(test).has(path) && near(test).has(suite));
    })
    .map(
      ({ path, name, port }) =>
        `${path}: no test runs the cases of ${port} on ${name}; call those of ${SUITES[port]} in a test beside it`,
    );
  return { checked: classes.length, problems };
}
