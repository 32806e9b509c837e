/**
 * Fixture: an arm of emulated servos with driver, bus, transport and wire faults, on a stepped
 * clock, in memory or over a real socket.
 */

import { stationarySetpoint } from '../arm-driver.cases.ts';
import { type ArmDriver, TICK_S } from '../arm-driver.ts';
import { DynamixelBus } from '../dynamixel/dynamixel-bus.ts';
import {
  CURRENT_BASED_CALIBRATION,
  EMULATED_CALIBRATION,
} from '../dynamixel/emulated-calibration.ts';
import type { DriveProfile } from '../dynamixel/emulator/ideal-drive.ts';
import { ServoEmulator } from '../dynamixel/emulator/servo-emulator.ts';
import type { ServoSetup } from '../dynamixel/emulator/servo-setup.ts';
import { PROTOCOL_2 } from '../dynamixel/protocol-2.ts';
import { EMULATED_FEETECH_CALIBRATION } from '../feetech/emulated-calibration.ts';
import { StsEmulator } from '../feetech/emulator/servo-emulator.ts';
import type { StsSetup } from '../feetech/emulator/servo-setup.ts';
import { FeetechBus } from '../feetech/feetech-bus.ts';
import { STS_FORMAT } from '../feetech/sts-format.ts';
import type { BusClock } from '../transport/bus-clock.ts';
import { createMemoryTransport } from '../transport/memory-transport.ts';
import { SteppedBusClock } from '../transport/stepped-clock.cases.ts';
import { serveTcpPeer } from '../transport/tcp-peer.ts';
import { createTcpTransport } from '../transport/tcp-transport.ts';
import { Bus } from './bus/bus.ts';
import type { Calibration, ServoFamily } from './calibration/calibration.ts';
import { IDEAL_CALIBRATION } from './calibration/ideal-calibration.ts';
import type { ArmEmulator } from './emulator/arm-emulator.ts';
import type { EmulatedDevice } from './emulator/emulated-device.ts';
import { WireFaults } from './emulator/wire-faults.ts';
import type { JointBus } from './joint-bus.ts';
import { ServoArm } from './servo-arm.ts';

export interface ServoFixtureOptions {
  readonly servos?: readonly ServoSetup[];
  readonly calibration?: Calibration;
  readonly start?: ArrayLike<number>;
  /** How the servos drive their joints; default factory. */
  readonly drive?: DriveProfile;
  readonly supported?: boolean;
  readonly tcp?: boolean;
}

/** A driver of DYNAMIXEL servos on a bus. */
export function armOn(bus: Bus, clock: BusClock, calibration = EMULATED_CALIBRATION): ServoArm {
  return new ServoArm({
    joints: new DynamixelBus({ bus, clock, calibration }),
    clock,
    calibration,
  });
}

/** Creates driver, emulator and the wire between them, not yet started. */
export async function createServoFixture(options: ServoFixtureOptions = {}) {
  const ideal = options.drive === 'ideal';
  const {
    calibration = ideal ? IDEAL_CALIBRATION : EMULATED_CALIBRATION,
    tcp,
    ...emulated
  } = options;
  const clock = new SteppedBusClock();
  const emulator = new ServoEmulator({ clock, ...emulated });
  const faults = new WireFaults(emulator, clock);
  const served = tcp ? await serveTcpPeer(faults, 0) : null;
  const line = served
    ? createTcpTransport({ host: '127.0.0.1', port: served.port })
    : createMemoryTransport(faults);
  const bus = new Bus(line, clock, { format: PROTOCOL_2 });
  const joints = new DynamixelBus({ bus, clock, calibration });
  const arm = new ServoArm({ joints, clock, calibration });
  const close = async () => {
    await clock.until(arm.stop());
    await served?.close();
  };
  return { clock, emulator, faults, bus, joints, link: joints.link, arm, close };
}

export type ServoFixture = Awaited<ReturnType<typeof createServoFixture>>;

export interface FeetechFixtureOptions extends Omit<ServoFixtureOptions, 'servos' | 'drive'> {
  readonly servos?: readonly StsSetup[];
}

/** The same for an arm of Feetech servos. */
export async function createFeetechFixture(options: FeetechFixtureOptions = {}) {
  const { calibration = EMULATED_FEETECH_CALIBRATION, supported = false, tcp, ...rest } = options;
  const clock = new SteppedBusClock();
  const emulator = new StsEmulator({ clock, supported, ...rest });
  const faults = new WireFaults(emulator, clock);
  const served = tcp ? await serveTcpPeer(faults, 0) : null;
  const line = served
    ? createTcpTransport({ host: '127.0.0.1', port: served.port })
    : createMemoryTransport(faults);
  const bus = new Bus(line, clock, { format: STS_FORMAT });
  const joints = new FeetechBus({ bus, clock, calibration });
  const arm = new ServoArm({ joints, clock, calibration });
  const close = async () => {
    await clock.until(arm.stop());
    await served?.close();
  };
  return { clock, emulator, faults, bus, joints, arm, close };
}

/** An arm of any family on an emulator. */
export interface ArmFixture {
  readonly clock: SteppedBusClock;
  readonly emulator: ArmEmulator<EmulatedDevice>;
  readonly faults: WireFaults;
  readonly bus: Bus;
  readonly joints: JointBus;
  readonly arm: ServoArm;
  readonly close: () => Promise<void>;
}

/** The families of servos: the fixture of each, and the driver of an arm on a wire. */
export const FAMILIES: readonly {
  readonly family: ServoFamily;
  readonly create: (options?: FamilyOptions) => Promise<ArmFixture>;
  readonly armOn: (bus: Bus, clock: BusClock) => ServoArm;
}[] = [
  { family: 'dynamixel', create: createServoFixture, armOn },
  {
    family: 'feetech',
    create: createFeetechFixture,
    armOn: (bus, clock) => {
      const calibration = EMULATED_FEETECH_CALIBRATION;
      return new ServoArm({
        joints: new FeetechBus({ bus, clock, calibration }),
        clock,
        calibration,
      });
    },
  },
];

/** DYNAMIXEL servos in current-based position mode. */
export const CURRENT_BASED: (typeof FAMILIES)[number] = {
  family: 'dynamixel',
  create: (options) => createServoFixture({ ...options, calibration: CURRENT_BASED_CALIBRATION }),
  armOn: (bus, clock) => armOn(bus, clock, CURRENT_BASED_CALIBRATION),
};

type FamilyOptions = Pick<ServoFixtureOptions, 'start' | 'supported' | 'tcp'>;

/** The driver of a fixture, which advances the clock during start and stop. */
export function steppedDriver({ arm, clock, close }: ArmFixture): ArmDriver {
  return {
    name: arm.name,
    pace: arm.pace,
    start: () => clock.until(arm.start()),
    exchange: (setpoint, dt_s) => arm.exchange(setpoint, dt_s),
    recover: () => arm.recover(),
    stop: close,
  };
}

/**
 * Turns of the event loop until a request has ended, or can end only when the clock advances: in
 * memory everything else happens at once, a socket takes some.
 */
const TURNS = { memory: 2, socket: 200 };

/** Advances the clock by ticks after all pending requests have ended. */
export async function passTick(
  { bus, clock }: Pick<ArmFixture, 'bus' | 'clock'>,
  ticks = 1,
): Promise<void> {
  const turns = bus.name === 'memory' ? TURNS.memory : TURNS.socket;
  for (let i = 0; i < turns && !bus.idle; i++) await new Promise((done) => setImmediate(done));
  clock.advance(ticks * TICK_S * 1000);
  await new Promise((done) => setImmediate(done));
}

/** Holds for `ticks`; returns the last feedback. */
export async function holdFor(fixture: ArmFixture, ticks: number) {
  let feedback = fixture.arm.exchange(stationarySetpoint('hold'), TICK_S);
  for (let i = 1; i < ticks; i++) {
    await passTick(fixture);
    feedback = fixture.arm.exchange(stationarySetpoint('hold'), TICK_S);
  }
  return feedback;
}
