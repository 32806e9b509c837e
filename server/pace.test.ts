/**
 * The first motion of the script in real time and on the stepped clock, on both plants: equal
 * digests. The whole script is in pace.slow.test.ts, and at 10 times real time in twin.test.ts.
 * @module-tag ci
 */
import { describe, it } from 'vitest';
import { digestAfter } from './scripted-run.cases.ts';

/** In the middle of the motion: a worker of the tests waits for as long. */
const END_S = 2;

describe.concurrent('at 1 times real time', () => {
  it.for(['fast', 'rapier'] as const)(
    '%s gives the digest of the stepped clock',
    { timeout: 60_000 },
    async (driver, { expect: demand }) => {
      const real = digestAfter({ driver, clock: 1 }, END_S);
      demand(await real).toBe(await digestAfter({ driver }, END_S));
    },
  );
});
