/**
 * Fixture: an arm of emulated servos with driver, bus, transport and wire faults, on a stepped
 * clock, in memory or over a real socket.
 */

import { JOINT_ZERO_RAD } from '../../physics/arm/arm-model.ts';
import { stationarySetpoint } from '../arm-driver.cases.ts';
import { type ArmDriver, TICK_S } from '../arm-driver.ts';
import { DynamixelBus } from '../dynamixel/dynamixel-bus.ts';
import {
  CURRENT_BASED_CALIBRATION,
  EMULATED_CALIBRATION,
  IDEAL_CALIBRATION,
} from '../dynamixel/emulated-calibration.ts';
import type { DriveProfile } from '../dynamixel/emulator/ideal-drive.ts';
import { ServoEmulator } from '../dynamixel/emulator/servo-emulator.ts';
import type { ServoSetup } from '../dynamixel/emulator/servo-setup.ts';
import { DYNAMIXEL } from '../dynamixel/family.ts';
import { StsEmulator } from '../feetech/emulator/servo-emulator.ts';
import type { StsSetup } from '../feetech/emulator/servo-setup.ts';
import { FEETECH } from '../feetech/family.ts';
import { FAMILIES as TABLE } from '../servo-families.ts';
import type { BusClock } from '../transport/bus-clock.ts';
import { createMemoryTransport } from '../transport/memory-transport.ts';
import { SteppedBusClock } from '../transport/stepped-clock.cases.ts';
import { serveTcpPeer } from '../transport/tcp-peer.ts';
import { createTcpTransport } from '../transport/tcp-transport.ts';
import { Bus } from './bus/bus.ts';
import type { WireFormat } from './bus/wire-format.ts';
import type { Calibration } from './calibration/calibration.ts';
import type { ArmEmulator } from './emulator/arm-emulator.ts';
import type { EmulatedDevice } from './emulator/emulated-device.ts';
import { WireFaults } from './emulator/wire-faults.ts';
import type { JointBus } from './joint-bus.ts';
import { ServoArm } from './servo-arm.ts';
import type { JointBusOptions, ServoFamily } from './servo-family.ts';

/** The arm stands upright (rad): without torque it hardly falls, whichever arm it is. */
export const UPRIGHT_RAD: readonly number[] = JOINT_ZERO_RAD.map((zero_rad) => 0 - zero_rad);

export interface ServoFixtureOptions {
  readonly servos?: readonly ServoSetup[];
  readonly calibration?: Calibration;
  /** Default upright. */
  readonly start?: ArrayLike<number>;
  /** How the servos drive their joints; default factory. */
  readonly drive?: DriveProfile;
  readonly supported?: boolean;
  readonly tcp?: boolean;
}

/** A driver of DYNAMIXEL servos on a bus. */
export function armOn(bus: Bus, clock: BusClock, calibration = EMULATED_CALIBRATION): ServoArm {
  return driverOf(DYNAMIXEL, bus, { clock, calibration });
}

/** A driver of servos of a family on a bus. */
export function driverOf(
  family: ServoFamily,
  bus: Bus,
  options: { readonly clock: BusClock; readonly calibration: Calibration },
): ServoArm {
  return new ServoArm({ ...options, joints: family.createJoints({ ...options, bus }) });
}

/** How the servos of an emulator are driven. */
interface Driving<Joints extends JointBus> {
  readonly clock: SteppedBusClock;
  readonly calibration: Calibration;
  readonly format: WireFormat;
  readonly createJoints: (options: JointBusOptions) => Joints;
  readonly tcp: boolean | undefined;
}

/** Creates driver, emulator and the wire between them, not yet started. */
async function fixtureOf<Emulator extends ArmEmulator<EmulatedDevice>, Joints extends JointBus>(
  emulator: Emulator,
  { clock, calibration, format, createJoints, tcp }: Driving<Joints>,
) {
  const faults = new WireFaults(emulator, clock);
  const served = tcp ? await serveTcpPeer(faults, 0) : null;
  const line = served
    ? createTcpTransport({ host: '127.0.0.1', port: served.port })
    : createMemoryTransport(faults);
  const bus = new Bus(line, clock, { format });
  const joints = createJoints({ bus, clock, calibration });
  const arm = new ServoArm({ joints, clock, calibration });
  const close = async () => {
    await clock.until(arm.stop());
    await served?.close();
  };
  return { clock, emulator, faults, bus, joints, arm, close };
}

/** An arm of DYNAMIXEL servos. */
export async function createServoFixture(options: ServoFixtureOptions = {}) {
  const ideal = options.drive === 'ideal';
  const {
    calibration = ideal ? IDEAL_CALIBRATION : EMULATED_CALIBRATION,
    tcp,
    start = UPRIGHT_RAD,
    ...emulated
  } = options;
  const clock = new SteppedBusClock();
  const createJoints = (all: JointBusOptions) => new DynamixelBus(all);
  const { format } = DYNAMIXEL;
  const fixture = await fixtureOf(new ServoEmulator({ clock, start, ...emulated }), {
    clock,
    calibration,
    format,
    createJoints,
    tcp,
  });
  return { ...fixture, link: fixture.joints.link };
}

export type ServoFixture = Awaited<ReturnType<typeof createServoFixture>>;

export interface FeetechFixtureOptions extends Omit<ServoFixtureOptions, 'servos' | 'drive'> {
  readonly servos?: readonly StsSetup[];
}

/** The same for an arm of Feetech servos. */
export function createFeetechFixture(options: FeetechFixtureOptions = {}) {
  const { calibration = FEETECH.emulated, supported = false, tcp, ...rest } = options;
  const clock = new SteppedBusClock();
  const emulator = new StsEmulator({ clock, start: UPRIGHT_RAD, supported, ...rest });
  return fixtureOf(emulator, { ...FEETECH, clock, calibration, tcp });
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

type FamilyOptions = Pick<ServoFixtureOptions, 'start' | 'supported' | 'tcp'>;

/** The families of servos: the fixture of each, and the driver of an arm on a wire. */
export const FAMILIES: readonly {
  readonly family: string;
  readonly create: (options?: FamilyOptions) => Promise<ArmFixture>;
  readonly armOn: (bus: Bus, clock: BusClock) => ServoArm;
}[] = TABLE.map((family: ServoFamily) => ({
  family: family.name,
  create: ({ tcp, supported = false, start = UPRIGHT_RAD } = {}) => {
    const clock = new SteppedBusClock();
    const emulator = family.createEmulator({ clock, supported, start }, false);
    return fixtureOf(emulator, { ...family, clock, calibration: family.emulated, tcp });
  },
  armOn: (bus, clock) => driverOf(family, bus, { clock, calibration: family.emulated }),
}));

/** DYNAMIXEL servos in current-based position mode. */
export const CURRENT_BASED: (typeof FAMILIES)[number] = {
  family: 'dynamixel',
  create: (options) => createServoFixture({ ...options, calibration: CURRENT_BASED_CALIBRATION }),
  armOn: (bus, clock) => armOn(bus, clock, CURRENT_BASED_CALIBRATION),
};

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
