/**
 * The motor and control loops of an emulated servo as it leaves the factory: gains, limits and
 * goals from its registers give a PWM, and supply, back-EMF and gears make a torque of it. Torques
 * are shares of the stall torque at the nominal supply, times are milliseconds. ideal-drive.ts is
 * the other drive profile.
 */

import { GearGap } from '../../servo/emulator/gear-gap.ts';
import type { MotionProfile } from '../../servo/emulator/motion-profile.ts';
import type { ServoShaft } from '../../servo/emulator/servo-shaft.ts';
import type { MotorTraits } from './emulated-models.ts';
import { PWM_FULL, VELOCITY_UNIT } from './register-units.ts';
import type { TableMemory } from './table-memory.ts';
import { TRIPPED } from './write-rules.ts';

/** Divisors of the gain registers, from the maker's manual; gains act per step and millisecond. */
const P_DIVISOR = 128;
const I_DIVISOR = 65_536;
const D_DIVISOR = 16;
const FORWARD_DIVISOR = 4;
/** Gap of the gears at the output (rad): 15 arc minutes, the maker's figure for the X series. */
const BACKLASH_RAD = (0.25 * Math.PI) / 180;
/** A torque above this share of stall for OVERLOAD_MS is an overload (both estimates). */
const OVERLOAD_SHARE = 0.8;
const OVERLOAD_MS = 1500;

/** The state of a servo that determines its torque. */
interface MotorState {
  readonly memory: TableMemory;
  readonly shaft: ServoShaft;
  readonly profile: MotionProfile;
  /** Supply as a share of the nominal voltage. */
  readonly supply_share: number;
}

export class ServoMotor {
  /** Torque at the output, as a share of stall, in the direction of the servo. */
  torque_share = 0;
  /** Output of the control loop (units of the PWM registers). */
  pwm = 0;
  /** True after a torque near stall for too long. */
  overloaded = false;
  private readonly traits: MotorTraits;
  private integral = 0;
  private last_ticks: number | null = null;
  private last_rate = 0;
  private readonly gears: GearGap;
  private strained_ms = 0;

  constructor(traits: MotorTraits) {
    this.traits = traits;
    this.gears = new GearGap(BACKLASH_RAD, traits.no_load_rad_s);
  }

  /** Forgets the control loop, as torque off and a change of mode do. */
  reset(): void {
    this.integral = 0;
    this.last_ticks = null;
    this.last_rate = 0;
    this.gears.reset();
    this.torque_share = 0;
    this.pwm = 0;
    this.strained_ms = 0;
    this.overloaded = false;
  }

  /** Advances by one millisecond with torque on. */
  step(state: MotorState): void {
    const { memory, shaft, supply_share } = state;
    const back_emf = shaft.rate_rad_s / this.traits.no_load_rad_s;
    const current_share = this.currentGoal(state);
    if (current_share === null) {
      this.pwm = this.limited(memory, this.pwmGoal(state));
    } else {
      this.pwm = this.limited(memory, ((current_share + back_emf) / supply_share) * PWM_FULL);
    }
    const share = (this.pwm / PWM_FULL) * supply_share - back_emf;
    this.torque_share = this.gears.passed(share);
    this.strained_ms = Math.abs(share) > OVERLOAD_SHARE ? this.strained_ms + 1 : 0;
    this.overloaded = this.strained_ms > OVERLOAD_MS;
  }

  /** The current that the modes with a current loop demand, as a share of stall; else null. */
  private currentGoal(state: MotorState): number | null {
    const { memory } = state;
    const mode = memory.get('operating_mode');
    if (mode !== 0 && mode !== 5) return null;
    const stall = this.traits.stall_current;
    const limit = memory.get('current_limit') / stall;
    const goal = memory.get('watchdog') === TRIPPED ? 0 : memory.get('goal_current') / stall;
    if (mode === 0) return Math.min(limit, Math.max(-limit, goal));
    const most = Math.min(limit, Math.abs(memory.get('goal_current')) / stall);
    const wanted = this.positionLoop(state) / PWM_FULL;
    return Math.min(most, Math.max(-most, wanted));
  }

  private pwmGoal(state: MotorState): number {
    const { memory } = state;
    const mode = memory.get('operating_mode');
    const tripped = memory.get('watchdog') === TRIPPED;
    if (mode === 16) return tripped ? 0 : memory.get('goal_pwm');
    if (mode === 1) return this.velocityLoop(state, tripped ? 0 : memory.get('goal_velocity'));
    return this.positionLoop(state);
  }

  private limited(memory: TableMemory, pwm: number): number {
    const goal = memory.get('operating_mode') === 16 ? PWM_FULL : memory.get('goal_pwm');
    const most = Math.min(memory.get('pwm_limit'), Math.abs(goal));
    return Math.min(most, Math.max(-most, pwm));
  }

  /** PID on the encoder steps, with feed-forward of the profile (units of the PWM registers). */
  private positionLoop({ memory, shaft, profile }: MotorState): number {
    const { ticks } = shaft;
    const error = profile.position - ticks;
    const moved = ticks - (this.last_ticks ?? ticks);
    this.last_ticks = ticks;
    const integral_gain = memory.get('position_i') / I_DIVISOR;
    const most = integral_gain > 0 ? PWM_FULL / integral_gain : 0;
    this.integral = Math.min(most, Math.max(-most, this.integral + error));
    const rate = profile.velocity;
    const change = rate - this.last_rate;
    this.last_rate = rate;
    return (
      (memory.get('position_p') / P_DIVISOR) * error +
      integral_gain * this.integral -
      (memory.get('position_d') / D_DIVISOR) * moved +
      (memory.get('forward_1') / FORWARD_DIVISOR) * rate +
      (memory.get('forward_2') / FORWARD_DIVISOR) * change
    );
  }

  private velocityLoop({ memory, shaft }: MotorState, goal: number): number {
    const error = goal - shaft.rate_rad_s / VELOCITY_UNIT;
    const gain = memory.get('velocity_i') / I_DIVISOR;
    const most = gain > 0 ? PWM_FULL / gain : 0;
    this.integral = Math.min(most, Math.max(-most, this.integral + error));
    return (memory.get('velocity_p') / P_DIVISOR) * error + gain * this.integral;
  }
}
