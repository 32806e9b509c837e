import { DRIVE, JOINT_COUNT, jointName } from '../../physics/arm/arm-model.ts';
import {
  type ArmFault,
  type ArmFaultKind,
  SETPOINT_SAMPLES,
  STEPS_PER_TICK,
} from '../arm-driver.ts';
import { followingError, isFollowing } from './following-error.ts';

const FAULT_MESSAGES: Readonly<Record<ArmFaultKind, string>> = {
  lost: 'does not answer; check its cable and supply',
  overheated: 'is too hot; let it cool down',
  overload: 'is overloaded; take off load or free what blocks it',
  encoder: 'reports an impossible angle; its encoder needs service',
  following_error: 'does not follow its setpoint; something blocks it or the load is too heavy',
  voltage: 'has a supply voltage out of range; check the power supply',
  stale: 'sends no fresh angles; check the link to the joints',
  bus: 'sends corrupt replies; check the wiring of the bus',
};

const STEP_MAX_RAD = DRIVE.setpoint_step_max_rad;

function setpointFault(joint: number, problem: string): ArmFault {
  const message = `The setpoint of ${jointName(joint)} ${problem}`;
  return { kind: 'following_error', joint, message };
}

export interface SimulatedFaultState {
  readonly switched: readonly (ArmFaultKind | null)[];
  readonly found: ArmFault | null;
  /** Whether a joint lagged behind. */
  readonly lags: boolean;
  /** Last setpoint of the motion; null without one. */
  readonly reference: readonly number[] | null;
}

/**
 * The faults of a simulated arm: faults injected per joint, and following errors that the driver
 * detects. A detected fault is latched until it is recovered.
 */
export class SimulatedFaults {
  private readonly injected: (ArmFault | null)[] = Array.from({ length: 6 }, () => null);
  /** The injected fault of the lowest joint; it is asked for in every step. */
  private lowest: ArmFault | null = null;
  private detected: ArmFault | null = null;
  /** True where the detected fault is a joint that something holds back. */
  private lags = false;
  /** Last setpoint row of the motion that is followed, which the next setpoint continues. */
  private readonly reference = new Float64Array(6);
  private hasReference = false;

  /** The fault to report: the injected one of the lowest joint, else the detected one. */
  get fault(): ArmFault | null {
    return this.lowest ?? this.detected;
  }

  /** True while a fault is injected. */
  get isInjected(): boolean {
    return this.lowest !== null;
  }

  /** Injects a fault into a joint, or clears it with null; returns the injected fault. */
  set(joint: number, kind: ArmFaultKind | null): ArmFault | null {
    const message = `${jointName(joint)} ${kind && FAULT_MESSAGES[kind]}`;
    const fault = kind && { kind, joint, message };
    this.injected[joint] = fault;
    this.lowest = this.injected.find((one) => one !== null) ?? null;
    return fault;
  }

  /** True while a joint that lagged behind its setpoint is not recovered: it may press. */
  get isBlocked(): boolean {
    return this.detected !== null && this.lags;
  }

  /** Clears the detected fault; returns true when no fault is left. */
  recover(): boolean {
    this.detected = null;
    this.lags = false;
    return this.fault === null;
  }

  /** Detects a joint that is too far from its reference. */
  checkLag(lag: Float64Array): void {
    if (this.detected) return;
    for (let j = 0; j < 6; j++) {
      if (isFollowing(j, lag[j]!)) continue;
      this.detected = followingError(j, lag[j]!);
      this.lags = true;
    }
  }

  /**
   * Detects setpoints that no arm could follow: not finite, a jump, or a motion that starts away
   * from the position. A joint that lags behind continuous setpoints is left to `checkLag`.
   */
  checkSamples(samples: Float64Array, position: Float64Array): void {
    for (let i = 6; i < 6 * SETPOINT_SAMPLES && !this.detected; i++) {
      const isJump = !(Math.abs(samples[i]! - samples[i - 6]!) <= STEP_MAX_RAD);
      if (isJump || (i < 12 && !this.continues(samples, position, i - 6))) {
        this.detected = setpointFault(i % 6, 'jumps; start the motion at the present position');
      }
    }
    this.hasReference = this.detected === null;
    if (!this.hasReference) return;
    const last = 6 * STEPS_PER_TICK + 6;
    for (let j = 0; j < JOINT_COUNT; j++) this.reference[j] = samples[last + j]!;
  }

  /** True when the first setpoint of joint `j` joins the last one, or a new motion the position. */
  private continues(samples: Float64Array, position: Float64Array, j: number): boolean {
    const first = samples[6 + j]!;
    if (this.hasReference) return Math.abs(first - this.reference[j]!) <= STEP_MAX_RAD;
    return isFollowing(j, first - position[j]!);
  }

  /** Ends a motion: the next setpoint is compared with the position again. */
  forgetReference(): void {
    this.hasReference = false;
  }

  save(): SimulatedFaultState {
    return {
      switched: this.injected.map((fault) => fault?.kind ?? null),
      found: this.detected,
      lags: this.lags,
      reference: this.hasReference ? Array.from(this.reference) : null,
    };
  }

  restore(memory: SimulatedFaultState): void {
    memory.switched.forEach((kind, joint) => {
      this.set(joint, kind);
    });
    this.detected = memory.found;
    this.lags = memory.lags;
    this.hasReference = memory.reference !== null;
    this.reference.set(memory.reference ?? []);
  }
}
