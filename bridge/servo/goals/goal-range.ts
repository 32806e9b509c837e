/**
 * The goals that a joint needs for its calibrated range, and the range that is left of it where its
 * servos accept fewer goals.
 */
import type { JointCalibration } from '../calibration/calibration.ts';
import { JointUnits, TICKS_PER_TURN } from '../calibration/joint-units.ts';
import { LEAD_MAX_RAD } from './goal-lead.ts';

/** A joint that fell onto its end stop may start this far outside of its range (rad). */
export const RANGE_SLACK_RAD = 0.1;

/**
 * Lowest and highest goal (steps) by the calibration of a joint: with a margin for the lead of the
 * goals over the pose, so that no limit in a servo holds a goal back inside the range.
 */
export function goalRangeOf(joint: JointCalibration): readonly [number, number] {
  const units = new JointUnits(joint);
  const slack_rad = joint.drive ? LEAD_MAX_RAD : RANGE_SLACK_RAD;
  const [low, high] = [joint.min_rad - slack_rad, joint.max_rad + slack_rad]
    .map((angle) => Math.min(TICKS_PER_TURN - 1, Math.max(0, units.toTicks(angle))))
    .sort((a, b) => a - b);
  return [low!, high!];
}

/**
 * The range of a joint (rad) whose servos accept goals from `low` to `high` (steps): narrower than
 * the calibrated one by as much as that is narrower than the goals of the calibration.
 */
export function jointRange(
  joint: JointCalibration,
  [low, high]: readonly [number, number],
): readonly [number, number] {
  const units = new JointUnits(joint);
  const [lowest, highest] = goalRangeOf(joint);
  const cut = (ticks: number) => Math.abs(units.toAngle(Math.max(0, ticks)) - units.toAngle(0));
  const cuts = [cut(low - lowest), cut(highest - high)];
  const [below, above] = units.sign > 0 ? cuts : cuts.toReversed();
  return [joint.min_rad + below!, joint.max_rad - above!];
}
