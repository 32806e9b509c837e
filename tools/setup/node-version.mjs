/** Refuses an unsupported Node version with a clear message. */
import { readFileSync } from 'node:fs';

/**
 * True when `version` is at least `floor`, both as `major.minor.patch`.
 * @param {string} version
 * @param {string} floor
 */
export function isAtLeast(version, floor) {
  const have = version.split('.').map(Number);
  const need = floor.split('.').map(Number);
  for (let i = 0; i < 3; i++) {
    const difference = (have[i] ?? 0) - (need[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** Ends the process with exit code 2 when Node is older than package.json's `engines.node`. */
export function refuseOldNode() {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  const floor = String(engines.node).replace('>=', '').trim();
  if (isAtLeast(process.versions.node, floor)) return;
  const found = process.versions.node;
  console.error(
    `armtwin needs Node ${floor} or later, not ${found}; install a newer one: https://nodejs.org/en/download`,
  );
  process.exit(2);
}
