/** Import directions and one home a package: the tables of houses.mjs held against the tree. */
import { BROWSER_ROOMS, DIRECTIONS, HOMES, TESTS_ALSO } from './houses.mjs';
import { isTest, liesIn } from './tree.mjs';

/** @typedef {import('./tree.mjs').Tree} Tree */

/**
 * The places a file may import from, and those it may know types of.
 * @param {string} path
 */
function allowed(path) {
  const row = DIRECTIONS.find(({ place }) => liesIn(path, place));
  if (row === undefined) return undefined;
  const more = TESTS_ALSO.filter(({ place }) => isTest(path) && path.startsWith(place));
  const may = [...row.may, ...more.flatMap((one) => one.may)];
  return { may, types: [...may, ...(row.types ?? [])] };
}

/** @param {string} path @param {string} target */
function takesTheRoof(path, target) {
  const opener = /^(server\/(main|index)\.ts|bench\/)/.test(path) || isTest(path);
  return target === 'server/app.ts' && !opener;
}

/** @param {Tree} tree */
export function importDirections(tree) {
  const problems = [];
  for (const source of tree.files.values()) {
    const { path } = source;
    const row = allowed(path);
    if (row === undefined) {
      if (path.includes('/')) problems.push(`${path}: no row in houses.mjs; add its room`);
      continue;
    }
    for (const one of source.imports.filter(({ ours }) => ours)) {
      const places = one.types ? row.types : row.may;
      const at = `${path}:${one.line}: ${one.types ? 'types of ' : ''}${one.target}`;
      if (!places.some((place) => liesIn(one.target, place))) {
        problems.push(`${at}; may import ${row.may.join(', ')}`);
      }
      if (takesTheRoof(path, one.target)) problems.push(`${at}; only main and index build the app`);
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
export function oneHome(tree) {
  const problems = [];
  for (const { path, imports } of tree.files.values()) {
    if (isTest(path) || path.startsWith('tools/')) continue;
    for (const one of imports) {
      const row = HOMES.find(({ packages }) => packages.includes(packageOf(one.target)));
      if (row === undefined || row.homes.some((home) => liesIn(path, home))) continue;
      const homes = row.homes.join(', ');
      problems.push(`${path}:${one.line}: ${one.target} lives in ${homes}; ask there`);
    }
  }
  return { checked: tree.files.size, problems };
}

/** @param {Tree} tree */
export function browserRooms(tree) {
  const problems = [];
  let checked = 0;
  for (const { path, imports } of tree.files.values()) {
    const inside = BROWSER_ROOMS.some((room) => liesIn(path, room));
    if (!inside || isTest(path) || path.endsWith('.config.ts')) continue;
    checked++;
    for (const one of imports.filter(({ target }) => target.startsWith('node:'))) {
      const at = `${path}:${one.line}: ${one.target}`;
      problems.push(`${at}; this room runs in a browser: take it as an argument`);
    }
  }
  return { checked, problems };
}
