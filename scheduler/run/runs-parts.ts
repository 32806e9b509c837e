/** What the runs of a twin need of the service around them. */

import type { Clock } from '../../server/clock/clock.ts';
import type { Timers } from '../../server/clock/timers.ts';
import type { WallClock } from '../../server/clock/wall-clock.ts';
import type { Planner } from '../../server/planning/planner.ts';
import type { ControlLoop } from '../../server/robot/loop.ts';
import type { Robot } from '../../server/robot/robot.ts';
import type { RunArchive } from '../archive/run-archive.ts';
import type { AddDeliveries } from '../archive/run-saver.ts';
import type { CurrentCell } from '../workcell/cell-deck.ts';
import type { Workcells } from '../workcell/workcells.ts';

export interface RunsParts {
  readonly archive: RunArchive;
  readonly workcells: Workcells;
  readonly robot: Robot;
  readonly loop: ControlLoop;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly planner: Planner;
  readonly wall: WallClock;
  readonly cell: CurrentCell;
  readonly addDeliveries: AddDeliveries;
  readonly onUnsaved: (error: unknown) => void;
}
