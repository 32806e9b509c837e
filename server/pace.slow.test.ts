/** The whole script in real time and on the stepped clock, on both plants: equal digests. */
import { describe, it } from 'vitest';
import { digestAfter } from './scripted-run.cases.ts';

/** After the last command of the script. */
const END_S = 11;

describe.concurrent('at 1 times real time, to the end', () => {
  it.for(['fast', 'rapier'] as const)(
    '%s gives the digest of the stepped clock',
    { timeout: 60_000 },
    async (driver, { expect: demand }) => {
      const real = digestAfter({ driver, clock: 1 }, END_S);
      demand(await real).toBe(await digestAfter({ driver }, END_S));
    },
  );
});
