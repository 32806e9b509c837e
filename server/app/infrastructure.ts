/**
 * Creates the data store and the joint driver: everything that takes time before go_to works. Also:
 * the joint drivers by name.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ArmDriver, TICK_S } from '../../bridge/arm-driver.ts';
import type { ArmInstruments } from '../../bridge/arm-instruments.ts';
import type { ArmWorld } from '../../bridge/arm-world.ts';
import { createBus, createTransport, parseBusAddress } from '../../bridge/bus-address.ts';
import { FaultInjectingDriver } from '../../bridge/fault-injecting-driver.ts';
import { FeetechBus } from '../../bridge/feetech/feetech-bus.ts';
import { STS_LACKS } from '../../bridge/feetech/sts-inspection.ts';
import { MirroredArm } from '../../bridge/mirrored-arm.ts';
import { RemoteArm } from '../../bridge/remote-arm.ts';
import {
  type Calibration,
  EMULATED_CALIBRATION,
  EMULATED_FEETECH_CALIBRATION,
  type ServoFamily,
} from '../../bridge/servo/calibration.ts';
import { readCalibration } from '../../bridge/servo/calibration-file.ts';
import { DynamixelBus, type DynamixelOptions } from '../../bridge/servo/dynamixel-bus.ts';
import type { ServoStartReport } from '../../bridge/servo/start-servos.ts';
import { ServoArm } from '../../bridge/servo-arm.ts';
import { createSimulatedArm } from '../../bridge/simulated-arm.ts';
import { systemBusClock } from '../../bridge/transport/bus-clock.ts';
import { jointName } from '../../physics/arm/arm-model.ts';
import { profileText } from '../../physics/motion/timing-laws.ts';
import { type Config, type DriverName, OptionError } from '../cli/config.ts';
import { startupErrorText } from '../cli/output.ts';
import { systemClock, type WallClock } from '../clock/clock.ts';
import type { Log } from '../metrics/metrics.ts';
import { InjectedFaults } from '../simulation/faults/fault-list.ts';
import { Database } from '../store/database.ts';
import { importFormerData } from '../store/former-format.ts';
import type { Store } from '../store/store.ts';
import { openStore } from '../store/store-open.ts';
import { robotName, SOFTWARE_VERSION } from './product-info.ts';

/** The joint drivers by name; the configuration selects one. */

/** A driver and its optional ports. */
export interface DriverAssembly {
  readonly driver: ArmDriver;
  /** The simulated world around the arm; null on real joints. */
  readonly world: ArmWorld | null;
  /** Readings of a servo arm; null for simulated arms. */
  readonly instruments: ArmInstruments | null;
  /** Counters of the servo bus, for /metrics; empty for simulated arms. */
  readonly busStatistics: () => Readonly<Record<string, number>>;
}

function simulated(
  plant: 'rapier' | 'fast',
  { noise_seed: seed, realism, profile, bus, calibration }: Config,
): DriverAssembly {
  if (bus !== 'memory' || calibration !== null) {
    const given = calibration === null ? `--bus ${bus}` : `--calibration ${calibration}`;
    throw new OptionError(`The driver ${plant} simulates the arm; ${given} needs --driver servo`);
  }
  const driver = createSimulatedArm({ plant, seed, realism, profile });
  return { driver, world: driver.world, instruments: null, busStatistics: () => ({}) };
}

const EMULATED: Readonly<Record<ServoFamily, Calibration>> = {
  dynamixel: EMULATED_CALIBRATION,
  feetech: EMULATED_FEETECH_CALIBRATION,
};

function calibrationOf({ calibration: path, servoFamily }: Config): Calibration {
  if (path === null) return EMULATED[servoFamily ?? 'dynamixel'];
  const result = readCalibration(path);
  if (!result.ok) throw new OptionError(`--calibration ${result.error}`);
  const { family = 'dynamixel' } = result.value;
  if (servoFamily === null || servoFamily === family) return result.value;
  throw new OptionError(`${path} is of ${family} servos: remove --servo-family ${servoFamily}`);
}

/** Ticks a second. */
const TICK_RATE_HZ = 1 / TICK_S;
/** File of the latest start report in the data folder. */
const START_REPORT = 'servo-start.json';

/** Logs what a start of the servos changed and noted, and keeps it as a file. */
function keepStartReport(
  { data }: Config,
  log: Log,
): (report: readonly ServoStartReport[]) => void {
  return (report) => {
    for (const { joint, id, written, notes } of report) {
      const servo = `${jointName(joint)} (servo ${id})`;
      for (const { register, before, after } of written) {
        log.info(`${servo}: ${register} was ${before} and is now ${after}`);
      }
      for (const text of notes) log.warn(`${servo} ${text}`);
    }
    if (data === ':memory:') return;
    const time = new Date(systemClock.epoch_ms()).toISOString();
    const text = `${JSON.stringify({ time, servos: report }, null, 2)}\n`;
    try {
      writeFileSync(join(data, START_REPORT), text);
    } catch (error) {
      log.warn(`${START_REPORT} cannot be written: ${startupErrorText(error)}`);
    }
  };
}

/** The bus of the joints, by the family of the servos, and what is logged of it. */
function jointsOf(
  calibration: Calibration,
  options: Omit<DynamixelOptions, 'calibration'>,
): { joints: DynamixelBus | FeetechBus; lacks: readonly string[] } {
  const all = { ...options, calibration };
  return calibration.family === 'feetech'
    ? { joints: new FeetechBus(all), lacks: STS_LACKS }
    : { joints: new DynamixelBus(all), lacks: [] };
}

function checkRealTime({ driver, pace }: Config): void {
  if (pace.kind === 'scaled' && pace.factor === 1) return;
  throw new OptionError(`The driver ${driver} runs in real time only; remove --clock`);
}

/** The joints that a program behind a TCP socket moves. */
function external(config: Config): DriverAssembly {
  checkRealTime(config);
  const address = parseBusAddress(config.bus);
  if (!address.ok || address.value.kind !== 'tcp') {
    throw new OptionError(
      'The driver external needs the program that moves the joints: --bus tcp://…',
    );
  }
  const driver = new RemoteArm(createTransport(address.value), systemBusClock);
  return { driver, world: null, instruments: null, busStatistics: () => ({}) };
}

/** A servo arm and the bus of its joints. */
function servos(config: Config, log: Log) {
  const { bus: name, calibration: path, armIsSupported: supported } = config;
  checkRealTime(config);
  const address = parseBusAddress(name);
  if (!address.ok) throw new OptionError(address.error);
  if (address.value.kind !== 'memory' && path === null) {
    throw new OptionError(`The bus ${name} needs --calibration FILE; armtwin calibrate writes one`);
  }
  const clock = systemBusClock;
  const calibration = calibrationOf(config);
  const bus = createBus(address.value, clock, calibration.family);
  const onStart = keepStartReport(config, log);
  bus.watchLine(({ kind, text }) => (kind === 'back' ? log.info(text) : log.warn(text)));
  const { joints, lacks } = jointsOf(calibration, { bus, clock, supported, onStart });
  for (const text of lacks) log.warn(`These servos ${text}`);
  const arm = new ServoArm({
    joints,
    clock,
    calibration,
    cycle_ticks: TICK_RATE_HZ / config.busRate_hz,
    onStop: (end) => {
      if (end === 'released') log.info('The arm is parked: the servos are without torque');
      else if (end === 'unreached') {
        log.warn('The servos did not answer the end: see that they hold the arm, and support it');
      } else log.warn('The servos hold the arm without supervision until their power is cut');
    },
  });
  return { arm, joints };
}

/** Counters of the bus and of the servo link since the start. */
function busStatistics({ bus, link }: DynamixelBus | FeetechBus): Readonly<Record<string, number>> {
  return { ...bus.counts, ...bus.readerCounts, ...link.counts };
}

/** Drivers with a simulated world, in which faults can be injected. */
const SIMULATED_DRIVERS: ReadonlySet<DriverName> = new Set(['rapier', 'fast']);

const drivers: Readonly<Record<DriverName, (config: Config, log: Log) => DriverAssembly>> = {
  rapier: (config) => simulated('rapier', config),
  fast: (config) => simulated('fast', config),
  external,
  servo: (config, log) => {
    const { arm: driver, joints } = servos(config, log);
    return { driver, world: null, instruments: driver, busStatistics: () => busStatistics(joints) };
  },
  mirrored: (config, log) => {
    const { arm: real, joints } = servos(config, log);
    if (!(joints instanceof DynamixelBus)) {
      throw new OptionError(
        'Feetech servos have no clock to compare a model by: use --driver servo',
      );
    }
    const driver = new MirroredArm({ real, link: joints.link, log });
    const instruments = { read: () => ({ ...real.read(), mirror: driver.differences() }) };
    return { driver, world: null, instruments, busStatistics: () => busStatistics(joints) };
  },
};

/** Creates the configured driver without starting it. */
export function createDriver(config: Config, log: Log): DriverAssembly {
  if (config.realism !== 'ideal' && !SIMULATED_DRIVERS.has(config.driver)) {
    throw new OptionError(`--realism ${config.realism} needs --driver rapier or fast`);
  }
  if (config.profile && !SIMULATED_DRIVERS.has(config.driver)) {
    throw new OptionError('--profile needs --driver rapier or fast');
  }
  return drivers[config.driver](config, log);
}

export interface Opening {
  /** Gets the step that closes each part, in the order of creation. */
  readonly opened?: ShutdownStep[];
  /** Opens the store of a data folder; simulations have a disk of their own. */
  readonly open?: (place: string) => Promise<Store>;
  /** The machine's own if absent. */
  readonly wall?: WallClock;
}

/**
 * Opens the data folder, then starts the driver and waits for its first feedback. Faults can be
 * injected only where the simulation control API is on and the arm is simulated; otherwise the
 * plain driver and database are created and `injectedFaults` is null.
 */
export async function createInfrastructure(
  config: Config,
  log: Log,
  { opened = [], open = openStore, wall = systemClock }: Opening = {},
) {
  const name = config.name ?? robotName(config.noise_seed);
  const isSimulated = SIMULATED_DRIVERS.has(config.driver);
  const injectedFaults = config.sim && isSimulated ? new InjectedFaults() : null;
  const store = await open(config.data);
  opened.push(() => store.close());
  const imported = await importFormerData(store, config.data);
  const database = await Database.open(store, { name, software_version: SOFTWARE_VERSION });
  for (const warning of [...imported, ...database.inspect()]) log.warn(warning);
  const reportFault = (fault: string | null) => {
    if (fault === null) log.info('Saves work again');
    else log.warn(`Saves are refused, because ${fault}. Motion and reads work.`);
  };
  if (store.fault !== null) reportFault(store.fault);
  const { unfinished_bytes } = store.report;
  if (unfinished_bytes > 0) {
    log.warn(`${unfinished_bytes} bytes of the journal are no complete save and are left out`);
  }
  store.onFault = reportFault;
  store.onProblem = (problem) => log.error('Stored data is damaged', problem);
  if (injectedFaults) store.beforeCommit = injectedFaults.beforeCommit;
  if (config.profile) log.info(profileText(config.profile));
  const { driver: inner, ...ports } = createDriver(config, log);
  const driverFaults = injectedFaults && new FaultInjectingDriver(inner);
  const driver = driverFaults ?? inner;
  opened.push(() => driver.stop());
  const feedback = await driver.start();
  return { wall, database, driver, driverFaults, injectedFaults, feedback, ...ports };
}

export type Infrastructure = Awaited<ReturnType<typeof createInfrastructure>>;

/** Closes one part. */
export type ShutdownStep = () => unknown;

/**
 * Runs every step in order, even after one failed: a failure must not leave the data folder locked
 * or threads running. Rejects with the first failure at the end.
 */
export async function runShutdownSteps(steps: readonly ShutdownStep[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
