import type { Cell, RehearsalExpectations } from '../../../contract/types.generated.ts';
import type { Realism } from '../../../physics/arm/arm-model.ts';
import type { SimulatedDriver } from '../config.ts';
import type { Shard } from '../shard.ts';

/** The flags of `rehearse`. */
export interface RehearseFlags {
  readonly cell: Cell;
  readonly expect?: RehearsalExpectations;
  /** The plant; absent: both where they can differ. */
  readonly driver?: SimulatedDriver;
  readonly realism: Realism;
  /** Number of variations beside the run as described. */
  readonly variations: number;
  readonly seed: number;
  /** Greatest offset of each object in x and in y (mm); only with variations. */
  readonly spread?: number;
  readonly limit: number;
  /** Only this shard of the toolpaths. */
  readonly shard?: Shard;
  readonly json?: boolean;
  readonly junit?: string;
  readonly html?: string;
}
