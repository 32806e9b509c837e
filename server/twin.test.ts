/** The whole twin in process: time, determinism, a run over HTTP on both plants. */
import { describe, expect, it } from 'vitest';
import { ADA } from './robot/robot-harness.cases.ts';
import { digestAfter, rehearse, runWithTwin } from './scripted-run.cases.ts';

describe('determinism', () => {
  it.each(['fast', 'rapier'] as const)(
    '%s: equal commands by tick, equal digests',
    async (driver) => {
      const digests = [];
      for (let round = 0; round < 2; round++) {
        digests.push(
          await runWithTwin({ driver }, async (twin) => {
            rehearse(twin);
            await twin.advance(20);
            return twin.digest();
          }),
        );
      }
      expect(digests[0]).toBe(digests[1]);
    },
  );

  it('gives the digest of the stepped clock at 10 times real time', async () => {
    expect(await digestAfter({ clock: 10 }, 12)).toBe(await digestAfter({}, 12));
  });

  it('calls back for a time that has passed at the next advance', async () => {
    await runWithTwin({}, async (twin) => {
      await twin.advance(1);
      const calls_s: number[] = [];
      twin.at(0.5, () => calls_s.push(twin.now_s()));
      expect(calls_s).toEqual([]);
      await twin.advance(0.1);
      expect(calls_s).toHaveLength(1);
      expect(calls_s[0]).toBeCloseTo(1, 1);
      return '';
    });
  });

  it('gives another digest for a changed command', async () => {
    const run = (engaged: boolean) =>
      runWithTwin({}, async (twin) => {
        rehearse(twin);
        twin.at(5, () => twin.apply({ kind: 'inputs', values: { d0: engaged } }));
        await twin.advance(12);
        return twin.digest();
      });
    expect(await run(true)).not.toBe(await run(false));
  });
});

describe('time', () => {
  it('skips 48 hours of idle time, during which the lock expires', async () => {
    await runWithTwin({}, async (twin) => {
      twin.apply({ kind: 'lock', caller: ADA });
      await twin.advance(299);
      expect(twin.apply({ kind: 'lock', caller: { ...ADA, token_id: 9 } })?.refused).toBe(
        'lock_held_by_other',
      );
      await twin.advance(2);
      expect(twin.apply({ kind: 'lock', caller: { ...ADA, token_id: 9 } })).toBeNull();
      await twin.advance(48 * 3600);
      expect(twin.now_s()).toBeCloseTo(48 * 3600 + 301, 6);
    });
  });
});
