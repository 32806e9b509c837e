/** Random linear moves and their planned segments, the inputs of the motion benchmarks. */
import { createPrng } from '../physics/math/prng.ts';
import { planLinearMove } from '../physics/motion/linear-move.ts';
import type { MotionCaps } from '../physics/motion/motion-caps.ts';
import { toolOf } from '../physics/motion/motion-caps.ts';
import { randomLinearMove } from '../physics/motion/poses.cases.ts';
import type { BaselineMove } from './motion.baseline.ts';

export const CAPS: MotionCaps = { tool_speed_m_s: 0.75, tool_offset_m: [0, 0, 0.1] };
export const TOOL = toolOf(CAPS);
export const random = createPrng(1);
export const lines: BaselineMove[] = Array.from({ length: 100 }, () =>
  randomLinearMove(random, TOOL),
);

export const planLine = (move: BaselineMove) =>
  planLinearMove({ ...move, caps: CAPS, waypoints: [] });

export const segments = lines.flatMap((move) => {
  const plan = planLine(move);
  return plan.kind === 'planned' ? [plan.segment] : [];
});
