/**
 * How closely a Cartesian path passes a singularity: tracking reports where a curve cannot be
 * followed at all, the margins judge paths that can (§2.4).
 */

import type { MotionError } from '../../contract/motion-errors.ts';
import {
  SINGULAR_DISTANCES,
  SINGULARITY_MARGINS,
  type SingularityMargin,
  singularDistances,
} from '../kinematics/singularity.ts';
import type { PathTable } from './joint-path.ts';
import type { MotionProblem } from './motion-problem.ts';

interface Margin extends SingularityMargin {
  readonly advice: string;
}

const ADVICE = {
  shoulder_singularity:
    'the wrist comes too close to the axis of joint 1. Move the path away from that axis.',
  elbow_singularity: 'the elbow is almost stretched. Move the path closer to the robot.',
  wrist_singularity:
    'the axes of the wrist are aligned. Rotate the tool, or use a joint_space move.',
} as const;

const MARGINS: readonly Margin[] = SINGULARITY_MARGINS.map((margin) => ({
  ...margin,
  advice: ADVICE[margin.code],
}));

/** Distance from each singularity at the last measured pose. */
const distances = SINGULAR_DISTANCES.create();

/** Problem and warnings of the singularity margins on a path. */
export interface MarginFindings {
  readonly problem: MotionProblem | null;
  readonly warnings: readonly MotionProblem[];
}

/**
 * Passing through a margin is a problem or a warning. The part of a path that leaves or reaches a
 * pose within the error margin is neither, so that every pose can be left and reached.
 */
export function findSingularityMargins(path: PathTable): MarginFindings {
  const nodes = path.s.length;
  /** Distances along the path, a row for each singularity. */
  const table = MARGINS.map(() => new Float64Array(nodes));
  for (let i = 0; i < nodes; i++) {
    singularDistances(path.q.subarray(6 * i, 6 * i + 6), distances);
    for (let k = 0; k < MARGINS.length; k++) table[k]![i] = distances[MARGINS[k]!.at]!;
  }
  let problem: MotionProblem | null = null;
  const warnings: MotionProblem[] = [];
  MARGINS.forEach((margin, k) => {
    const along = table[k]!;
    const close = closest(along, 0, nodes - 1);
    if (along[close]! < margin.warning) {
      warnings.push(problemAt(path.s[close]!, margin, margin.warning_code));
    }
    const passed = closestPassage(along, margin.error);
    if (passed < 0 || (problem && problem.s <= path.s[passed]!)) return;
    problem = problemAt(path.s[passed]!, margin, margin.code);
  });
  return { problem, warnings };
}

/** Index of the smallest distance between two nodes, both included. */
function closest(along: Float64Array, from: number, to: number): number {
  let best = from;
  for (let i = from + 1; i <= to; i++) if (along[i]! < along[best]!) best = i;
  return best;
}

/**
 * Closest node within the error margin that belongs neither to the part that leaves the start nor
 * to the part that reaches the end, or -1. At an end that is exactly singular another factor may
 * vanish, so the nodes next to the ends decide.
 */
function closestPassage(along: Float64Array, error: number): number {
  let from = 1;
  let to = along.length - 2;
  while (from <= to && along[from]! < error) from++;
  while (to >= from && along[to]! < error) to--;
  if (from > to) return -1;
  const close = closest(along, from, to);
  return along[close]! < error ? close : -1;
}

function problemAt(s: number, margin: Margin, code: MotionError): MotionProblem {
  return { code, s, message: `At ${(100 * s).toFixed(1)} % of the path ${margin.advice}` };
}
