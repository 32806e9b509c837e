/** Shuts a twin down part by part, and limits how long that may take. */
import { writeSync } from 'node:fs';
import { limits } from '../../contract/limits.ts';
import { systemClock } from '../clock/clock.ts';

const STDERR = 2;

/** Closes one part. */
export type ShutdownStep = () => unknown;

/**
 * Runs every step in order, even after one failed: a failure must not leave the data folder locked
 * or threads running. Rejects with the first failure at the end.
 */
export async function runShutdownSteps(steps: readonly ShutdownStep[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Exits with 1 when the shutdown takes longer than `limits.shutdown_s`. */
export function limitShutdownTime(): void {
  systemClock.afterUnreferenced(limits.shutdown_s * 1000, () => {
    writeSync(STDERR, `The shutdown took longer than ${limits.shutdown_s} s; exiting\n`);
    process.exit(1);
  });
}
