/** Who the twin is when nobody said: its version, and three words for a name, as arms have them. */
import { readFileSync } from 'node:fs';

/** Version of the arm's software that the twin presents (decision D10). */
export const SOFTWARE_VERSION = '4.9.0';

const MOODS = ['Quiet', 'Patient', 'Bright', 'Steady', 'Gentle', 'Swift', 'Curious', 'Candid'];
const PLACES = ['Harbour', 'Meadow', 'Summit', 'Orchard', 'Lagoon', 'Canyon', 'Garden', 'Delta'];
const BEINGS = ['Fox', 'Heron', 'Baker', 'Potter', 'Otter', 'Weaver', 'Falcon', 'Gardener'];

/** A robot's name made from a seed: the same seed gives the same name. */
export function robotName(seed: number): string {
  const at = (list: readonly string[], step: number) =>
    list[Math.abs(Math.imul(seed + step, 0x9e3779b1) >> 8) % list.length]!;
  return `${at(MOODS, 1)} ${at(PLACES, 7)} ${at(BEINGS, 13)}`;
}

interface PackageFile {
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** The package file beside the build or the sources; null where neither has one. */
function packageFile(): PackageFile | null {
  for (const place of ['../package.json', '../../package.json']) {
    try {
      return JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8')) as PackageFile;
    } catch {
      // The sources lie one level nearer to the package file than the build does.
    }
  }
  return null;
}

/** The product's own version. */
export function productVersion(): string {
  return packageFile()?.version ?? 'unknown';
}

/** Why a Node of this version cannot run the product, in a sentence; null when it can. */
export function nodeTooOld(version: string): string | null {
  const floor = packageFile()?.engines.node.replace('>=', '') ?? '0';
  const isOld = version.localeCompare(floor, 'en', { numeric: true }) < 0;
  return isOld ? `armtwin needs Node ${floor} or later; this is ${version}.` : null;
}
