/** Checks the imports of the tree against the tables of import-rules.mjs. */
import { IMPORT_RULES, NO_NODE_MODULES, PACKAGE_OWNERS, TEST_IMPORTS } from './import-rules.mjs';
import { isTest, liesIn } from './tree.mjs';

/** @typedef {import('./tree.mjs').Tree} Tree */

/**
 * The places that a file may import from, and those that it may import types from.
 * @param {string} path
 */
function allowed(path) {
  const row = IMPORT_RULES.find(({ place }) => liesIn(path, place));
  if (row === undefined) return undefined;
  const more = TEST_IMPORTS.filter(({ place }) => isTest(path) && path.startsWith(place));
  const may = [...row.may, ...more.flatMap((one) => one.may)];
  return { may, types: [...may, ...(row.types ?? [])] };
}

/** @param {string} path @param {string} target */
function importsApp(path, target) {
  const opener =
    /^(server\/(program|index|rehearse-worker)\.ts|bench\/)/.test(path) || isTest(path);
  return target === 'server/app/app.ts' && !opener;
}

/** @param {Tree} tree */
export function importDirections(tree) {
  const problems = [];
  for (const source of tree.files.values()) {
    const { path } = source;
    const row = allowed(path);
    if (row === undefined) {
      if (path.includes('/'))
        problems.push(`${path}: no row in tools/arch-lint/import-rules.mjs; add its folder`);
      continue;
    }
    for (const one of source.imports.filter(({ ours }) => ours)) {
      const places = one.types ? row.types : row.may;
      const at = `${path}:${one.line}: ${one.types ? 'types of ' : ''}${one.target}`;
      if (!places.some((place) => liesIn(one.target, place))) {
        problems.push(`${at}; may import ${row.may.join(', ')}`);
      }
      if (importsApp(path, one.target))
        problems.push(
          `${at}; only server/program.ts, index.ts and threads of the program import the app`,
        );
    }
  }
  return { checked: tree.files.size, problems };
}

/** @param {string} target */
function packageOf(target) {
  const parts = target.split('/');
  return target.startsWith('@') ? `${parts[0]}/${parts[1]}` : (parts[0] ?? '');
}

/** @param {Tree} tree */
export function packageOwners(tree) {
  const problems = [];
  for (const { path, imports } of tree.files.values()) {
    if (isTest(path) || path.startsWith('tools/')) continue;
    for (const one of imports) {
      const row = PACKAGE_OWNERS.find(({ packages }) => packages.includes(packageOf(one.target)));
      if (row === undefined || row.owners.some((home) => liesIn(path, home))) continue;
      const owners = row.owners.join(', ');
      problems.push(
        `${path}:${one.line}: only ${owners} may import ${one.target}; use that module`,
      );
    }
  }
  return { checked: tree.files.size, problems };
}

/** @param {Tree} tree */
export function nodeModules(tree) {
  const problems = [];
  let checked = 0;
  for (const { path, imports } of tree.files.values()) {
    const inside = NO_NODE_MODULES.some((folder) => liesIn(path, folder));
    if (!inside || isTest(path) || path.endsWith('.config.ts')) continue;
    checked++;
    for (const one of imports.filter(({ target }) => target.startsWith('node:'))) {
      const at = `${path}:${one.line}: ${one.target}`;
      problems.push(`${at}; this folder uses no Node module: pass it as an argument`);
    }
  }
  return { checked, problems };
}

/** Every place in the tables of import-rules.mjs must contain a file. @param {Tree} tree */
export function currentTables(tree) {
  const rows = IMPORT_RULES.flatMap(({ place, may, types = [] }) => [place, ...may, ...types]);
  const owners = PACKAGE_OWNERS.flatMap((row) => row.owners);
  const places = new Set([...rows, ...owners, ...TEST_IMPORTS.flatMap(({ may }) => may)]);
  const paths = [...tree.files.keys()];
  const stale = [...places].filter((place) => !paths.some((path) => liesIn(path, place)));
  const problems = stale.map(
    (place) => `${place}: no such file or folder; change tools/arch-lint/import-rules.mjs`,
  );
  return { checked: places.size, problems };
}
