/** The rooms of the house that handlers may enter; the composition root fills them in. */

import type { TwinTime } from '../clock/twin-time.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { Planner } from '../planning/planner.ts';
import type { Loop } from '../robot/loop.ts';
import type { Robot } from '../robot/robot.ts';
import type { People } from '../sessions/people.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Database } from '../store/database.ts';
import type { Hub } from '../stream/hub.ts';
import type { Library } from '../toolpaths/library.ts';
import type { Updates } from '../updates/updates.ts';
import type { FailedLogIns } from './failed-log-ins.ts';

export interface Rooms {
  /** For reading; commands go through `loop.apply`. */
  readonly robot: Robot;
  readonly loop: Loop;
  readonly planner: Planner;
  readonly people: People;
  readonly sessions: Sessions;
  readonly library: Library;
  readonly database: Database;
  readonly hub: Hub;
  readonly time: TwinTime;
  readonly wall: WallClock;
  readonly failedLogIns: FailedLogIns;
  readonly updates: Updates;
}
