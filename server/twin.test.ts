/** The twin as a whole, in process: time, determinism, a run over HTTP on both plants. */
import { describe, expect, it } from 'vitest';
import { planJointMove } from '../physics/motion/joint-move.ts';
import { createTwin, type Twin, type TwinOptions } from './index.ts';
import type { Caller } from './robot/commands.ts';
import { HOME, thereAndBack } from './robot/ideal-arm.cases.ts';

const ADA: Caller = { user_id: 1, token_id: 1, role: 'admin' };

async function withTwin<Value>(options: TwinOptions, use: (twin: Twin) => Promise<Value>) {
  const twin = await createTwin(options);
  try {
    return await use(twin);
  } finally {
    await twin.close();
  }
}

/** The same commands at the same moments: to home, a run with a pause, an emergency stop. */
function rehearse(twin: Twin): void {
  const caps = { tool_speed_m_s: 0.25, tool_offset_m: [0, 0, 0] as const };
  const start = new Float64Array(6);
  const { path, profile } = planJointMove({
    start,
    end: Float64Array.from(HOME),
    caps,
    waypoints: [],
  });
  const motion = { start, path, profile, caps };
  twin.at(0.1, () => twin.apply({ kind: 'lock', caller: ADA }));
  twin.at(0.2, () => twin.apply({ kind: 'go_to', caller: ADA, mode: 'automatic', motion }));
  twin.at(8, () => twin.apply({ kind: 'load', caller: ADA, toolpath: thereAndBack() }));
  twin.at(8.1, () => twin.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 0 }));
  twin.at(9.3, () => twin.apply({ kind: 'estop', engaged: true }));
  twin.at(10.7, () => twin.apply({ kind: 'estop', engaged: false }));
}

describe('determinism', () => {
  it.each(['fast', 'rapier'] as const)(
    '%s: equal commands by tick, equal digests',
    async (driver) => {
      const digests = [];
      for (let round = 0; round < 2; round++) {
        digests.push(
          await withTwin({ driver }, async (twin) => {
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
    const stepped = await withTwin({}, async (twin) => {
      rehearse(twin);
      await twin.advance(12);
      return twin.digest();
    });
    const scaled = await withTwin({ clock: 10 }, async (twin) => {
      rehearse(twin);
      let digest = '';
      await new Promise<void>((resolve) => {
        twin.at(12, () => {
          digest = twin.digest();
          resolve();
        });
      });
      return digest;
    });
    expect(scaled).toBe(stepped);
  });

  it('notices a changed command', async () => {
    const run = (engaged: boolean) =>
      withTwin({}, async (twin) => {
        rehearse(twin);
        twin.at(5, () => twin.apply({ kind: 'inputs', values: { d0: engaged } }));
        await twin.advance(12);
        return twin.digest();
      });
    expect(await run(true)).not.toBe(await run(false));
  });
});

describe('time', () => {
  it('passes 48 hours of idle time in a moment, with the lock lapsing on the way', async () => {
    await withTwin({}, async (twin) => {
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
