/**
 * Which singularities a path through Cartesian space passes closely, and whether that is a fault.
 * Where tracking could not follow the curve at all, kinematics names the reason; this is the
 * second look, at paths that could be followed. Spec §2.4.
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import { createFrames, forward } from '../kinematics/forward.ts';
import { createDeterminantFactors, determinantFactors } from '../kinematics/jacobian.ts';
import { SINGULARITY_MARGINS } from '../kinematics/singularity.ts';
import type { PathTable } from './path.ts';
import type { MotionProblem } from './segment.ts';

/** One factor of the Jacobian's determinant: its margins and what they are called. */
interface Margin {
  readonly code: MotionError;
  readonly warning_code: MotionError;
  readonly error: number;
  readonly warning: number;
  readonly advice: string;
}

const MARGINS: readonly Margin[] = [
  {
    code: 'shoulder_singularity',
    warning_code: 'shoulder_singularity_warning',
    ...SINGULARITY_MARGINS.shoulder,
    advice: 'the wrist comes too close to the axis of joint 1. Move the path away from that axis.',
  },
  {
    code: 'elbow_singularity',
    warning_code: 'elbow_singularity_warning',
    ...SINGULARITY_MARGINS.elbow,
    advice: 'the elbow is all but stretched. Bring the path closer to the robot.',
  },
  {
    code: 'wrist_singularity',
    warning_code: 'wrist_singularity_warning',
    ...SINGULARITY_MARGINS.wrist,
    advice: 'the axes of the wrist line up. Turn the tool, or use a joint_space move.',
  },
];

const frames = createFrames();
const factors = createDeterminantFactors();
/** Distance from each margin's singularity at the pose last measured. */
const distances = new Float64Array(3);

/** A vanishing shoulder or elbow factor is singular only if nothing is left beside it. */
function measure(q: Float64Array): void {
  forward(q, frames);
  determinantFactors(frames, factors);
  distances[0] = Math.max(Math.abs(factors.shoulder_m), Math.abs(factors.shoulder_rest_m));
  distances[1] = Math.max(Math.abs(factors.elbow), Math.abs(factors.elbow_rest));
  const wrist = Math.abs(factors.wrist);
  distances[2] = Number.isFinite(wrist) ? wrist : Number.POSITIVE_INFINITY;
}

/** Closest approach to one singularity along a path. */
interface Approach {
  readonly distance: number;
  readonly s: number;
}

/** What the margins say about a path that could be followed. */
export interface MarginFindings {
  readonly problem: MotionProblem | null;
  readonly warnings: readonly MotionProblem[];
}

/**
 * Passing through a margin is a problem or a warning; standing in one at an end is not, so that
 * every pose can be left and reached.
 */
export function findMargins(path: PathTable): MarginFindings {
  const nowhere: Approach = { distance: Number.POSITIVE_INFINITY, s: 0 };
  const approaches = MARGINS.map(() => nowhere);
  const ends = MARGINS.map(() => Number.POSITIVE_INFINITY);
  const last = path.s.length - 1;
  for (let i = 0; i <= last; i++) {
    measure(path.q.subarray(6 * i, 6 * i + 6));
    for (let k = 0; k < MARGINS.length; k++) {
      const distance = distances[k]!;
      if (i === 0 || i === last) ends[k] = Math.min(ends[k]!, distance);
      else if (distance < approaches[k]!.distance) approaches[k] = { distance, s: path.s[i]! };
    }
  }
  return judge(approaches, ends);
}

function judge(approaches: readonly Approach[], ends: readonly number[]): MarginFindings {
  let problem: MotionProblem | null = null;
  const warnings: MotionProblem[] = [];
  approaches.forEach(({ distance, s }, k) => {
    const margin = MARGINS[k]!;
    const message = `At ${(100 * s).toFixed(1)} % of the path ${margin.advice}`;
    if (distance < margin.warning) warnings.push({ code: margin.warning_code, s, message });
    if (distance >= ends[k]! || distance >= margin.error) return;
    if (!problem || s < problem.s) problem = { code: margin.code, s, message };
  });
  return { problem, warnings };
}
