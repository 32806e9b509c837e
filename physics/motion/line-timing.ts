/**
 * Timing of straight joint lines, which build by the hundred: the joints' rates are those of s at
 * a scale, so their limits are met by a double-S in closed form, nothing is shorter, and only the
 * tool has to be looked at along the way.
 */
import { doubleS } from './double-s.ts';
import { bestDoubleS } from './double-s-search.ts';
import type { JointLine } from './path.ts';
import { checkTool, dilationFor, evaluateInPiece, type RateCheck } from './rate-check.ts';
import { fastestWithoutJerk, LINE_EFFORT, NEAR_FLOOR, tighten } from './tighten.ts';
import { dilateProfile, type TimeProfile } from './time-profile.ts';
import { refineTool } from './timing-grid.ts';
import { createLineRows } from './topp-ra.ts';

/**
 * Looks at the tool for each node of the grid, whose distance follows the tool's turning: while a
 * timing is sought, and before it is the answer.
 */
const LOOKS_ROUGH = 4;
const LOOKS_FINE = 12;
/** Nodes of a speed curve at least. */
const SPEED_NODES_MIN = 24;

/** The shortest timing found for a straight line from `from_s` to 1; it touches a limit. */
export function timeLine(check: RateCheck, path: JointLine, from_s: number): TimeProfile {
  const joints = jointLimits(check, path);
  const free = doubleS(from_s, 1, joints);
  const scale = lineDilation(check, free, LOOKS_ROUGH);
  // No motion is shorter than that of the joints alone, so near it nothing is left to gain.
  if (scale < NEAR_FLOOR) return dilateProfile(free, lineDilation(check, free, LOOKS_FINE));
  const simple = bestDoubleS(check, from_s);
  const start = dilateProfile(simple, lineDilation(check, simple, LOOKS_ROUGH));
  const tool = refineTool(check.grid, SPEED_NODES_MIN);
  const rows = createLineRows(tool, joints, check.limits, check.tool_speed_m_s);
  const near = start.duration_s < NEAR_FLOOR * fastestWithoutJerk(rows);
  const best = near ? start : tighten(check, rows, start, LINE_EFFORT);
  return dilateProfile(best, lineDilation(check, best, LOOKS_FINE));
}

function jointLimits({ limits }: RateCheck, { start, end }: JointLine) {
  const infinity = Number.POSITIVE_INFINITY;
  const out = { v: infinity, a: infinity, j: infinity };
  for (let k = 0; k < 6; k++) {
    const travel = Math.abs(end[k]! - start[k]!);
    out.v = Math.min(out.v, limits.velocity_rad_s[k]! / travel);
    out.a = Math.min(out.a, limits.acceleration_rad_s2[k]! / travel);
    out.j = Math.min(out.j, limits.jerk_rad_s3[k]! / travel);
  }
  return out;
}

/**
 * Dilation factor that brings a profile on a straight line exactly to its limits: joints where
 * their rates are largest, the tool at the ends of the pieces and as often between as it turns.
 */
function lineDilation(check: RateCheck, profile: TimeProfile, looks: number): number {
  const { point, ratios } = check;
  const { straight } = check.rates;
  const pieces = profile.knots_s.length - 1;
  const step_s = profile.duration_s / (looks * check.grid.s.length);
  let worst = 0;
  for (let i = 0; i < pieces; i++) {
    const width = profile.knots_s[i + 1]! - profile.knots_s[i]!;
    if (!(width > 0)) continue;
    const n = Math.max(1, Math.ceil(width / step_s));
    for (let k = 0; k < n; k++) {
      evaluateInPiece(profile, i, (width * k) / n, point);
      if (k === 0) {
        const last = point.a + point.j * width;
        const turning = point.a > 0 && last < 0 ? (point.a * point.a) / (-2 * point.j) : 0;
        ratios.velocity = (point.v + turning) * straight.velocity;
        ratios.acceleration = Math.max(Math.abs(point.a), Math.abs(last)) * straight.acceleration;
        ratios.jerk = Math.abs(point.j) * straight.jerk;
      }
      checkTool(check, point);
      worst = dilationFor(ratios, worst);
    }
  }
  return worst;
}
