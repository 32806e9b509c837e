/** Version and default name of the product, and the Node version that it needs. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Version of the arm's software that the twin presents (D10). */
export const SOFTWARE_VERSION = '4.9.0';

const ADJECTIVES = ['Quiet', 'Patient', 'Bright', 'Steady', 'Gentle', 'Swift', 'Curious', 'Candid'];
const PLACES = ['Harbour', 'Meadow', 'Summit', 'Orchard', 'Lagoon', 'Canyon', 'Garden', 'Delta'];
const NOUNS = ['Fox', 'Heron', 'Baker', 'Potter', 'Otter', 'Weaver', 'Falcon', 'Gardener'];

/** Generates a robot name of three words; the same seed gives the same name. */
export function robotName(seed: number): string {
  const at = (list: readonly string[], step: number) =>
    list[Math.abs(Math.imul(seed + step, 0x9e3779b1) >> 8) % list.length]!;
  return `${at(ADJECTIVES, 1)} ${at(PLACES, 7)} ${at(NOUNS, 13)}`;
}

interface PackageFile {
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** What package.json says; undefined before it is read. */
let read: PackageFile | null | undefined;

/** package.json above the sources or the build, read once; null where neither has one. */
function packageFile(): PackageFile | null {
  if (read === undefined) read = readPackageFile();
  return read;
}

function readPackageFile(): PackageFile | null {
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as PackageFile;
    } catch {
      // The sources are one folder closer to package.json than the build.
    }
  }
  return null;
}

/** The version in package.json. */
export function productVersion(): string {
  return packageFile()?.version ?? 'unknown';
}

/** The source of the log: the configured name of the robot, or the machine. */
export function logSourceOf({ name }: { readonly name: string | null }) {
  return { instance: name ?? hostname(), version: productVersion() };
}

/** Whether a version is lower than another, by their numbers: a collator takes 20 ms to load. */
function isLower(version: string, other: string): boolean {
  const [own, least] = [version, other].map((text) => text.split('.').map(Number));
  const at = own!.findIndex((number, i) => number !== least![i]);
  return at >= 0 && own![at]! < least![at]!;
}

/** Error message for a Node version that is too old; null for one that is supported. */
export function nodeTooOld(version: string): string | null {
  const floor = packageFile()?.engines.node.replace('>=', '') ?? '0';
  return isLower(version, floor)
    ? `armtwin needs Node ${floor} or later, not ${version}; install a newer one: https://nodejs.org/en/download`
    : null;
}
