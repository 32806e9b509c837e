#!/usr/bin/env node
/**
 * The entry point: sets how V8 collects garbage, before anything is there to collect, and runs the
 * program. Its imports are dynamic for that reason.
 */
import { setFlagsFromString } from 'node:v8';

/** Parts of a collection that V8 shares with its threads, and that end when all of them have. */
const SHARED_PARTS = [
  ...['parallel-scavenge', 'parallel-compaction', 'parallel-pointer-update'],
  'concurrent-array-buffer-sweeping',
];

/**
 * Keeps collections shorter than a tick on the thread of the control loop. Without these flags its
 * young generation grows with the modules that the program loads, and each collection of it takes
 * three ticks at 2000 calls a second. Old objects, to which V8 counts the memory of large bodies,
 * are collected up to 20 times a second while such bodies arrive.
 *
 * A collection is the work of its own thread alone: shared work ends with the slowest thread, and
 * where all processors are busy that one waits for its turn while the control loop stands still.
 */
function limitCollections(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=100');
  for (const part of SHARED_PARTS) setFlagsFromString(`--no-${part}`);
}

limitCollections();
// Threads start with 4 MB: documents and plans are not bound to ticks.
setFlagsFromString('--min-semi-space-size=4');
const { systemClock } = await import('./clock/wall-clock.ts');
// V8 puts the factor back at some moment between the creation of a thread and its first script.
process.on('worker', (thread) => {
  let cancel = () => {};
  const repeat = () => {
    limitCollections();
    cancel = systemClock.afterUnreferenced(1, repeat);
  };
  const end = () => {
    cancel();
    limitCollections();
  };
  repeat();
  thread.once('online', end).once('exit', end);
});
const [{ takeArmOption }, { ArmError }] = await Promise.all([
  import('./cli/arm-option.ts'),
  import('../arms/given-arm.ts'),
]);

/** The program, for the arm of the command line; null where there is no such arm. */
async function load(): Promise<(() => Promise<void>) | null> {
  try {
    const words = process.argv.slice(2);
    takeArmOption(words, process.env);
    process.argv.splice(2, process.argv.length, ...words);
    return (await import('./program.ts')).main;
  } catch (error) {
    if (!(error instanceof ArmError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
    return null;
  }
}

await (await load())?.();
