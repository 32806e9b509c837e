/**
 * Dilation of a profile to its limits: `worstDilation` is the factor that brings it exactly there,
 * above 1 it exceeds one, below 1 it has slack. Dilation by k scales velocity by 1/k, acceleration
 * by 1/k², jerk by 1/k³. The scan is fine only where the rates come near the worst found so far. A
 * planned motion touches one limit (D23).
 */

import { cbrt } from '../math/portable.ts';
import { boundJointRatios, jointRatios, type RateRatios } from './joint-rates.ts';
import type { LimitShares } from './limits.ts';
import {
  boundToolRates,
  checkToolRates,
  type JointRateCheck,
  type RateCheck,
} from './rate-check.ts';
import { evaluateInPiece, type TimeProfile } from './time-profile.ts';

/** Fine steps per long step, and long steps per stride where nothing is near the worst. */
const LONG_STEP = 3;
const STRIDE = 3;

/**
 * Relevance of a sample against the worst so far: irrelevant, check its steps, check their parts.
 */
type Nearness = 0 | 1 | 2;
const FAR = 0;
const NEAR = 1;
const CLOSE = 2;

/** Shares of the worst ratios from which a sample is near or close. */
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

/** State of a profile scan: the current piece and the dilation found so far. */
interface Scan {
  readonly check: JointRateCheck | RateCheck;
  readonly profile: TimeProfile;
  worst: number;
  piece: number;
  /** Length of the piece (s), its long steps and the samples in each. */
  width: number;
  steps: number;
  samples: number;
}

/**
 * Dilation factor that brings the profile exactly to its limits. Samples both ends of each piece
 * and, between them, every `step_s` where the rates are close to the worst and fewer elsewhere.
 * Without a grid it ignores the tool.
 */
export function worstDilation(
  check: JointRateCheck | RateCheck,
  profile: TimeProfile,
  step_s: number,
): number {
  const scan: Scan = { check, profile, worst: 0, piece: 0, width: 0, steps: 1, samples: 1 };
  const pieces = profile.knots_s.length - 1;
  for (let i = 0; i < pieces; i++) {
    const width = profile.knots_s[i + 1]! - profile.knots_s[i]!;
    if (!(width > 0)) continue;
    scan.piece = i;
    scan.width = width;
    scan.steps = Math.max(1, Math.ceil(width / step_s / LONG_STEP));
    scan.samples = Math.max(1, Math.ceil(width / step_s / scan.steps));
    scanPiece(scan);
  }
  return scan.worst;
}

function scanPiece(scan: Scan): void {
  let before = sampleAt(scan, 0);
  for (let k = 0; k < scan.steps; k += STRIDE) {
    const end = Math.min(scan.steps, k + STRIDE);
    const here = sampleAt(scan, end);
    if (before !== FAR || here !== FAR) scanSteps(scan, k, end, before, here);
    before = here;
  }
}

/** Scans the steps between two samples, and the parts of a step where one of its ends is close. */
function scanSteps(scan: Scan, from: number, to: number, first: Nearness, last: Nearness): void {
  let before = first;
  for (let k = from; k < to; k++) {
    const here = k + 1 < to ? sampleAt(scan, k + 1) : last;
    for (let part = 1; part < scan.samples && (before === CLOSE || here === CLOSE); part++) {
      sampleAt(scan, k + part / scan.samples);
    }
    before = here;
  }
}

/** Samples `step` long steps into the piece and adopts its dilation if it is the worst. */
function sampleAt(scan: Scan, step: number): Nearness {
  const { check } = scan;
  const { point, rates, ratios } = check;
  evaluateInPiece(scan.profile, scan.piece, (scan.width * step) / scan.steps, point);
  const tool = 'grid' in check && toolMatters(check, scan.worst);
  boundJointRatios(rates, point, ratios);
  if (isBeyond(ratios, NEAR_SHARES, scan.worst)) jointRatios(rates, point, ratios);
  else if (tool) clearRatios(ratios);
  else return FAR;
  if (tool) checkToolRates(check as RateCheck, point);
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

/** The dilation that brings the worst ratio to 1, or `least` when that is no larger. */
export function dilationFor(ratios: RateRatios, least = 0): number {
  let worst = Math.max(least, ratios.velocity);
  if (ratios.acceleration > worst * worst) worst = Math.sqrt(ratios.acceleration);
  if (ratios.jerk > worst * worst * worst) worst = cbrt(ratios.jerk);
  return worst;
}
