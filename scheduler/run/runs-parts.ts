/** What the runs of a twin need of the service around them. */

import type { Refusal } from '../../contract/refusal.ts';
import type { ShareError } from '../../contract/shares.ts';
import type { Clock } from '../../server/clock/clock.ts';
import type { Timers } from '../../server/clock/timers.ts';
import type { TwinTime } from '../../server/clock/twin-time.ts';
import type { WallClock } from '../../server/clock/wall-clock.ts';
import type { FairQueue } from '../../server/shares/fair-queue.ts';
import type { RunArchive } from '../archive/run-archive.ts';
import type { AddDeliveries } from '../archive/run-saver.ts';
import type { ArmPort } from '../arm-port.ts';
import type { CurrentCell } from '../workcell/cell-deck.ts';
import type { Workcells } from '../workcell/workcells.ts';

export interface RunsParts {
  readonly archive: RunArchive;
  readonly workcells: Workcells;
  readonly arm: ArmPort;
  readonly time: TwinTime;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly wall: WallClock;
  readonly cell: CurrentCell;
  /** Whose workflow is planned next, for a start or a forecast. */
  readonly planning: FairQueue;
  readonly addDeliveries: AddDeliveries;
  /** Why no more deliveries of an owner can be sent now; null if they can. */
  readonly deliveryRefusal: (owner_id: number) => Refusal<ShareError> | null;
  readonly onUnsaved: (error: unknown) => void;
}
