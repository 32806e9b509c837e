/** The joint bus of DYNAMIXEL X-series servos (Protocol 2.0). */
import { failure, type Result, success } from '../../contract/refusal.ts';
import { readBusAndServos } from '../arm-instruments.ts';
import type { Bus } from '../bus/bus.ts';
import type { EndOfServos, JointBus, StartedJoints, StartProblem } from '../joint-bus.ts';
import type { BusClock } from '../transport/bus-clock.ts';
import { type Calibration, isCurrentBased } from './calibration.ts';
import { lagOf } from './servo-limits.ts';
import { ServoLink } from './servo-link.ts';
import {
  type DynamixelStartOptions,
  endServos,
  restartServos,
  type StartedServos,
  safeStart,
} from './servo-restart.ts';
import type { ServoStartReport } from './start-servos.ts';

export interface DynamixelOptions extends DynamixelStartOptions {
  /** Called with what each start and recovery found and wrote, by servo. */
  readonly onStart?: (report: readonly ServoStartReport[]) => void;
}

/** Watchdog timeout of the servos, in units of 20 ms; at least 10. */
const WATCHDOG_UNITS = 15;

export class DynamixelBus implements JointBus {
  readonly capabilities = { watchdog: true, servo_clock: true };
  readonly link: ServoLink;
  readonly bus: Bus;
  readonly full_lag_rad: readonly number[];
  readonly speed_share: readonly number[];
  readonly limits_torque: readonly boolean[];
  private readonly options: DynamixelOptions;
  private readonly calibration: Calibration;
  private readonly clock: BusClock;

  constructor(options: DynamixelOptions) {
    this.options = options;
    this.bus = options.bus;
    this.calibration = options.calibration;
    this.clock = options.clock;
    this.link = new ServoLink(this.bus, this.clock, this.calibration);
    ({ full_lag_rad: this.full_lag_rad, speed_share: this.speed_share } = lagOf(this.calibration));
    this.limits_torque = this.calibration.joints.map(isCurrentBased);
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
    return this.link.fault;
  }

  get line_problem() {
    return this.bus.problem;
  }

  get slowness() {
    return this.link.slowness;
  }

  get stop_pressed() {
    return this.link.stopInput?.pressed ?? null;
  }

  async start(): Promise<Result<StartedJoints, StartProblem>> {
    await this.bus.open();
    return this.resume(await safeStart(this.options));
  }

  /** The watchdogs of the servos that hold must not trip meanwhile: the arm would sink. */
  async recover() {
    const { shutDownServos } = this.link;
    this.link.feedWatchdogs(true);
    const recovered = await this.resume(await restartServos(this.options, shutDownServos));
    this.link.feedWatchdogs(false);
    if (!recovered.ok) this.link.observe();
    return recovered;
  }

  private async resume(
    started: Result<StartedServos, StartProblem>,
  ): Promise<Result<StartedJoints, StartProblem>> {
    const { problem } = this.bus;
    if (!started.ok) return problem ? failure({ joint: null, message: problem }) : started;
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
    return readBusAndServos(this.link, this.bus);
  }
}
