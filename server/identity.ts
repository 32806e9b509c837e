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

/** The product's own version, from its package file beside the build or the sources. */
export function productVersion(): string {
  for (const place of ['../package.json', '../../package.json']) {
    try {
      const text = readFileSync(new URL(place, import.meta.url), 'utf8');
      return (JSON.parse(text) as { version: string }).version;
    } catch {
      // The sources lie one level nearer to the package file than the build does.
    }
  }
  return 'unknown';
}
