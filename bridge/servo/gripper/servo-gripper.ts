/**
 * A gripper that a servo moves, which limits its force by its current: an output closes and opens it,
 * and a current that it needs short of its end says that it grips something. A family of servos sends
 * its goals and reads it (DynamixelBus). Positions in steps, currents in A.
 */

import type { DrivenTool } from '../../arm-driver.ts';
import type { GripperCalibration } from '../calibration/gripper-calibration.ts';

/** What a gripper's servo measures. */
export interface GripperSample {
  readonly position_ticks: number;
  readonly rate_ticks_s: number;
  readonly current_a: number;
}

/** How a start found the servo of a gripper. */
export interface FoundGripper {
  readonly holds: boolean;
  readonly goal_ticks: number;
  readonly position_ticks: number;
}

/** Share of the travel within which it has reached an end: thinner parts are not felt. */
const AT_END_SHARE = 0.03;
/** The same of an open gripper: what keeps it from more is a jam. */
const OPEN_SHARE = 0.1;
/** Share of the gripping current that a part needs; friction alone needs a fifth at most. */
const FELT_SHARE = 0.6;
/** A servo slower than this stands (shares of the travel a second). */
const STILL_SHARE_S = 0.06;
/** Samples in a row that tell a part, or that it is gone: 0.1 s. */
const TOLD_SAMPLES = 3;
/** Time in which it opens (s): four times what the profile of its goals takes. */
const OPENS_S = 3;

export class ServoGripper implements DrivenTool {
  readonly inputValues = new Map<string, boolean>();
  readonly standingOutputs = new Map<string, boolean>();
  readonly calibration: GripperCalibration;
  /** The position that its servo is sent to (steps). */
  goal_ticks = 0;
  private closes = false;
  private sample: GripperSample = { position_ticks: 0, rate_ticks_s: 0, current_a: 0 };
  /** Samples in a row that differ from the present word about a part. */
  private others = 0;
  private opening_s = 0;

  constructor(calibration: GripperCalibration) {
    this.calibration = calibration;
  }

  /**
   * Begins with the gripper as a start found it: one that holds keeps its goal and so its part, a
   * limp one is held where it stands. Anything but an open gripper counts as closed.
   */
  begin(found: FoundGripper): void {
    const { output } = this.calibration;
    this.sample = { position_ticks: found.position_ticks, rate_ticks_s: 0, current_a: 0 };
    this.goal_ticks = found.holds ? found.goal_ticks : found.position_ticks;
    this.closes =
      this.opened(found.holds ? found.goal_ticks : found.position_ticks) < 1 - OPEN_SHARE;
    this.standingOutputs.set(output, this.closes);
    this.opening_s = 0;
    this.tellPart(false);
  }

  /** Goes on after a fault: it does again what its output says, and so grips what it still has. */
  resume(found: FoundGripper): void {
    const closes = this.closes;
    this.begin(found);
    this.follow(closes);
  }

  setOutputs(outputs: Readonly<Record<string, unknown>>): void {
    const closes = outputs[this.calibration.output] === true;
    if (closes !== this.closes) this.follow(closes);
  }

  private follow(closes: boolean): void {
    const { output, open_ticks, closed_ticks } = this.calibration;
    this.closes = closes;
    this.standingOutputs.set(output, closes);
    this.goal_ticks = closes ? closed_ticks : open_ticks;
    this.opening_s = 0;
  }

  /** Takes a sample, `dt_s` after the last; returns why the gripper fails, or null. */
  update(sample: GripperSample, dt_s: number): string | null {
    this.sample = sample;
    const tells = this.isGripping !== this.isPartPresent;
    this.others = tells ? this.others + 1 : 0;
    if (this.others >= TOLD_SAMPLES) this.tellPart(!this.isPartPresent);
    const { open_ticks } = this.calibration;
    const opens = !this.closes && this.goal_ticks === open_ticks && this.opening < 1 - OPEN_SHARE;
    this.opening_s = opens ? this.opening_s + dt_s : 0;
    if (this.opening_s < OPENS_S) return null;
    this.opening_s = 0;
    const where = `it stands at ${Math.round(100 * this.opening)} % of its way`;
    return `does not open: ${where} with ${Math.abs(sample.current_a).toFixed(2)} A; free what holds it`;
  }

  private tellPart(isPresent: boolean): void {
    this.others = 0;
    this.inputValues.set(this.calibration.part_present_input, isPresent);
  }

  get isPartPresent(): boolean {
    return this.inputValues.get(this.calibration.part_present_input) ?? false;
  }

  get isClosing(): boolean {
    return this.closes;
  }

  /** How far it is open: 0 shut, 1 open. */
  get opening(): number {
    return this.opened(this.sample.position_ticks);
  }

  /** Whether it pushes, stands, and is not shut. */
  private get isGripping(): boolean {
    const { open_ticks, closed_ticks, grip_current_a } = this.calibration;
    const travel = closed_ticks - open_ticks;
    const { rate_ticks_s, current_a } = this.sample;
    if (!this.closes || Math.abs(rate_ticks_s / travel) > STILL_SHARE_S) return false;
    const pushes = Math.sign(travel) * current_a > FELT_SHARE * grip_current_a;
    return pushes && this.opening > AT_END_SHARE;
  }

  private opened(ticks: number): number {
    const { open_ticks, closed_ticks } = this.calibration;
    return (ticks - closed_ticks) / (open_ticks - closed_ticks);
  }
}
