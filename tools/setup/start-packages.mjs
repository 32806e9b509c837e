/**
 * The packages of a start: those of the program and those that bundle it. They are a quarter of all
 * packages by size; the others write types, check and test.
 */

/** Development packages that bundle the program. */
export const BUILD_PACKAGES = [
  '@fontsource-variable/inter',
  '@fontsource-variable/jetbrains-mono',
  '@preact/signals',
  'preact',
  'swagger-ui-dist',
  'three',
  'vite',
];

/**
 * @typedef {Record<string, string>} Versions name → version or range
 * @typedef {{
 *   dependencies?: Versions, devDependencies?: Versions, optionalDependencies?: Versions,
 *   peerDependencies?: Versions, peerDependenciesMeta?: Record<string, { optional?: boolean }>,
 * }} Manifest of a package, and its entry in a lock
 */

/**
 * The place in a lock where the package at `from` finds a package, as Node searches: its own
 * node_modules, then those of each folder above.
 * @param {Record<string, Manifest>} packages @param {string} from @param {string} name
 */
function placeOf(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (at === '') return undefined;
  }
}

/**
 * The names of the packages that one needs; optional peers are left out.
 * @param {Manifest} entry
 */
function neededBy({ dependencies, optionalDependencies, peerDependencies, ...entry }) {
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => entry.peerDependenciesMeta?.[name]?.optional !== true,
  );
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/**
 * Manifest and lock of the packages of a start. Versions and integrity stay those of the lock.
 * @param {string} manifest text of package.json @param {string} lock text of package-lock.json
 */
export function packagesOfStart(manifest, lock) {
  /** @type {Manifest} */
  const whole = JSON.parse(manifest);
  const devDependencies = Object.fromEntries(
    Object.entries(whole.devDependencies ?? {}).filter(([name]) => BUILD_PACKAGES.includes(name)),
  );
  const { packages, ...rest } = JSON.parse(lock);
  /** @type {Record<string, Manifest>} */
  const kept = { '': { ...packages[''], devDependencies } };
  /** @type {(readonly [string, string])[]} where a package is needed, and its name */
  const waiting = [...neededBy(whole), ...BUILD_PACKAGES].map((name) => ['', name]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const place = placeOf(packages, ...next);
    if (place === undefined || kept[place] !== undefined) continue;
    kept[place] = packages[place];
    waiting.push(...neededBy(packages[place]).map((name) => /** @type {const} */ ([place, name])));
  }
  return {
    manifest: JSON.stringify({ ...whole, devDependencies }, null, 2),
    lock: JSON.stringify({ ...rest, packages: kept }, null, 2),
  };
}
