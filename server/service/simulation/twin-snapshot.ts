/**
 * Snapshot of a whole twin as one value: robot, simulated world, toolpaths, time. It contains no
 * users, so that no secret leaves the twin. The field names are part of the snapshot file format.
 */

import type { DriverFaultState } from '../../../bridge/fault-injecting-driver.ts';
import type { SimFault, SimObstacle } from '../../../contract/types.generated.ts';
import type { RobotStateSnapshot } from '../../robot/state-snapshot.ts';
import type { PendingUpdate } from '../updates/updates.ts';
import type { DigestState } from './digest.ts';
import type { StatusCounts } from './robot-status.ts';
import type { ToolpathsSnapshot } from './toolpaths-snapshot.ts';

/** Everything but the users. */
export interface TwinSnapshot {
  /** Name of the driver; a snapshot restores only to a driver of the same name. */
  readonly driver: string;
  readonly tick: number;
  readonly robot: RobotStateSnapshot;
  readonly world: Uint8Array;
  readonly disturbance: DriverFaultState;
  readonly obstacles: readonly SimObstacle[];
  readonly faults: readonly SimFault[];
  readonly update: PendingUpdate | null;
  /** Tick at which a force on the flange ends; null: never. */
  readonly push_end_tick: number | null;
  /** What the status counts. */
  readonly status: StatusCounts;
  readonly digest: DigestState;
  readonly name: string;
  readonly software_version: string;
  readonly library: ToolpathsSnapshot;
}
