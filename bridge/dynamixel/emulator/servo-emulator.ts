import {
  ArmEmulator,
  type EmulatedArmOptions,
  GEAR_FRICTION_N_M,
} from '../../servo/emulator/arm-emulator.ts';
import { JAWS } from '../../servo/emulator/emulated-jaws.ts';
import type { ReceiveBytes } from '../../transport/transport.ts';
import { EmulatedServo } from './emulated-servo.ts';
import { FrameCollector } from './framing.ts';
import type { DriveProfile } from './ideal-drive.ts';
import { executeInstruction } from './instruction-set.ts';
import { DEFAULT_SERVOS, LINE_BAUD, type ServoSetup } from './servo-setup.ts';

export interface EmulatorOptions extends EmulatedArmOptions {
  readonly servos?: readonly ServoSetup[];
  /** How the servos drive their joints; default factory. */
  readonly drive?: DriveProfile;
  /** Baud code of the bus; servos set to another one receive nothing. */
  readonly line_baud?: number;
}

/** DYNAMIXEL X-series servos with an arm. */
export class ServoEmulator extends ArmEmulator<EmulatedServo> {
  private readonly line_baud: number;

  constructor(options: EmulatorOptions) {
    const { servos = DEFAULT_SERVOS, drive = 'factory', line_baud = LINE_BAUD } = options;
    super(options, (sensorsOf) =>
      servos.map((setup) => {
        // An ideal drive is that of a joint.
        const own = setup.joint === JAWS ? 'factory' : drive;
        return new EmulatedServo(setup, sensorsOf(setup.joint), own);
      }),
    );
    this.line_baud = line_baud;
    if (drive === 'factory') this.plant.dry_friction_n_m.set(GEAR_FRICTION_N_M);
  }

  attach(send: ReceiveBytes): ReceiveBytes {
    const collector = new FrameCollector();
    return (bytes) => {
      this.catchUpToBytes();
      for (const frame of collector.take(bytes)) {
        const receivers = this.servos.filter(
          (servo) => servo.memory.get('baud') === this.line_baud,
        );
        if (frame.valid) for (const servo of receivers) servo.packetReceived();
        const replies = executeInstruction(
          { servos: receivers, chainBreaks: this.chainBreaks },
          frame,
        );
        for (const reply of replies) send(Uint8Array.from(reply));
      }
    };
  }
}
