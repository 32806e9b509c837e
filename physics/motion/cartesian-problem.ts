/**
 * What is wrong with a path through Cartesian space, in words: why tracking ended, or which
 * singularity the path passes too closely. The outcome of tracking decides first, margins second.
 * Spec §2.4.
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import { createFrames, forward } from '../kinematics/forward.ts';
import { createDeterminantFactors, determinantFactors } from '../kinematics/jacobian.ts';
import { boundaryCode } from './joint-move.ts';
import type { PathTable } from './path.ts';
import type { TableResult } from './path-table.ts';
import type { MotionProblem } from './segment.ts';

/** Which factor of the Jacobian's determinant is small, and from where on it is one. */
interface Margin {
  readonly code: MotionError;
  readonly warning_code: MotionError;
  readonly error: number;
  readonly warning: number;
  readonly advice: string;
}

/** The twin's own margins: wrist centre from axis 1 (m), sine of the elbow, wrist factor. */
const MARGINS: readonly Margin[] = [
  {
    code: 'shoulder_singularity',
    warning_code: 'shoulder_singularity_warning',
    error: 0.005,
    warning: 0.02,
    advice: 'the wrist comes too close to the axis of joint 1. Move the path away from that axis.',
  },
  {
    code: 'elbow_singularity',
    warning_code: 'elbow_singularity_warning',
    error: 0.02,
    warning: 0.08,
    advice: 'the elbow is all but stretched. Bring the path closer to the robot.',
  },
  {
    code: 'wrist_singularity',
    warning_code: 'wrist_singularity_warning',
    error: 0.01,
    warning: 0.05,
    advice: 'the axes of the wrist line up. Turn the tool, or use a joint_space move.',
  },
];

const frames = createFrames();
const factors = createDeterminantFactors();
/** Distance from each margin's singularity at the pose last measured. */
const distances = new Float64Array(3);

function measure(q: Float64Array): void {
  forward(q, frames);
  determinantFactors(frames, factors);
  distances[0] = Math.abs(factors.shoulder_m);
  distances[1] = Math.abs(factors.elbow);
  distances[2] = Number.isNaN(factors.wrist) ? 1 : Math.abs(factors.wrist);
}

/** The margin that the pose `q` is deepest in, or null when it is outside all warnings. */
function nearestMargin(q: Float64Array): Margin | null {
  measure(q);
  let best: Margin | null = null;
  let least = 1;
  MARGINS.forEach((margin, i) => {
    const ratio = distances[i]! / margin.warning;
    if (ratio < least) {
      least = ratio;
      best = margin;
    }
  });
  return best;
}

/** The problem of a curve that could not be followed to its end; `fallback` where none fits. */
export function problemOfEnd(
  end: Extract<TableResult, { kind: 'ended' }>,
  fallback: MotionError,
): MotionProblem {
  const { s, outcome, joint } = end;
  const place = `At ${(100 * s).toFixed(1)} % of the path`;
  if (outcome === 'limit') {
    const message = `${place} joint ${joint + 1} comes to its limit. Move the waypoints.`;
    return { code: boundaryCode(joint), s, message };
  }
  if (outcome === 'not_on_curve') {
    return { code: fallback, s, message: 'The start joints do not stand on the path.' };
  }
  const margin = nearestMargin(end.q);
  if (margin) return { code: margin.code, s, message: `${place} ${margin.advice}` };
  return {
    code: 'singularity',
    s,
    message: `${place} the arm can not follow the path. Use a joint_space move, or other joints.`,
  };
}

/** Closest approach to one singularity along a path. */
interface Approach {
  distance: number;
  s: number;
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
  const approaches = MARGINS.map((): Approach => ({ distance: Number.POSITIVE_INFINITY, s: 0 }));
  const n = path.s.length;
  const ends = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < n; i++) {
    measure(path.q.subarray(6 * i, 6 * i + 6));
    for (let k = 0; k < 3; k++) {
      const distance = distances[k]!;
      if (i === 0 || i === n - 1) ends[k] = Math.min(ends[k]!, distance);
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
    const passes = distance < ends[k]!;
    if (distance < margin.warning) warnings.push({ code: margin.warning_code, s, message });
    if (!passes || distance >= margin.error) return;
    if (!problem || s < problem.s) problem = { code: margin.code, s, message };
  });
  return { problem, warnings };
}
