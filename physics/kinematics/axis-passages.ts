/**
 * Passages of the wrist-centre circle (over phi = q6) close to axis 1: the arm's azimuth changes
 * fast there, so the loops of the closing condition need nodes spread evenly in azimuth.
 */
import { WRIST_OFFSET_M } from '../arm/arm-model.ts';
import { cos, PI, sin, sinCos, sincosAt, TWO_PI } from '../math/portable.ts';
import { axisDistance } from './reach-windows.ts';
import { MIDDLE, wristTarget } from './wrist-condition.ts';

/** Number of approaches within `ON_AXIS_M` of axis 1, and of nodes to add. */
export const passage = { onAxis: 0, nodes: 0 };
/** phi of each approach to the axis (rad). */
export const passageAngles = new Float64Array(4);
/** phi of every node to add to every loop (rad). */
export const axisNodes = new Float64Array(512);

const SAMPLES = 24;
/** Sine and cosine of every sample, and of the first again. */
const SAMPLE_CIRCLE = Float64Array.from({ length: 2 * (SAMPLES + 1) }, (_, i) => {
  const angle = (TWO_PI * (i >> 1)) / SAMPLES;
  return i % 2 === 0 ? sin(angle) : cos(angle);
});
const AZIMUTHS = Float64Array.from({ length: 15 }, (_, i) => {
  const angle = ((i - 7) * PI) / 16;
  return sin(angle) / cos(angle);
});
const ON_AXIS_M = 1e-6;
/** Distance of the circle's centre from axis 1 beyond which it keeps away from the axis (m). */
const NEAR_CIRCLE_M = 1.6 * Math.abs(WRIST_OFFSET_M);
const RATIO_MIN = 1e-13;
const SPREAD_START = 5.03;
const SPREAD_GROWTH = 1.7;
const SPREAD_MAX_RAD = 0.2;

const angle = new Float64Array(1);
const slope = new Float64Array(2);

/**
 * Half the derivative of |W_xy|² by phi, and half its second derivative, where phi has the sine
 * and cosine at `i` of `turns`.
 */
function measureSlope(turns: Float64Array, i: number): void {
  const d = axisDistance;
  const s = turns[i]!;
  const c = turns[i + 1]!;
  const sin2 = 2 * s * c;
  const cos2 = c * c - s * s;
  slope[0] = 0.5 * (d[2]! * c - d[1]! * s) + d[4]! * cos2 - d[3]! * sin2;
  slope[1] = 0 - 0.5 * (d[1]! * c + d[2]! * s) - 2 * (d[3]! * cos2 + d[4]! * sin2);
}

/** Newton iteration to the minimum between two samples; the angle ends in `angle[0]`. */
function refineMinimum(sample: number): void {
  let low = (TWO_PI * sample) / SAMPLES;
  let high = (TWO_PI * (sample + 1)) / SAMPLES;
  angle[0] = 0.5 * (low + high);
  for (let i = 0; i < 40; i++) {
    sincosAt(angle, 0);
    measureSlope(sinCos, 0);
    if (slope[0]! > 0) high = angle[0]!;
    else low = angle[0]!;
    let next: number = angle[0]! - slope[0]! / slope[1]!;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const move = Math.abs(next - angle[0]!);
    angle[0] = next;
    if (move < 1e-15) return;
  }
}

function addNode(offset: number): void {
  if (passage.nodes < axisNodes.length) axisNodes[passage.nodes++] = angle[0]! + offset;
}

/**
 * Adds the nodes of the approach at `angle[0]` if it is close relative to the wrist's speed there.
 */
function addPassage(): void {
  sincosAt(angle, 0);
  const s = sinCos[0]!;
  const c = sinCos[1]!;
  const x = wristTarget[MIDDLE]! + WRIST_OFFSET_M * (c * wristTarget[0]! - s * wristTarget[3]!);
  const y = wristTarget[MIDDLE + 1]! + WRIST_OFFSET_M * (c * wristTarget[1]! - s * wristTarget[4]!);
  const vx = WRIST_OFFSET_M * (0 - s * wristTarget[0]! - c * wristTarget[3]!);
  const vy = WRIST_OFFSET_M * (0 - s * wristTarget[1]! - c * wristTarget[4]!);
  const distance = Math.sqrt(x * x + y * y);
  if (distance < ON_AXIS_M) passageAngles[passage.onAxis++] = angle[0]!;
  const speed = Math.sqrt(vx * vx + vy * vy);
  if (!(distance < speed)) return;
  const ratio = Math.max(distance / speed, RATIO_MIN);
  const first = SPREAD_START * ratio;
  let last = first;
  while (last < SPREAD_MAX_RAD) last *= SPREAD_GROWTH;
  for (let d = last / SPREAD_GROWTH; d > 0.9 * first; d /= SPREAD_GROWTH) addNode(0 - d);
  for (let i = 0; i < AZIMUTHS.length; i++) addNode(ratio * AZIMUTHS[i]!);
  for (let d = first; d < SPREAD_MAX_RAD; d *= SPREAD_GROWTH) addNode(d);
}

/** Finds the approaches of the target's wrist circle to axis 1; requires `findWindows` before. */
export function findAxisPassages(): void {
  passage.onAxis = 0;
  passage.nodes = 0;
  const bx = wristTarget[MIDDLE]!;
  const by = wristTarget[MIDDLE + 1]!;
  if (Math.sqrt(bx * bx + by * by) >= NEAR_CIRCLE_M) return;
  measureSlope(SAMPLE_CIRCLE, 0);
  let before = slope[0]!;
  for (let i = 0; i < SAMPLES && passage.onAxis < passageAngles.length; i++) {
    measureSlope(SAMPLE_CIRCLE, 2 * i + 2);
    const after = slope[0]!;
    if (before <= 0 && after > 0) {
      refineMinimum(i);
      addPassage();
    }
    before = after;
  }
}
