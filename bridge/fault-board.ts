/**
 * The faults of a simulated arm: those that the world switches on, joint by joint, and the one
 * that the driver finds itself (following error). The first found stays until it is recovered.
 */
import { DRIVE } from '../physics/arm/arm-model.ts';
import { type DriverFault, type DriverFaultKind, SETPOINT_SAMPLES } from './arm-driver.ts';

const SENTENCES: Readonly<Record<DriverFaultKind, string>> = {
  lost: 'does not answer; check its cable and supply',
  overheated: 'is too hot; let it cool down',
  overload: 'is overloaded; take off load or free what blocks it',
  encoder: 'reports an impossible angle; its encoder needs service',
  following_error: 'does not follow its setpoint; something blocks it or the load is too heavy',
  voltage: 'has a supply voltage out of range; check the power supply',
  stale: 'sends no fresh angles; check the link to the joints',
  bus: 'sends corrupt replies; check the wiring of the bus',
};

const STEP_MAX = DRIVE.setpoint_step_max_rad;
const LAG_MAX = Float64Array.from(DRIVE.following_error_rad);

function faultOf(joint: number, kind: DriverFaultKind): DriverFault {
  return { kind, joint, message: `Joint ${joint} ${SENTENCES[kind]}` };
}

export interface FaultMemory {
  readonly switched: readonly (DriverFaultKind | null)[];
  readonly found: DriverFault | null;
}

export class FaultBoard {
  private readonly switched: (DriverFault | null)[] = Array.from({ length: 6 }, () => null);
  private found: DriverFault | null = null;

  /** The fault to report: a switched one of the lowest joint, else the one found; or null. */
  get fault(): DriverFault | null {
    for (const fault of this.switched) if (fault) return fault;
    return this.found;
  }

  /** Switches a fault of a joint on, or off with null; answers what is on for it now. */
  set(joint: number, kind: DriverFaultKind | null): DriverFault | null {
    const fault = kind === null ? null : faultOf(joint, kind);
    this.switched[joint] = fault;
    return fault;
  }

  /** Forgets what was found; answers true when no fault is left. */
  recover(): boolean {
    this.found = null;
    return this.fault === null;
  }

  /** Finds a joint that is too far from its reference. */
  watchLag(lag: Float64Array): void {
    if (this.found) return;
    for (let j = 0; j < 6; j++) {
      if (Math.abs(lag[j]!) > LAG_MAX[j]!) this.found = faultOf(j, 'following_error');
    }
  }

  /** Finds setpoints that no arm could follow: not finite, a jump, or far from where it stands. */
  watchSamples(samples: Float64Array, position: Float64Array): void {
    if (this.found) return;
    for (let i = 0; i < 6 * SETPOINT_SAMPLES; i++) {
      const j = i % 6;
      const step = i < 6 ? 0 : samples[i]! - samples[i - 6]!;
      const away = samples[i]! - position[j]!;
      if (Math.abs(step) <= STEP_MAX && Math.abs(away) <= LAG_MAX[j]!) continue;
      this.found = {
        kind: 'following_error',
        joint: j,
        message: `The setpoint of joint ${j} jumps; start a motion where the arm stands`,
      };
      return;
    }
  }

  save(): FaultMemory {
    return { switched: this.switched.map((fault) => fault?.kind ?? null), found: this.found };
  }

  load(memory: FaultMemory): void {
    memory.switched.forEach((kind, joint) => {
      this.set(joint, kind);
    });
    this.found = memory.found;
  }
}
