/**
 * A model of an arm of servos: the same masses, friction and end stops as the simulated arm, in
 * steps of 1 ms, but driven joint by joint: one servo may be unpowered or push with a current while
 * the others hold. A joint without torque falls. The servo emulator and the mirrored arm use it.
 */
import { DRIVE } from '../../physics/arm/arm-model.ts';
import { addEndStopTorques } from '../../physics/dynamics/drives.ts';
import { ForwardDynamics } from '../../physics/dynamics/forward-dynamics.ts';
import { writeFrictionTorques } from '../../physics/dynamics/friction.ts';
import { PLANT_STEP_S } from '../../physics/dynamics/plant-step.ts';
import { DRIVE_HEAT, DriveThermalModel } from '../../physics/dynamics/thermal-model.ts';

/** Command of the servos of a joint for one step of 1 ms. */
export type JointDrive =
  | { readonly kind: 'off' }
  /** Share of the greatest torque, -1..1. */
  | { readonly kind: 'torque'; readonly share: number }
  | { readonly kind: 'velocity'; readonly rate_rad_s: number; readonly share_max: number }
  | { readonly kind: 'position'; readonly angle_rad: number; readonly share_max: number };

/** Rounds in which the reactions of several blocked joints settle. */
const REACTION_ROUNDS = 8;

const OFF: JointDrive = { kind: 'off' };
const BANDWIDTH = DRIVE.servo_bandwidth_rad_s;

export class ServoPlant {
  readonly position_rad = new Float64Array(6);
  readonly velocity_rad_s = new Float64Array(6);
  /** Motor torques of the last step (N m). */
  readonly torque_n_m = new Float64Array(6);
  readonly heat = new DriveThermalModel(DRIVE_HEAT.create());
  readonly drives: JointDrive[] = Array.from({ length: 6 }, () => OFF);
  /** Joints blocked by an obstacle. */
  readonly blocked = new Set<number>();
  /** Torques of a hand or a load on the joints (N m). */
  readonly external_n_m = new Float64Array(6);
  /** Friction that holds a joint at rest (N m); 0: none, as in the model of the simulated arm. */
  readonly dry_friction_n_m = new Float64Array(6);
  private readonly model = new ForwardDynamics();
  private readonly friction = new Float64Array(6);
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
    this.model.update(this.position_rad, this.velocity_rad_s);
    writeFrictionTorques(this.velocity_rad_s, this.friction);
    for (let j = 0; j < 6; j++) {
      const friction = this.friction[j]!;
      // Each servo compensates its own load only; the motion of other joints disturbs it.
      const inertia = this.model.inertia[(j * (j + 3)) / 2]!;
      const demand = this.model.bias[j]! + inertia * this.commandedAcceleration(j) + friction;
      this.torque_n_m[j] = this.motorTorque(j, demand);
      this.applied[j] = this.torque_n_m[j]! - friction + this.external_n_m[j]!;
    }
    addEndStopTorques({ position: this.position_rad, velocity: this.velocity_rad_s }, this.applied);
    this.model.acceleration(this.applied, this.acceleration);
    if (this.blocked.size > 0) this.addReactions();
    for (let j = 0; j < 6; j++) this.integrate(j);
    this.heat.add(this.torque_n_m, this.velocity_rad_s);
  }

  /** Acceleration that the control loop of the servo of a joint commands (rad/s²). */
  private commandedAcceleration(j: number): number {
    const drive = this.drives[j]!;
    const rate = this.velocity_rad_s[j]!;
    if (drive.kind === 'velocity') return BANDWIDTH * (drive.rate_rad_s - rate);
    if (drive.kind !== 'position') return 0;
    const lag = drive.angle_rad - this.position_rad[j]!;
    return BANDWIDTH * (BANDWIDTH * lag - 2 * rate);
  }

  /** Torque of a motor (N m) whose control loop demands `demand`. */
  private motorTorque(j: number, demand: number): number {
    const drive = this.drives[j]!;
    const most = DRIVE.torque_max_n_m[j]!;
    if (drive.kind === 'off') return 0;
    if (drive.kind === 'torque') return most * Math.min(1, Math.max(-1, drive.share));
    const cap = most * Math.min(1, drive.share_max);
    return Math.min(cap, Math.max(-cap, demand));
  }

  /** Gives blocked joints the torques of what blocks them, so that they do not push the others. */
  private addReactions(): void {
    const columns = [...this.blocked].map((j) => {
      const pushed = Float64Array.from(this.applied);
      pushed[j]! += 1;
      const column = new Float64Array(6);
      this.model.acceleration(pushed, column);
      return { j, column: column.map((value, k) => value - this.acceleration[k]!) };
    });
    for (let round = 0; round < REACTION_ROUNDS; round++) {
      for (const { j, column } of columns) {
        const reaction = -this.acceleration[j]! / column[j]!;
        for (let k = 0; k < 6; k++) this.acceleration[k]! += reaction * column[k]!;
      }
    }
  }

  /** Rate after a step; dry friction takes what it can of it, down to rest. */
  private nextRate(j: number): number {
    const rate = this.velocity_rad_s[j]! + PLANT_STEP_S * this.acceleration[j]!;
    const dry = this.dry_friction_n_m[j]!;
    if (dry === 0) return rate;
    const loss = (PLANT_STEP_S * dry) / this.model.inertia[(j * (j + 3)) / 2]!;
    return Math.sign(rate) * Math.max(0, Math.abs(rate) - loss);
  }

  private integrate(j: number): void {
    if (this.blocked.has(j)) this.velocity_rad_s[j] = 0;
    else this.velocity_rad_s[j] = this.nextRate(j);
    this.position_rad[j]! += PLANT_STEP_S * this.velocity_rad_s[j]!;
  }
}
