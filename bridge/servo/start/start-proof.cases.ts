/** Fixture of proofs: the same servos looked at by a diagnosis and by a start. */

import { stationarySetpoint } from '../../arm-driver.cases.ts';
import { TICK_S } from '../../arm-driver.ts';
import { DynamixelBus } from '../../dynamixel/dynamixel-bus.ts';
import { EMULATED_CALIBRATION } from '../../dynamixel/emulated-calibration.ts';
import type { TableRegister } from '../../dynamixel/emulator/control-table.ts';
import { ServoEmulator } from '../../dynamixel/emulator/servo-emulator.ts';
import { DEFAULT_SERVOS, type ServoSetup } from '../../dynamixel/emulator/servo-setup.ts';
import { DYNAMIXEL } from '../../dynamixel/family.ts';
import { EMULATED_FEETECH_CALIBRATION } from '../../feetech/emulated-calibration.ts';
import { StsEmulator } from '../../feetech/emulator/servo-emulator.ts';
import { STS_SERVOS, type StsSetup } from '../../feetech/emulator/servo-setup.ts';
import type { StsTableRegister } from '../../feetech/emulator/table-memory.ts';
import { FEETECH } from '../../feetech/family.ts';
import { FeetechBus } from '../../feetech/feetech-bus.ts';
import { createMemoryTransport } from '../../transport/memory-transport.ts';
import { SteppedBusClock } from '../../transport/stepped-clock.cases.ts';
import { Bus } from '../bus/bus.ts';
import type { Calibration } from '../calibration/calibration.ts';
import type { ArmEmulator } from '../emulator/arm-emulator.ts';
import type { EmulatedDevice } from '../emulator/emulated-device.ts';
import { WireFaults } from '../emulator/wire-faults.ts';
import { ServoArm } from '../servo-arm.ts';
import type { JointBusOptions, ServoFamily } from '../servo-family.ts';
import type { StartReport } from './start-report.ts';

/** A pose in which shoulder and elbow carry a load (rad). */
export const LEANING = [0.3, 0.9, -0.8, 0.4, -0.7, 0.2];

/** The default servos with registers of some of them changed. */
export function dynamixelWith(
  changes: Readonly<Record<number, Partial<Record<TableRegister, number>>>>,
  more: readonly ServoSetup[] = [],
): readonly ServoSetup[] {
  const changed = DEFAULT_SERVOS.map((setup) => ({
    ...setup,
    registers: { ...setup.registers, ...changes[setup.id] },
  }));
  return [...changed, ...more];
}

/** The same of Feetech servos. */
export function feetechWith(
  changes: Readonly<Record<number, Partial<Record<StsTableRegister, number>>>>,
): readonly StsSetup[] {
  return STS_SERVOS.map((setup) => ({ ...setup, registers: { ...changes[setup.id] } }));
}

export interface ProofOptions {
  readonly calibration?: Calibration;
  readonly start?: readonly number[];
  /** Torque of each joint before the start. */
  readonly holds?: boolean;
  readonly supported?: boolean;
}

interface Looked<Emulator> {
  readonly emulator: Emulator;
  readonly family: ServoFamily;
  readonly calibration: Calibration;
  readonly createJoints: (options: JointBusOptions) => DynamixelBus | FeetechBus;
}

async function lookedAt<Emulator extends ArmEmulator<EmulatedDevice>>(
  clock: SteppedBusClock,
  { emulator, family, calibration, createJoints }: Looked<Emulator>,
  { supported = false }: ProofOptions,
) {
  const faults = new WireFaults(emulator, clock);
  const bus = new Bus(createMemoryTransport(faults), clock, { format: family.format });
  await bus.open();
  const reports: StartReport[] = [];
  const onStart = (report: StartReport) => reports.push(report);
  const create = () => {
    const joints = createJoints({ bus, clock, calibration, supported, onStart });
    return { joints, arm: new ServoArm({ joints, clock, calibration }) };
  };
  let life = create();
  const diagnose = () => clock.until(family.diagnose(bus, clock, { calibration }));
  /** The refusal of a start; null where it starts. */
  const start = () =>
    clock.until(
      life.arm.start().then(
        () => null,
        (error: Error) => error.message,
      ),
    );
  /** Holds for some ticks after a start. */
  const holdFor = async (ticks: number) => {
    for (let i = 0; i < ticks; i++) {
      life.arm.exchange(stationarySetpoint('hold'), TICK_S);
      await new Promise((done) => setImmediate(done));
      clock.advance(1000 * TICK_S);
      await new Promise((done) => setImmediate(done));
    }
    emulator.catchUp();
  };
  /** Ends the program without a stop: nothing is heard of it, and the next one has not begun. */
  const kill = (silent_ms: number) => {
    life.joints.suspend();
    clock.advance(silent_ms);
    emulator.catchUp();
    life = create();
  };
  return { clock, emulator, faults, bus, reports, diagnose, start, holdFor, kill };
}

/** DYNAMIXEL servos that lie on a support until they are first held. */
export function dynamixelProof(servos = DEFAULT_SERVOS, options: ProofOptions = {}) {
  const clock = new SteppedBusClock();
  const { calibration = EMULATED_CALIBRATION, start = LEANING, holds = false } = options;
  const emulator = new ServoEmulator({ clock, servos, start, supported: true });
  if (holds) for (const { memory } of emulator.servos) memory.set('torque', 1);
  const createJoints = (all: JointBusOptions) => new DynamixelBus(all);
  const looked = { emulator, family: DYNAMIXEL, calibration, createJoints };
  return lookedAt(clock, looked, options);
}

/** The same for Feetech servos. */
export function feetechProof(servos = STS_SERVOS, options: ProofOptions = {}) {
  const clock = new SteppedBusClock();
  const { calibration = EMULATED_FEETECH_CALIBRATION, start = LEANING } = options;
  const emulator = new StsEmulator({ clock, servos, start, supported: true });
  const createJoints = (all: JointBusOptions) => new FeetechBus(all);
  const looked = { emulator, family: FEETECH, calibration, createJoints };
  return lookedAt(clock, looked, options);
}
