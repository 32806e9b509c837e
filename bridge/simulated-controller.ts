/**
 * The state that the driver and the world of a simulated arm share: the plant, and what the
 * controller of a real arm adds to its joints, which is brakes, faults and contact detection.
 */
import assert from 'node:assert';
import { DRIVE, jointName } from '../physics/arm/arm-model.ts';
import type { CellPlant } from '../physics/cell/cell-plant.ts';
import {
  CONTACT_THRESHOLDS_N_M,
  type ContactSensitivity,
} from '../physics/dynamics/contact-reaction.ts';
import { PLANT_STEP_S } from '../physics/dynamics/drives.ts';
import type { Load } from '../physics/dynamics/inertia.ts';
import type { DriveMode, Plant } from '../physics/plant/plant.ts';
import {
  type ArmFault,
  type ArmFaultKind,
  type ContactReport,
  SETPOINT_SAMPLES,
  STEPS_PER_TICK,
} from './arm-driver.ts';
import { MeasuredArm } from './measured-arm.ts';
import { ContactLog } from './simulated-world.ts';

export class SimulatedController {
  plant: Plant | null = null;
  /** Plant steps since start. */
  steps = 0;
  motorsOff = false;
  /** The real load where it is not the one that the control expects. */
  load: Load | null = null;
  cell: CellPlant | null = null;
  readonly brakes = new Brakes();
  readonly faults = new SimulatedFaults();
  readonly contacts = new ContactDetector();
  readonly contactLog = new ContactLog();
  readonly measured: MeasuredArm;
  /** `seed`: of the imperfections. */
  constructor(seed: number) {
    this.measured = new MeasuredArm(seed);
  }

  /** The plant of a started arm. */
  get startedPlant(): Plant {
    assert(this.plant, 'the simulated arm is not started: await start() first');
    return this.plant;
  }

  /** Opens the brakes, so that the plant is computed again. */
  wake(): void {
    this.brakes.open(this.startedPlant);
  }
}

const STILL_STEPS = 1000;
/** Joints slower than this are at rest (rad/s). */
export const STILL_RAD_S = 1e-3;

export interface BrakeState {
  readonly still_steps: number;
  /** Steps since the brakes closed, or null while they are open. */
  readonly braked_steps: number | null;
}

/**
 * The brakes of a simulated arm. They close after one second at rest, and nothing is computed until
 * they open. Time passes in whole plant steps, so one long exchange and many short ones give the
 * same bits; the drives cool in closed form (D38).
 */
export class Brakes {
  private stillSteps = 0;
  private brakedSteps: number | null = null;

  /** True while the brakes hold the arm. */
  get closed(): boolean {
    return this.brakedSteps !== null;
  }

  /** Counts the plant steps at rest and closes the brakes after enough of them. */
  update(plant: Plant, mode: DriveMode): void {
    const held = mode === 'hold' || plant.hasYielded;
    const still = held && !plant.environment.isActing && isStill(plant);
    this.stillSteps = still ? this.stillSteps + 1 : 0;
    if (this.stillSteps >= STILL_STEPS) this.brakedSteps = 0;
  }

  /** Lets steps pass with the brakes closed, without computing the plant. */
  skip(steps: number): void {
    if (this.brakedSteps !== null) this.brakedSteps += steps;
  }

  /** Writes the present temperatures of the drives (°C). */
  writeTemperatures(plant: Plant, out: Float64Array): void {
    if (this.brakedSteps === null) out.set(plant.thermal.temperature);
    else plant.thermal.temperaturesAfter(this.brakedSteps * PLANT_STEP_S, out);
  }

  /** Opens the brakes and applies the cooling of the time they were closed. */
  open(plant: Plant): void {
    if (this.brakedSteps !== null) plant.thermal.coolFor(this.brakedSteps * PLANT_STEP_S);
    this.brakedSteps = null;
    this.stillSteps = 0;
  }

  save(): BrakeState {
    return { still_steps: this.stillSteps, braked_steps: this.brakedSteps };
  }

  restore(memory: BrakeState): void {
    this.stillSteps = memory.still_steps;
    this.brakedSteps = memory.braked_steps;
  }
}

/** True while every joint of the plant is at rest. */
export function isStill(plant: Plant): boolean {
  for (let j = 0; j < 6; j++) {
    if (Math.abs(plant.state.velocity[j]!) > STILL_RAD_S) return false;
  }
  return true;
}

export interface ContactState {
  readonly contact: ContactReport | null;
  readonly leaning_n_m: readonly number[];
}

/**
 * Detects contacts from the torque residuals and latches the first one until it is acknowledged. A
 * contact that persists becomes the new zero: the arm can move away from what it leans on, and a
 * further push counts again (D30).
 */
export class ContactDetector {
  private latchedContact: ContactReport | null = null;
  /** Residuals at the last acknowledgement, reduced as they decrease (N m). */
  private readonly acknowledged_n_m = new Float64Array(6);

  /** First contact since the last acknowledgement, or null. */
  get contact(): ContactReport | null {
    return this.latchedContact;
  }

  /** Checks the residuals (N m) of plant step number `step`. Allocates only at a contact. */
  update(residual: Float64Array, sensitivity: ContactSensitivity | null, step: number): void {
    const thresholds = sensitivity && CONTACT_THRESHOLDS_N_M[sensitivity];
    for (let j = 0; j < 6; j++) {
      const size = Math.abs(residual[j]!);
      const leaning = this.acknowledged_n_m[j]!;
      if (size < leaning) this.acknowledged_n_m[j] = size;
      if (this.latchedContact || !thresholds || size <= leaning + thresholds[j]!) continue;
      this.latchedContact = { joint: j, at_s: step * PLANT_STEP_S };
    }
  }

  /** Clears the contact; the present residuals become the new zero. */
  acknowledge(residual: Float64Array): void {
    this.latchedContact = null;
    for (let j = 0; j < 6; j++) this.acknowledged_n_m[j] = Math.abs(residual[j]!);
  }

  /** Clears the contact and the acknowledged residuals. */
  reset(): void {
    this.latchedContact = null;
    this.acknowledged_n_m.fill(0);
  }

  save(): ContactState {
    return { contact: this.latchedContact, leaning_n_m: Array.from(this.acknowledged_n_m) };
  }

  restore(memory: ContactState): void {
    this.latchedContact = memory.contact;
    this.acknowledged_n_m.set(memory.leaning_n_m);
  }
}

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
const LAG_MAX_RAD = Float64Array.from(DRIVE.following_error_rad);

function simulatedFault(joint: number, kind: ArmFaultKind): ArmFault {
  return { kind, joint, message: `${jointName(joint)} ${FAULT_MESSAGES[kind]}` };
}

function followingError(joint: number, lag_rad: number): ArmFault {
  const lag = Math.abs(lag_rad).toFixed(4);
  const message =
    `${jointName(joint)} lags ${lag} rad behind its setpoint (limit ${LAG_MAX_RAD[joint]} rad); ` +
    'free what blocks it or take off load';
  return { kind: 'following_error', joint, message };
}

function setpointFault(joint: number, problem: string): ArmFault {
  const message = `The setpoint of ${jointName(joint)} ${problem}`;
  return { kind: 'following_error', joint, message };
}

export interface SimulatedFaultState {
  readonly switched: readonly (ArmFaultKind | null)[];
  readonly found: ArmFault | null;
  /** Last setpoint of the motion; absent in snapshots of older versions. */
  readonly reference?: readonly number[] | null;
}

/**
 * The faults of a simulated arm: faults injected per joint, and following errors that the driver
 * detects. A detected fault is latched until it is recovered.
 */
export class SimulatedFaults {
  private readonly injected: (ArmFault | null)[] = Array.from({ length: 6 }, () => null);
  private detected: ArmFault | null = null;
  /** Last setpoint row of the motion that is followed, which the next setpoint continues. */
  private readonly reference = new Float64Array(6);
  private hasReference = false;

  /** The fault to report: the injected one of the lowest joint, else the detected one. */
  get fault(): ArmFault | null {
    for (const fault of this.injected) if (fault) return fault;
    return this.detected;
  }

  /** Injects a fault into a joint, or clears it with null; returns the injected fault. */
  set(joint: number, kind: ArmFaultKind | null): ArmFault | null {
    const fault = kind === null ? null : simulatedFault(joint, kind);
    this.injected[joint] = fault;
    return fault;
  }

  /** Clears the detected fault; returns true when no fault is left. */
  recover(): boolean {
    this.detected = null;
    return this.fault === null;
  }

  /** Detects a joint that is too far from its reference. */
  checkLag(lag: Float64Array): void {
    if (this.detected) return;
    for (let j = 0; j < 6; j++) {
      if (Math.abs(lag[j]!) > LAG_MAX_RAD[j]!) this.detected = followingError(j, lag[j]!);
    }
  }

  /**
   * Detects setpoints that no arm could follow: not finite, a jump, or a motion that starts away
   * from the position. A joint that lags behind continuous setpoints is left to `checkLag`.
   */
  checkSamples(samples: Float64Array, position: Float64Array): void {
    for (let i = 0; i < 6 * SETPOINT_SAMPLES && !this.detected; i++) {
      const j = i % 6;
      const row = (i - j) / 6;
      const step = row === 0 ? 0 : samples[i]! - samples[i - 6]!;
      const isJump = !(Math.abs(step) <= STEP_MAX_RAD);
      if (isJump || (row === 1 && !this.continues(samples, position, j))) {
        this.detected = setpointFault(j, 'jumps; start the motion at the present position');
      }
    }
    this.hasReference = this.detected === null;
    if (this.hasReference) this.reference.set(samples.subarray(6 * STEPS_PER_TICK + 6));
  }

  /** True when the first setpoint of joint `j` joins the last one, or a new motion the position. */
  private continues(samples: Float64Array, position: Float64Array, j: number): boolean {
    const first = samples[6 + j]!;
    if (this.hasReference) return Math.abs(first - this.reference[j]!) <= STEP_MAX_RAD;
    return Math.abs(first - position[j]!) <= LAG_MAX_RAD[j]!;
  }

  /** Ends a motion: the next setpoint is compared with the position again. */
  forgetReference(): void {
    this.hasReference = false;
  }

  save(): SimulatedFaultState {
    return {
      switched: this.injected.map((fault) => fault?.kind ?? null),
      found: this.detected,
      reference: this.hasReference ? Array.from(this.reference) : null,
    };
  }

  restore(memory: SimulatedFaultState): void {
    memory.switched.forEach((kind, joint) => {
      this.set(joint, kind);
    });
    this.detected = memory.found;
    this.hasReference = memory.reference != null;
    this.reference.set(memory.reference ?? []);
  }
}
