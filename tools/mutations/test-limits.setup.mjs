/**
 * Makes a mutant cheap. After the first failure the other tests are left out; vitest's own way
 * (`bail`) may cancel the tests of the next mutant in a kept thread. A test that hangs ends after a
 * multiple of the time that the slowest test of its file takes without a mutant: at the limit of
 * StrykerJS a new process would have to start. With MUTATION_SECONDS a mutant meets the tests that
 * start within that time of the processor, and a property is tried for half a second. A failed
 * property is not searched for a smaller example.
 */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import fc from 'fast-check';
import { beforeEach, inject } from 'vitest';
import { NOTICED } from './kept-thread.mjs';

const FACTOR = 4;
const LEAST_MS = 6_000;
const PROPERTY_MS = 500;
/** Limit of a hook, which may start a whole twin beside other test processes. */
const HOOK_MS = 15_000;
/** Tests that wait have this multiple of the time of the processor. */
const WAIT_FACTOR = 3;

/** The limit of the tests of a file from its slowest test. @param {number} [slowest_ms] */
export const limitOf = (slowest_ms = 0) => LEAST_MS + FACTOR * slowest_ms;

/** Time on the wall, and of the processor. @typedef {{ wall_ms: number, cpu_ms: number }} Moment */

/** @returns {Moment} */
function present() {
  const { user, system } = process.cpuUsage();
  return { wall_ms: performance.now(), cpu_ms: (user + system) / 1_000 };
}

/**
 * `noticedMutant`: the one that a test of this thread noticed last; `testedMutant`: the one that
 * the tests run with; `since`: when they began. vitest keeps the state of the
 * run at hand beside it; `vi.setConfig` would also bring back the test names of an earlier mutant.
 * @typedef {{
 *   noticedMutant?: string, testedMutant?: string, since?: Moment,
 *   __vitest_worker__: { filepath: string, config: Record<string, unknown> },
 * }} Thread
 */
const thread = /** @type {Thread} */ (/** @type {unknown} */ (globalThis));

const most_ms = 1_000 * Number(process.env['MUTATION_SECONDS'] ?? Number.POSITIVE_INFINITY);
const path = process.env['MUTATION_TIMES'] ?? '';
if (existsSync(path)) {
  const slowest = JSON.parse(readFileSync(path, 'utf8'));
  const { filepath, config } = thread.__vitest_worker__;
  const limit_ms = limitOf(slowest[relative(process.cwd(), filepath).replaceAll('\\', '/')]);
  Object.assign(config, { testTimeout: limit_ms, hookTimeout: Math.max(limit_ms, HOOK_MS) });
  const mutant = inject(/** @type {never} */ ('activeMutant'));
  const limits = Number.isFinite(most_ms) ? { interruptAfterTimeLimit: PROPERTY_MS } : {};
  fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true, ...limits });
  if (thread.noticedMutant === mutant) throw new Error('another test file noticed the mutant');
  if (thread.testedMutant !== mutant) {
    Object.assign(thread, { testedMutant: mutant, since: present() });
  }
  const isLate = () => {
    const { wall_ms, cpu_ms } = present();
    const { since } = thread;
    if (since === undefined) return false;
    return cpu_ms - since.cpu_ms > most_ms || wall_ms - since.wall_ms > WAIT_FACTOR * most_ms;
  };
  beforeEach(({ skip, onTestFailed }) => {
    if (thread.noticedMutant === mutant || isLate()) skip();
    onTestFailed(() => {
      if (thread.noticedMutant === mutant) return;
      thread.noticedMutant = mutant;
      const channel = new BroadcastChannel(NOTICED);
      channel.postMessage(relative(process.cwd(), filepath).replaceAll('\\', '/'));
      channel.close();
    });
  });
}
