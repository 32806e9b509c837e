/** The table of what can stand behind the joints; the composition root picks a row by name. */
import { readFileSync } from 'node:fs';
import type { ArmDriver } from '../bridge/arm-driver.ts';
import type { ArmInstruments } from '../bridge/arm-instruments.ts';
import type { ArmWorld } from '../bridge/arm-world.ts';
import { MirroredArm } from '../bridge/mirrored-arm.ts';
import {
  type Calibration,
  EMULATED_CALIBRATION,
  parseCalibration,
} from '../bridge/servo/calibration.ts';
import { ServoArm } from '../bridge/servo-arm.ts';
import { busAt } from '../bridge/servo-line.ts';
import { createSimulatedArm } from '../bridge/simulated-arm.ts';
import { parseBusAddress } from '../bridge/transport/address.ts';
import { systemBusClock } from '../bridge/transport/bus-clock.ts';
import type { Config, DriverName } from './config.ts';

/** A driver, with the world around it where there is one to reach into. */
export interface Drivable {
  readonly driver: ArmDriver;
  readonly world: ArmWorld | null;
  /** What an arm of servos tells of itself; null where there is none. */
  readonly instruments: ArmInstruments | null;
  /** Counts of the servo bus, for /metrics; nothing where there is none. */
  readonly busFigures?: () => Readonly<Record<string, number>>;
}

function simulated(plant: 'rapier' | 'fast', { noise_seed }: Config): Drivable {
  const driver = createSimulatedArm({ plant, seed: noise_seed });
  return { driver, world: driver.world, instruments: null };
}

function calibrationOf(path: string | null): Calibration {
  if (path === null) return EMULATED_CALIBRATION;
  const result = parseCalibration(readFileSync(path, 'utf8'));
  if (result.ok) return result.value;
  const lines = result.error.map((one) => `  ${one.path} ${one.problem}`);
  throw new Error(`${path} is no calibration:\n${lines.join('\n')}`);
}

function servos({ bus: name, calibration: path, driver, pace }: Config): ServoArm {
  if (pace.kind !== 'scaled' || pace.factor !== 1) {
    throw new Error(`The driver ${driver} keeps real time: leave out --clock`);
  }
  const address = parseBusAddress(name);
  if (!address.ok) throw new Error(address.error);
  if (address.value.kind !== 'memory' && path === null) {
    throw new Error(`${name} needs --calibration FILE; armtwin calibrate writes one`);
  }
  const clock = systemBusClock;
  const calibration = calibrationOf(path);
  return new ServoArm({ bus: busAt(address.value, clock), clock, calibration });
}

/** What the line and the servos made of the cycles so far. */
function figuresOf({ bus, link }: ServoArm): Readonly<Record<string, number>> {
  return { ...bus.counts, ...bus.reading, ...link.counts };
}

export const drivers: Readonly<Record<DriverName, (config: Config) => Drivable>> = {
  rapier: (config) => simulated('rapier', config),
  fast: (config) => simulated('fast', config),
  servo: (config) => {
    const driver = servos(config);
    return { driver, world: null, instruments: driver, busFigures: () => figuresOf(driver) };
  },
  mirrored: (config) => {
    const tell = (text: string) => void process.stderr.write(text);
    const real = servos(config);
    const driver = new MirroredArm({ real, link: real.link, tell });
    const instruments = { read: () => ({ ...real.read(), mirror: driver.differences() }) };
    return { driver, world: null, instruments, busFigures: () => figuresOf(real) };
  },
};
