/** The joint bus of DYNAMIXEL X-series servos (Protocol 2.0). */

import { failure, type Result, success } from '../../contract/result.ts';
import type { ArmReading } from '../arm-instruments.ts';
import type { Bus } from '../servo/bus/bus.ts';
import { type Calibration, isCurrentBased } from '../servo/calibration/calibration.ts';
import { isParked } from '../servo/calibration/park-pose.ts';
import { servoSlots } from '../servo/calibration/servo-slot.ts';
import type { EndOfServos, JointBus, StartedJoints, StartProblem } from '../servo/joint-bus.ts';
import type { JointBusOptions } from '../servo/servo-family.ts';
import { StartAborted } from '../servo/start/start-aborted.ts';
import type { BusClock } from '../transport/bus-clock.ts';
import { GripperServo } from './gripper-servo.ts';
import { lagOf } from './joint-lag.ts';
import { ServoLink } from './link.ts';
import { WATCHDOG_UNITS } from './registers.ts';
import { writeAndReadBack } from './servo-requests.ts';
import { restartServos, type StartedServos, safeStart } from './start.ts';

export class DynamixelBus implements JointBus {
  readonly has_watchdog = true;
  readonly link: ServoLink;
  private readonly gripper: GripperServo | null;
  readonly bus: Bus;
  readonly full_lag_rad: readonly number[];
  readonly speed_share: readonly number[];
  readonly limits_torque: readonly boolean[];
  private readonly options: JointBusOptions;
  private readonly calibration: Calibration;
  private readonly clock: BusClock;

  constructor(options: JointBusOptions) {
    this.options = options;
    this.bus = options.bus;
    this.calibration = options.calibration;
    this.clock = options.clock;
    const { gripper } = this.calibration;
    this.gripper = gripper ? new GripperServo(this.bus, this.clock, gripper) : null;
    this.link = new ServoLink(this.bus, this.clock, this.calibration, this.gripper);
    ({ full_lag_rad: this.full_lag_rad, speed_share: this.speed_share } = lagOf(this.calibration));
    this.limits_torque = this.calibration.joints.map(isCurrentBased);
  }

  get timed() {
    return this.link;
  }

  get drivenTool() {
    return this.gripper?.tool ?? null;
  }

  get statistics() {
    const { bus, link } = this;
    return { ...bus.counts, ...bus.readerCounts, ...link.counts };
  }

  get measured() {
    return this.link.samples.measured;
  }

  get torque_n_m() {
    return this.link.samples.torque_n_m;
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
    return this.link.fault ?? this.gripper?.fault ?? null;
  }

  get line_problem() {
    return this.bus.problem;
  }

  get line_symptom() {
    return this.link.line_symptom;
  }

  get stop_pressed() {
    return this.link.stopInput?.pressed ?? null;
  }

  async start(): Promise<Result<StartedJoints, StartProblem>> {
    await this.bus.open();
    const problem = await this.attempt(() => this.gripper?.inspect(this.options));
    return problem ?? this.resume(await safeStart(this.options), false);
  }

  /** The watchdogs of the servos that hold must not trip meanwhile: the arm would sink. */
  async recover() {
    const { shutDownServos } = this.link;
    this.link.feedWatchdogs(true);
    const resumed = true;
    const problem = await this.attempt(() => this.gripper?.inspect({ resumed }));
    const recovered =
      problem ??
      (await this.resume(
        await restartServos({ ...this.options, resumed }, shutDownServos),
        resumed,
      ));
    this.link.feedWatchdogs(false);
    if (!recovered.ok) this.link.observe();
    return recovered;
  }

  /** What a step of a start is refused for, or null. */
  private async attempt(
    step: () => Promise<void> | undefined,
  ): Promise<ReturnType<typeof failure<StartProblem>> | null> {
    try {
      await step();
      return null;
    } catch (error) {
      if (!(error instanceof StartAborted)) throw error;
      const { joint, message } = error;
      return failure({ joint, message: this.bus.problem ?? message });
    }
  }

  private async resume(
    started: Result<StartedServos, StartProblem>,
    resumed: boolean,
  ): Promise<Result<StartedJoints, StartProblem>> {
    const { problem } = this.bus;
    if (!started.ok) return problem ? failure({ joint: null, message: problem }) : started;
    const unheld = await this.attempt(() => this.gripper?.hold(resumed));
    if (unheld) {
      const { joint, message } = unheld.error;
      return failure({ joint, message: `${message}. The joints hold: mend this and start again` });
    }
    this.options.onStart?.(started.value.report);
    this.link.start(started.value);
    const { stopInput: stop } = this.link;
    if (stop) {
      const [reply] = await this.bus.request(stop.request);
      if (reply) stop.update(reply.data);
    }
    return success(started.value);
  }

  exchange(goal_rad: Float64Array, pose_rad: Float64Array, torque_max_n_m: Float64Array): void {
    this.link.runCycle(goal_rad, pose_rad, torque_max_n_m);
  }

  supervise(): void {
    this.link.setWatchdogTimeout(WATCHDOG_UNITS);
  }

  keepGoals(): void {
    this.link.keepGoals();
  }

  suspend(): void {
    this.link.stop();
  }

  async end(): Promise<EndOfServos> {
    // For all at once: a servo that does not answer must not keep the others waiting for theirs.
    this.link.setWatchdogTimeout(0);
    this.link.stop();
    const end = await endServos(this.bus, this.calibration, this.link.samples.position_rad);
    await this.bus.close();
    return end;
  }

  close(): Promise<void> {
    return this.bus.close();
  }

  read() {
    const gripper = this.gripper?.reading();
    return { ...readBusAndServos(this.link, this.bus), ...(gripper && { gripper }) };
  }
}

/**
 * Ends the supervision of an arm at rest. In the park pose of the calibration the arm lies on its
 * support: torque goes off, from the last joint to the base. Anywhere else it would fall, so the
 * servos hold, with the watchdog off: a watchdog that trips sets each goal to where the joint hangs
 * and lets it sink by its load.
 */
export async function endServos(
  bus: Bus,
  calibration: Calibration,
  position_rad: Float64Array,
): Promise<EndOfServos> {
  const parked = isParked(calibration, position_rad);
  for (const { id } of [...servoSlots(calibration)].reverse()) {
    await writeAndReadBack(bus, id, ['watchdog', 0]);
    if (parked) await writeAndReadBack(bus, id, ['torque', 0]);
  }
  return parked ? 'released' : 'held';
}

/** Readings of all servos and of their bus. */
export function readBusAndServos(link: ServoLink, bus: Bus): Pick<ArmReading, 'bus' | 'servos'> {
  const { transactions, timeouts, unexpected, unsent } = bus.counts;
  return {
    bus: {
      name: bus.name,
      transactions,
      timeouts,
      unexpected,
      unsent,
      checksum_errors: bus.readerCounts.checksum_errors,
      missed_turns: link.counts.missed_cycles,
      cycle_p50_ms: link.cycle.percentile(0.5),
      cycle_p99_ms: link.cycle.percentile(0.99),
      period_p99_ms: link.period.percentile(0.99),
      age_ms: 1000 * link.age_s,
    },
    servos: link.slots.map(({ id, joint }, i) => ({
      joint,
      id,
      model: link.models[i]!,
      temperature_c: link.servo_temperature_c[i]!,
      voltage_v: link.voltage_v[i]!,
      current_a: link.samples.servo_current_a[i]!,
      missed_samples: link.missed_samples[i]!,
    })),
  };
}
