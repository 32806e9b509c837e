/** The joint bus of Feetech STS servos. */

import { failure, type Result, success } from '../../contract/result.ts';
import type { Bus } from '../servo/bus/bus.ts';
import type { Calibration } from '../servo/calibration/calibration.ts';
import { intoOneTurn, JointUnits } from '../servo/calibration/joint-units.ts';
import { isParked } from '../servo/calibration/park-pose.ts';
import { type ServoSlot, servoSlots } from '../servo/calibration/servo-slot.ts';
import { GoalLead } from '../servo/goals/goal-lead.ts';
import type { EndOfServos, JointBus, StartedJoints, StartProblem } from '../servo/joint-bus.ts';
import type { JointBusOptions } from '../servo/servo-family.ts';
import { startServos } from '../servo/start/safe-start.ts';
import { OVERLOAD_BIT } from './hardware-error.ts';
import { StsInspection } from './inspection.ts';
import { stsFullLags } from './joint-lag.ts';
import { StsLink, stsExchange } from './link.ts';
import { readSts, writeStsAndReadBack } from './servo-requests.ts';

export class FeetechBus implements JointBus {
  readonly has_watchdog = false;
  readonly timed = null;
  readonly stop_pressed = null;
  readonly bus: Bus;
  readonly link: StsLink;
  readonly full_lag_rad: readonly number[];
  readonly speed_share: readonly number[];
  readonly limits_torque: readonly boolean[];
  private readonly options: JointBusOptions;
  private readonly calibration: Calibration;
  private models: readonly string[] = [];

  constructor(options: JointBusOptions) {
    this.options = options;
    this.bus = options.bus;
    this.calibration = options.calibration;
    this.link = new StsLink(this.bus, options.clock, this.calibration);
    this.full_lag_rad = stsFullLags(this.calibration);
    const { joints } = this.calibration;
    this.speed_share = joints.map(({ drive }) => (drive ? 1 / drive.no_load_rad_s : 0));
    this.limits_torque = joints.map(() => false);
  }

  get statistics() {
    const { bus, link } = this;
    return { ...bus.counts, ...bus.readerCounts, ...link.counts };
  }

  get measured() {
    return this.link.measured;
  }

  get torque_n_m() {
    return this.link.torque_n_m;
  }

  get temperature_c() {
    return this.link.temperature_c;
  }

  get age_s() {
    return this.link.age_s;
  }

  get failed_cycles() {
    return this.link.failed_cycles;
  }

  get corrupt() {
    return this.bus.readerCounts.checksum_errors > 0;
  }

  get fault() {
    return this.link.fault;
  }

  /** Their torque limit is no grip that can be relied on: they drive none. */
  readonly drivenTool = null;

  get line_problem() {
    return this.bus.problem;
  }

  get line_symptom() {
    return this.link.line_symptom;
  }

  async start(): Promise<Result<StartedJoints, StartProblem>> {
    if (this.calibration.emergency_stop) {
      const message = 'Feetech servos have no input for emergency_stop: remove it';
      return failure({ joint: null, message });
    }
    await this.bus.open();
    return this.makeReady(false);
  }

  async recover(): Promise<Result<StartedJoints, StartProblem>> {
    for (const slot of this.link.alerted) await this.clearOverload(slot);
    const ready = await this.makeReady(true);
    if (!ready.ok) this.link.observe();
    return ready;
  }

  private async makeReady(resumed: boolean): Promise<Result<StartedJoints, StartProblem>> {
    const { bus, calibration } = this;
    const servos = new StsInspection(bus, calibration);
    const sample = stsExchange(servoSlots(calibration).map(({ id }) => id));
    const how = { ...this.options, resumed };
    const started = await startServos({ ...how, servos, line: bus, lag: this, sample });
    if (!started.ok) {
      return bus.problem ? failure({ joint: null, message: bus.problem }) : started;
    }
    const { report } = started.value;
    this.options.onStart?.(report);
    this.models = report.servos.map(({ model }) => model);
    this.link.start(started.value);
    return success(started.value);
  }

  /**
   * Clears the overload of a servo, which gives a part of its torque only until that is switched
   * off and on. Its goal becomes the one that holds the joint where it has sunk to.
   */
  private async clearOverload(slot: ServoSlot): Promise<void> {
    const { bus, calibration } = this;
    const { id, joint } = slot;
    const bits = await readSts(bus, id, 'status');
    const ticks = await readSts(bus, id, 'present_position');
    if (bits === null || ticks === null || (bits & OVERLOAD_BIT) === 0) return;
    const units = new JointUnits(slot.calibration);
    const pose_rad = Float64Array.from(this.measured.position_rad);
    pose_rad[joint] = units.toAngle(intoOneTurn(ticks));
    const lead = new GoalLead(calibration, this);
    lead.update(pose_rad, new Float64Array(6));
    const goal_ticks = units.toTicks(lead.goal_rad[joint]!);
    const set = await writeStsAndReadBack(bus, id, ['goal_position', goal_ticks]);
    // With its old goal the joint would jump; the start that follows names what stays in overload.
    if (set !== goal_ticks) return;
    await writeStsAndReadBack(bus, id, ['torque', 0]);
    await writeStsAndReadBack(bus, id, ['torque', 1]);
  }

  exchange(goal_rad: Float64Array): void {
    this.link.runCycle(goal_rad);
  }

  /** These servos have no watchdog: the driver above ends a motion after a stall. */
  supervise(): void {}

  keepGoals(): void {
    this.link.keepGoals();
  }

  suspend(): void {
    this.link.stop();
  }

  /** Parked servos let go, from the last joint to the base; others hold. */
  async end(): Promise<EndOfServos> {
    this.link.stop();
    const parked = isParked(this.calibration, this.measured.position_rad);
    for (const { id } of parked ? [...servoSlots(this.calibration)].reverse() : []) {
      await writeStsAndReadBack(this.bus, id, ['torque', 0]);
    }
    await this.bus.close();
    return parked ? 'released' : 'held';
  }

  close(): Promise<void> {
    return this.bus.close();
  }

  read() {
    return this.link.read(this.models);
  }
}
