/** Sections of CHANGELOG.md, and the version in the files that name it. */
import { readdirSync } from 'node:fs';

const UNRELEASED = '## Unreleased';

/** Whether `next` is the later version; pre-releases come before their version. */
export function isLater(/** @type {string} */ next, /** @type {string} */ last) {
  const parts = (/** @type {string} */ text) => {
    const [core = '', pre] = text.split('-');
    return [...core.split('.').map(Number), pre === undefined ? 1 : 0];
  };
  const [a, b] = [parts(next), parts(last)];
  const at = a.findIndex((part, i) => part !== b[i]);
  if (at >= 0) return Number(a[at]) > Number(b[at]);
  return next.includes('-') && next > last;
}

/** @param {string} text */
export function isVersion(text) {
  return /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-[0-9a-z.]+)?$/.test(text);
}

/** The text of a section, without its heading; null when the changelog has none. */
export function sectionOf(/** @type {string} */ changelog, /** @type {string} */ name) {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line === `## ${name}` || line.startsWith(`## ${name} (`));
  if (start < 0) return null;
  const end = lines.findIndex((line, at) => at > start && line.startsWith('## '));
  return lines
    .slice(start + 1, end < 0 ? undefined : end)
    .join('\n')
    .trim();
}

/** The heading of a section that has its version but is not released. @param {string} version */
const pending = (version) => `## ${version} (unreleased)`;

/** Whether a section of the changelog has the date of the version. */
export function isCut(/** @type {string} */ changelog, /** @type {string} */ version) {
  return sectionOf(changelog, version) !== null && !changelog.includes(`${pending(version)}\n`);
}

/**
 * The changelog with the entries of Unreleased, or of the version's own unreleased section, as the
 * section of a version; throws a sentence when that cannot be.
 * @param {string} changelog
 * @param {{ version: string, last: string, date: string }} release `last`: the present version
 */
export function cutChangelog(changelog, { version, last, date }) {
  if (!isVersion(version)) throw new Error(`${version} is not a version such as 1.2.0`);
  // The present version is released first, when no section has its date.
  const isFirst = version === last && !isCut(changelog, version);
  if (!isFirst && !isLater(version, last)) throw new Error(`${version} is not later than ${last}`);
  const isPending = changelog.includes(`${pending(version)}\n`);
  const heading = isPending ? pending(version) : UNRELEASED;
  const name = isPending ? version : 'Unreleased';
  const entries = sectionOf(changelog, name);
  if (entries === null) throw new Error(`CHANGELOG.md has no section "${UNRELEASED}"`);
  if (entries === '') throw new Error(`CHANGELOG.md has nothing under ${name}`);
  return changelog.replace(heading, `${UNRELEASED}\n\n## ${version} (${date})`);
}

/** Where files name the version; the group before it stays. */
const PLACES = {
  'package.json': /("version": ")[^"]+/,
  'python/METADATA': /(\nVersion: )\S+/,
  'docs/versions.md': /(the version is )\d[\w.-]*\w/,
};
/** Image tags and tarballs with the version. */
const NAMED = /((?:\b|_)armtwin[:-])\d+\.\d+\.\d+(?:-[0-9a-z.]+?)?(?=\.tgz|-py3|["'`\s,)]|$)/gm;

/** The files that may name the version. @returns {string[]} */
export function filesWithText() {
  const below = ['docs', 'deploy', 'python', '.github'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const files = [...readdirSync('.'), ...below];
  return files.filter((path) => /\.(md|ya?ml|json)$|\/METADATA$/.test(path)).toSorted();
}

/** The versions that a file names. */
export function versionsIn(/** @type {string} */ path, /** @type {string} */ text) {
  const found = [...text.matchAll(NAMED)].map(([all, before]) => all.slice(String(before).length));
  const place = PLACES[/** @type {keyof typeof PLACES} */ (path)]?.exec(text);
  if (place) found.push(place[0].slice(String(place[1]).length));
  if (path !== 'package-lock.json') return found;
  const lock = JSON.parse(text);
  return [...found, lock.version, lock.packages[''].version];
}

/** The file with another version in each place. */
export function withVersion(
  /** @type {string} */ path,
  /** @type {string} */ text,
  /** @type {string} */ version,
) {
  const place = PLACES[/** @type {keyof typeof PLACES} */ (path)];
  const named = text.replaceAll(NAMED, `$1${version}`);
  if (path !== 'package-lock.json') return place ? named.replace(place, `$1${version}`) : named;
  // The first two versions of the lock are the package's own.
  let left = 2;
  return text.replace(/("version": ")[^"]+/g, (all, before) =>
    left-- > 0 ? `${before}${version}` : all,
  );
}
