/**
 * The bill of materials of the package, as npm makes it from package-lock.json: the packages that
 * an installation runs, each with version, licence and place of origin.
 */
import { execFileSync } from 'node:child_process';

/** @typedef {'cyclonedx' | 'spdx'} Format */
/**
 * @typedef {{ name: string, version?: string, versionInfo?: string, licenses?: unknown[],
 *   licenseDeclared?: string, purl?: string, externalRefs?: { referenceLocator: string }[] }} Item
 */
/** @typedef {{ version?: string, dev?: boolean, devOptional?: boolean, peer?: boolean }} Entry */
/** @typedef {{ packages: Record<string, Entry> }} Lock */

/**
 * Names and versions of the packages of the lock that an installation runs.
 * @param {Lock} lock
 */
function installed({ packages }) {
  const entries = Object.entries(packages).filter(
    ([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional,
  );
  return new Set(
    entries.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`),
  );
}

/** @param {Item} item */
const nameOf = (item) => `${item.name}@${item.version ?? item.versionInfo}`;

/**
 * The bill in a format: npm's bill of all packages, without those of development. (npm's own
 * --omit dev also leaves out a package that runs when another of development needs it too.) npm
 * names the bill after the folder, which is corrected.
 * @param {Format} format
 * @param {{ name: string, version: string }} root
 * @param {Lock} lock
 * @returns {any}
 */
export function sbomOf(format, { name, version }, lock) {
  const flags = ['--package-lock-only', '--sbom-type', 'application', '--sbom-format', format];
  const text = execFileSync('npm', ['sbom', ...flags], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return onlyInstalled(format, JSON.parse(text), { name, version, runs: installed(lock) });
}

/**
 * @param {Format} format @param {any} sbom
 * @param {{ name: string, version: string, runs: Set<string> }} root
 */
function onlyInstalled(format, sbom, { name, version, runs }) {
  const keep = (/** @type {Item} */ item) => runs.has(nameOf(item));
  if (format === 'cyclonedx') {
    const root = sbom.metadata.component['bom-ref'];
    sbom.components = sbom.components.filter(keep);
    const refs = new Set([
      root,
      ...sbom.components.map((/** @type {any} */ one) => one['bom-ref']),
    ]);
    sbom.dependencies = sbom.dependencies
      .filter((/** @type {any} */ { ref }) => refs.has(ref))
      .map((/** @type {any} */ one) => ({
        ...one,
        dependsOn: one.dependsOn.filter((/** @type {string} */ ref) => refs.has(ref)),
      }));
    Object.assign(sbom.metadata.component, { name, version });
    return sbom;
  }
  const [root] = sbom.documentDescribes;
  sbom.packages = sbom.packages.filter(
    (/** @type {any} */ one) => one.SPDXID === root || keep(one),
  );
  const ids = new Set([sbom.SPDXID, ...sbom.packages.map((/** @type {any} */ one) => one.SPDXID)]);
  sbom.relationships = sbom.relationships.filter(
    (/** @type {any} */ one) => ids.has(one.spdxElementId) && ids.has(one.relatedSpdxElement),
  );
  sbom.name = `${name}@${version}`;
  return sbom;
}

/** @param {Format} format @param {any} sbom @returns {Item[]} */
function itemsOf(format, sbom) {
  if (format === 'cyclonedx') return sbom.components;
  const [root] = sbom.documentDescribes;
  return sbom.packages.filter((/** @type {any} */ { SPDXID }) => SPDXID !== root);
}

/** Whether an item says where it comes from and under which licence. @param {Item} item */
function isDescribed({ purl, externalRefs = [], licenses = [], licenseDeclared = '' }) {
  const origin = purl ?? externalRefs[0]?.referenceLocator ?? '';
  const isLicensed = licenses.length > 0 || !['', 'NOASSERTION'].includes(licenseDeclared);
  return origin.startsWith('pkg:npm/') && isLicensed;
}

/**
 * Compares a bill with the lock: every package that runs is in it, once, and no other.
 * @param {Format} format
 * @param {any} sbom
 * @param {Lock} lock
 */
export function sbomProblems(format, sbom, lock) {
  const items = itemsOf(format, sbom);
  const listed = new Set(items.map(nameOf));
  const wanted = installed(lock);
  const problems = [
    ...[...wanted].filter((name) => !listed.has(name)).map((name) => `${name} is missing`),
    ...[...listed].filter((name) => !wanted.has(name)).map((name) => `${name} is not installed`),
    ...items
      .filter((one) => !isDescribed(one))
      .map(({ name }) => `${name} has no licence or origin`),
  ];
  return { packages: listed.size, problems: problems.map((text) => `${format}: ${text}`) };
}
