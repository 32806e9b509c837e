/** The speed limits of §8, measured at the flange of the plant. */

import { expect, it } from 'vitest';
import type { RunMode } from '../contract/types.generated.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../physics/kinematics/forward.ts';
import { startTwin } from './app/app.ts';
import { TWIN_DEFAULTS } from './cli/config.ts';
import { ADA, HOME, moveStep, toolpathOf } from './robot/robot-harness.cases.ts';

const TICK_S = 0.004;
/** Tolerance for tracking, which is accurate to some micrometres per second. */
const SLACK_M_S = 1e-4;
const FAR = [1.5, -0.6, -1.2, 0, -1.2, 0];

async function topSpeed(driver: 'fast' | 'rapier', mode: RunMode): Promise<number> {
  const twin = await startTwin({ ...TWIN_DEFAULTS, driver });
  const frames = createFrames();
  const origin = FLANGE_FRAME * FRAME_SIZE + 9;
  const place = (q: ArrayLike<number>) => {
    forward(q, frames);
    return frames.slice(origin, origin + 3);
  };
  twin.loop.apply({ kind: 'lock', caller: ADA });
  const toolpath = toolpathOf([moveStep(HOME, FAR, 1), moveStep(FAR, HOME, -1)]);
  twin.loop.apply({ kind: 'load', caller: ADA, toolpath });
  expect(twin.loop.apply({ kind: 'run', caller: ADA, mode, loop: 1 })).toBeNull();
  let before = place(new Float64Array(6));
  let top = 0;
  twin.loop.subscribe({
    onTick({ position_rad }) {
      const now = place(position_rad);
      top = Math.max(top, Math.hypot(...now.map((x, axis) => x - before[axis]!)) / TICK_S);
      before = now;
    },
  });
  const renew = () => twin.loop.apply({ kind: 'renew_lock', caller: ADA });
  for (let s = 0; s < 40 && twin.robot.memory.state === 'running'; s += 2) {
    renew();
    await twin.clock.advance(2 / TICK_S);
  }
  expect(twin.robot.memory.state).toBe('ready');
  await twin.close();
  return top;
}

it.each([
  ['fast', 'teach', 0.25],
  ['fast', 'automatic', 1.5],
  ['rapier', 'teach', 0.25],
] as const)('%s in %s mode stays below %d m/s', async (driver, mode, cap_m_s) => {
  const top = await topSpeed(driver, mode);
  expect(top).toBeLessThanOrEqual(cap_m_s + SLACK_M_S);
  expect(top).toBeGreaterThan(0.5 * cap_m_s);
});
