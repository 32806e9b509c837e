/** Fixture of start tests: servos on an emulated bus, and a start of them. */

import { EMULATED_CALIBRATION } from '../../dynamixel/emulated-calibration.ts';
import { type EmulatorOptions, ServoEmulator } from '../../dynamixel/emulator/servo-emulator.ts';
import { DEFAULT_SERVOS, type ServoSetup } from '../../dynamixel/emulator/servo-setup.ts';
import { PROTOCOL_2 } from '../../dynamixel/protocol-2.ts';
import { safeStart } from '../../dynamixel/start.ts';
import { createMemoryTransport } from '../../transport/memory-transport.ts';
import { SteppedBusClock } from '../../transport/stepped-clock.cases.ts';
import { Bus } from '../bus/bus.ts';
import type { Calibration } from '../calibration/calibration.ts';
import { WireFaults } from '../emulator/wire-faults.ts';
import { UPRIGHT_RAD } from '../servo-arm.cases.ts';

/** A bus of emulated servos on a stepped clock, and a start of them. */
export async function createFixture(options: Partial<EmulatorOptions> = {}) {
  const clock = new SteppedBusClock();
  const emulator = new ServoEmulator({ clock, start: UPRIGHT_RAD, ...options });
  const faults = new WireFaults(emulator, clock);
  const bus = new Bus(createMemoryTransport(faults), clock, { format: PROTOCOL_2 });
  await bus.open();
  const start = (calibration: Calibration = EMULATED_CALIBRATION, supported = false) =>
    clock.until(safeStart({ bus, clock, calibration, supported }));
  return { clock, emulator, faults, start };
}

/** The default servos, one of them changed. */
export function changed(id: number, change: Partial<ServoSetup>): ServoSetup[] {
  return DEFAULT_SERVOS.map((setup) => (setup.id === id ? { ...setup, ...change } : setup));
}

/** A calibration that knows the model and firmware of the first servo, and its direction. */
export function calibratedWith(model: string, firmware: number, reverse?: boolean): Calibration {
  const servo = { id: 1, model, firmware, ...(reverse !== undefined && { reverse }) };
  const joints = EMULATED_CALIBRATION.joints.map((joint, j) =>
    j === 0 ? { ...joint, servos: [servo] } : joint,
  );
  return { ...EMULATED_CALIBRATION, joints };
}
