import type { ArmDriver } from '../../../bridge/arm-driver.ts';
import type { ArmInstruments } from '../../../bridge/arm-instruments.ts';
import type { ArmWorld } from '../../../bridge/arm-world.ts';
import type { Config } from '../../cli/config.ts';
import type { Log } from '../../service/logging/log.ts';

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

/**
 * Creates the joints that the configuration asks for, not yet started. Throws an OptionError with
 * a sentence where an option does not fit them.
 */
export type CreateDriver = (config: Config, log: Log) => DriverAssembly;
