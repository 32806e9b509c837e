/**
 * Timing of straight joint lines, which build by the hundred: the joints' rates are those of s at
 * a scale, so their limits are met by a double-S in closed form, nothing is shorter, and only the
 * tool has to be looked at along the way.
 */
import { doubleS } from './double-s.ts';
import { bestDoubleS } from './double-s-search.ts';
import type { JointLine } from './path.ts';
import {
  boundToolRates,
  checkTool,
  dilationFor,
  evaluateInPiece,
  type RateCheck,
} from './rate-check.ts';
import { LINE_EFFORT, NEAR_FLOOR, tighten } from './tighten.ts';
import { dilateProfile, type TimeProfile } from './time-profile.ts';
import { refineTool } from './timing-grid.ts';
import { createLineRows } from './topp-ra.ts';

/** Looks at the tool for each node of the grid, whose distance follows the tool's turning. */
const LOOKS = 6;
/** Where the tool is this close to what counts, each step is looked at in so many parts. */
const CLOSE = 0.93;
const PARTS = 2;

/** How closely the tool is looked at, and the dilation beyond which there is no need to. */
interface Look {
  readonly parts: number;
  readonly enough: number;
}

const ROUGH: Look = { parts: 1, enough: Number.POSITIVE_INFINITY };
const FINE: Look = { parts: PARTS, enough: Number.POSITIVE_INFINITY };
const FREE: Look = { parts: PARTS, enough: NEAR_FLOOR };
/** Nodes of a speed curve at least. */
const SPEED_NODES_MIN = 24;

/** The shortest timing found for a straight line from `from_s` to 1; it touches a limit. */
export function timeLine(check: RateCheck, path: JointLine, from_s: number): TimeProfile {
  const joints = jointLimits(check, path);
  const free = doubleS(from_s, 1, joints);
  const scale = lineDilation(check, free, FREE);
  // No motion is shorter than that of the joints alone, so near it nothing is left to gain.
  if (scale < NEAR_FLOOR) return dilateProfile(free, scale);
  const simple = bestDoubleS(check, from_s);
  const start = { profile: simple, dilation: lineDilation(check, simple, ROUGH) };
  const tool = refineTool(check.grid, SPEED_NODES_MIN);
  const rows = createLineRows(tool, joints, check.limits, check.tool_speed_m_s);
  const { profile } = tighten(check, rows, start, LINE_EFFORT);
  return dilateProfile(profile, lineDilation(check, profile, FINE));
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
 * Dilation factor that brings a profile on a straight line to its limits: joints where their rates
 * are largest, the tool at the ends of the pieces and as often between as it turns. Ends early once
 * the factor is `enough`.
 */
function lineDilation(check: RateCheck, profile: TimeProfile, { parts, enough }: Look): number {
  const step_s = profile.duration_s / (LOOKS * check.grid.s.length);
  let worst = 0;
  let before = 0;
  for (let i = 0; i < profile.knots_s.length - 1 && worst < enough; i++) {
    const width = profile.knots_s[i + 1]! - profile.knots_s[i]!;
    if (!(width > 0)) continue;
    worst = jointDilation(check, profile, i, worst);
    const n = Math.ceil(width / step_s);
    const finer = Math.ceil((parts * width) / (n * step_s));
    for (let k = 0; k < n; k++) {
      const here = toolDilation(check, profile, i, (width * (k + 1)) / n, CLOSE * worst);
      const looks = Math.max(before, here) > CLOSE * worst ? finer : 1;
      for (let look = 1; look < looks; look++) {
        worst = Math.max(
          worst,
          toolDilation(check, profile, i, (width * (k + look / looks)) / n, worst),
        );
      }
      worst = Math.max(worst, here);
      before = here;
    }
  }
  return worst;
}

/** The dilation that the joints need on piece `i`, or `least` when that is no larger. */
function jointDilation(check: RateCheck, profile: TimeProfile, i: number, least: number): number {
  const { point, ratios } = check;
  const { straight } = check.rates;
  evaluateInPiece(profile, i, 0, point);
  const last = point.a + point.j * (profile.knots_s[i + 1]! - profile.knots_s[i]!);
  // Inside a piece the speed is largest where the acceleration turns to braking.
  const turning = point.a > 0 && last < 0 ? (point.a * point.a) / (-2 * point.j) : 0;
  ratios.velocity = (point.v + turning) * straight.velocity;
  ratios.acceleration = Math.max(Math.abs(point.a), Math.abs(last)) * straight.acceleration;
  ratios.jerk = Math.abs(point.j) * straight.jerk;
  return dilationFor(ratios, least);
}

/** The dilation that the tool needs `u` seconds into piece `i`, or 0 when it is at most `least`. */
function toolDilation(
  check: RateCheck,
  profile: TimeProfile,
  i: number,
  u: number,
  least: number,
): number {
  const { point, ratios } = check;
  evaluateInPiece(profile, i, u, point);
  boundToolRates(check, point);
  if (ratios.velocity <= least && ratios.acceleration <= least * least) return 0;
  ratios.velocity = 0;
  ratios.acceleration = 0;
  checkTool(check, point);
  return Math.max(ratios.velocity, Math.sqrt(ratios.acceleration));
}
