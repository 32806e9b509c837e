/** The random linear moves, and the segments planned for them, that benches of motion measure. */
import { planLinearMove, toolOf } from '../physics/motion/linear-move.ts';
import { randomLinearMove, randomSource } from '../physics/motion/poses.cases.ts';
import type { MotionCaps } from '../physics/motion/segment.ts';
import type { Move } from './motion-textbook.ts';

export const CAPS: MotionCaps = { tool_speed_m_s: 0.75, tool_offset_m: [0, 0, 0.1] };
export const TOOL = toolOf(CAPS);
export const random = randomSource(1);
export const lines: Move[] = Array.from({ length: 100 }, () => randomLinearMove(random, TOOL));

export const planLine = (move: Move) => planLinearMove({ ...move, caps: CAPS, waypoints: [] });

export const segments = lines.flatMap((move) => {
  const plan = planLine(move);
  return plan.kind === 'planned' ? [plan.segment] : [];
});
