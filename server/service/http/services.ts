import type { Clock } from '../../clock/clock.ts';
import type { TwinTime } from '../../clock/twin-time.ts';
import type { WallClock } from '../../clock/wall-clock.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { Planner } from '../../planning/planner.ts';
import type { ControlLoop } from '../../robot/loop.ts';
import type { Robot } from '../../robot/robot.ts';
import type { Database } from '../../store/database.ts';
import type { ToolpathLibrary } from '../../toolpaths/toolpath-library.ts';
import type { AuditLog } from '../logging/audit-log.ts';
import type { PasswordChecks } from '../sessions/password-checks.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Users } from '../sessions/users.ts';
import type { Hub } from '../stream/hub.ts';
import type { Updates } from '../updates/updates.ts';
import type { IdempotencyKeys } from './idempotency.ts';
import type { KeptSettings } from './kept-settings.ts';

/**
 * The services that request handlers use; the composition root creates them. The pipeline checks
 * identity, role, schema, object, lock and state from the route's row before a handler runs.
 */
export interface Services {
  /** For reads; commands go through `loop.apply`. */
  readonly robot: Robot;
  readonly loop: ControlLoop;
  readonly planner: Planner;
  readonly documents: DocumentReader;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly library: ToolpathLibrary;
  readonly settings: KeptSettings;
  readonly database: Database;
  readonly hub: Hub;
  /** For calls that wait for standstill while the clock is stepped or paused. */
  readonly clock: Clock;
  readonly time: TwinTime;
  readonly wall: WallClock;
  readonly passwords: PasswordChecks;
  readonly audit: AuditLog;
  readonly updates: Updates;
  readonly idempotency: IdempotencyKeys;
}
