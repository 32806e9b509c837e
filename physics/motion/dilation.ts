/**
 * The dilation that brings a timing exactly to its limits. A profile is looked at closely only
 * where its rates come near the worst found so far, so most of the work of timing a motion is
 * here, apart from the single look of rate-check.ts. Decision D23: an answer touches one limit.
 */
import { boundRates, moveTo, type RateRatios } from './joint-rates.ts';
import type { LimitShares } from './limits.ts';
import {
  boundToolRates,
  checkTool,
  dilationFor,
  evaluateInPiece,
  type JointCheck,
  type RateCheck,
} from './rate-check.ts';
import type { TimeProfile } from './time-profile.ts';

/** Steps in one, and those in one, where nothing comes near. */
const LONG_STEP = 3;
const STRIDE = 3;

/** How a look compares with the worst so far: no matter, worth its steps, worth their parts. */
type Nearness = 0 | 1 | 2;
const FAR = 0;
const NEAR = 1;
const CLOSE = 2;

/** Shares of the worst ratios from which on a look is near or close. */
const NEAR_SHARES: LimitShares = { velocity: 0.999, acceleration: 0.99, jerk: 0.9 };
const CLOSE_SHARES: LimitShares = { velocity: 0.9995, acceleration: 0.998, jerk: 0.985 };

function isBeyond(ratios: RateRatios, shares: LimitShares, worst: number): boolean {
  const square = worst * worst;
  return (
    ratios.velocity > shares.velocity * worst ||
    ratios.acceleration > shares.acceleration * square ||
    ratios.jerk > shares.jerk * square * worst
  );
}

/** One scan of a profile: the piece looked at and the dilation found so far. */
interface Scan {
  readonly check: JointCheck | RateCheck;
  readonly profile: TimeProfile;
  worst: number;
  piece: number;
  /** Length of the piece (s), long steps in it and looks at each. */
  width: number;
  steps: number;
  looks: number;
}

/**
 * Dilation factor that brings the profile exactly to its limits: above 1 it breaks one, below 1
 * it is slack. Both ends of each piece are looked at, between them every `step_s` where the rates
 * come close to the worst and less often elsewhere. Without a grid the tool is left out.
 */
export function worstDilation(
  check: JointCheck | RateCheck,
  profile: TimeProfile,
  step_s: number,
): number {
  const scan: Scan = { check, profile, worst: 0, piece: 0, width: 0, steps: 1, looks: 1 };
  const pieces = profile.knots_s.length - 1;
  for (let i = 0; i < pieces; i++) {
    const width = profile.knots_s[i + 1]! - profile.knots_s[i]!;
    if (!(width > 0)) continue;
    scan.piece = i;
    scan.width = width;
    scan.steps = Math.max(1, Math.ceil(width / step_s / LONG_STEP));
    scan.looks = Math.max(1, Math.ceil(width / step_s / scan.steps));
    scanPiece(scan);
  }
  return scan.worst;
}

function scanPiece(scan: Scan): void {
  let before = lookAt(scan, 0);
  for (let k = 0; k < scan.steps; k += STRIDE) {
    const end = Math.min(scan.steps, k + STRIDE);
    const here = lookAt(scan, end);
    if (before !== FAR || here !== FAR) scanSteps(scan, k, end, before, here);
    before = here;
  }
}

/** The steps between two looks, the parts of a step where one of its ends is close. */
function scanSteps(scan: Scan, from: number, to: number, first: Nearness, last: Nearness): void {
  let before = first;
  for (let k = from; k < to; k++) {
    const here = k + 1 < to ? lookAt(scan, k + 1) : last;
    for (let look = 1; look < scan.looks && (before === CLOSE || here === CLOSE); look++) {
      lookAt(scan, k + look / scan.looks);
    }
    before = here;
  }
}

/** Looks at `step` long steps into the piece and takes its dilation over if it is the worst. */
function lookAt(scan: Scan, step: number): Nearness {
  const { check } = scan;
  const { point, rates, ratios } = check;
  evaluateInPiece(scan.profile, scan.piece, (scan.width * step) / scan.steps, point);
  const tool = 'grid' in check && toolMatters(check, scan.worst);
  boundRates(rates, point, ratios);
  if (isBeyond(ratios, NEAR_SHARES, scan.worst)) moveTo(rates, point, ratios);
  else if (tool) clearRatios(ratios);
  else return FAR;
  if (tool) checkTool(check as RateCheck, point);
  scan.worst = dilationFor(ratios, scan.worst);
  if (isBeyond(ratios, CLOSE_SHARES, scan.worst)) return CLOSE;
  return isBeyond(ratios, NEAR_SHARES, scan.worst) ? NEAR : FAR;
}

function toolMatters(check: RateCheck, worst: number): boolean {
  boundToolRates(check, check.point);
  return isBeyond(check.ratios, NEAR_SHARES, worst);
}

function clearRatios(ratios: RateRatios): void {
  ratios.velocity = 0;
  ratios.acceleration = 0;
  ratios.jerk = 0;
  ratios.path_jerk = 0;
}
