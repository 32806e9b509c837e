/**
 * An arm of servos as a model: the same masses, friction and end stops as the simulated arm, in
 * steps of 1 ms, but driven joint by joint: one servo may be limp, or push with a current, while
 * its neighbours hold. A joint without torque falls. It stands behind the emulated servos, and
 * beside real ones.
 */
import { DRIVE } from '../physics/arm/arm-model.ts';
import { ForwardDynamics } from '../physics/dynamics/forward-dynamics.ts';
import { addStops, STEP_S, writeFriction } from '../physics/dynamics/servo.ts';
import { DriveHeat, THERMAL_SIZE } from '../physics/dynamics/thermal.ts';

/** What a joint's servos do in this millisecond. */
export type Drive =
  | { readonly kind: 'off' }
  /** Share of the greatest torque, -1..1. */
  | { readonly kind: 'torque'; readonly share: number }
  | { readonly kind: 'velocity'; readonly rate_rad_s: number; readonly share_max: number }
  | { readonly kind: 'position'; readonly angle_rad: number; readonly share_max: number };

const OFF: Drive = { kind: 'off' };
const BANDWIDTH = DRIVE.servo_bandwidth_rad_s;

export class ServoPlant {
  readonly position_rad = new Float64Array(6);
  readonly velocity_rad_s = new Float64Array(6);
  /** Motor torques of the last step (N m). */
  readonly torque_n_m = new Float64Array(6);
  readonly heat = new DriveHeat(new Float64Array(THERMAL_SIZE), 0);
  readonly drives: Drive[] = Array.from({ length: 6 }, () => OFF);
  /** Joints that something outside keeps from moving. */
  readonly blocked = new Set<number>();
  private readonly model = new ForwardDynamics();
  private readonly rubbing = new Float64Array(6);
  private readonly applied = new Float64Array(6);
  private readonly acceleration = new Float64Array(6);

  constructor(q: ArrayLike<number>) {
    this.position_rad.set(q);
  }

  /** Payload at the flange (kg). */
  setPayload(payload_kg: number): void {
    this.model.setPayload(payload_kg);
  }

  step(): void {
    this.model.look(this.position_rad, this.velocity_rad_s);
    writeFriction(this.velocity_rad_s, this.rubbing);
    for (let j = 0; j < 6; j++) {
      const rubbing = this.rubbing[j]!;
      // Each servo knows its own load alone; what its neighbours do disturbs it.
      const inertia = this.model.inertia[(j * (j + 3)) / 2]!;
      const asked = this.model.bias[j]! + inertia * this.wantedOf(j) + rubbing;
      this.torque_n_m[j] = this.motorOf(j, asked);
      this.applied[j] = this.torque_n_m[j]! - rubbing;
    }
    addStops({ position: this.position_rad, velocity: this.velocity_rad_s }, this.applied);
    this.model.acceleration(this.applied, this.acceleration);
    for (let j = 0; j < 6; j++) this.move(j);
    this.heat.add(this.torque_n_m, this.velocity_rad_s);
  }

  /** Acceleration that the loop of a joint's servo asks for (rad/s²). */
  private wantedOf(j: number): number {
    const drive = this.drives[j]!;
    const rate = this.velocity_rad_s[j]!;
    if (drive.kind === 'velocity') return BANDWIDTH * (drive.rate_rad_s - rate);
    if (drive.kind !== 'position') return 0;
    const lag = drive.angle_rad - this.position_rad[j]!;
    return BANDWIDTH * (BANDWIDTH * lag - 2 * rate);
  }

  /** Torque that a motor gives (N m), when its loop asks for `asked`. */
  private motorOf(j: number, asked: number): number {
    const drive = this.drives[j]!;
    const most = DRIVE.torque_max_n_m[j]!;
    if (drive.kind === 'off') return 0;
    if (drive.kind === 'torque') return most * Math.min(1, Math.max(-1, drive.share));
    const cap = most * Math.min(1, drive.share_max);
    return Math.min(cap, Math.max(-cap, asked));
  }

  private move(j: number): void {
    if (this.blocked.has(j)) this.velocity_rad_s[j] = 0;
    else this.velocity_rad_s[j]! += STEP_S * this.acceleration[j]!;
    this.position_rad[j]! += STEP_S * this.velocity_rad_s[j]!;
  }
}
