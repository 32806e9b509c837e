/** Creates the services of request handlers. */

import type { Config } from '../cli/config.ts';
import { timestamp } from '../clock/twin-time.ts';
import { DocumentReader } from '../documents/document-reader.ts';
import { createPlanner } from '../planning/planner.ts';
import { IdempotencyKeys } from '../service/http/idempotency.ts';
import { KeptSettings } from '../service/http/kept-settings.ts';
import type { Services } from '../service/http/services.ts';
import { AuditLog } from '../service/logging/audit-log.ts';
import type { Log } from '../service/logging/log.ts';
import { PasswordChecks } from '../service/sessions/password-checks.ts';
import { Sessions } from '../service/sessions/sessions.ts';
import { Users } from '../service/sessions/users.ts';
import { FaultInjectingPlanner } from '../service/simulation/faults/fault-injecting-planner.ts';
import { FaultInjectingUpdates } from '../service/simulation/faults/fault-injecting-updates.ts';
import { EVERYONE } from '../service/stream/audience.ts';
import { Updates, type UpdatesParts } from '../service/updates/updates.ts';
import { ToolpathLibrary } from '../toolpaths/toolpath-library.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { RobotAssembly } from './robot-assembly.ts';

/** The sessions: one that ends closes its streams and releases its lock. */
function createSessions({ loop, hub, simHub, timers }: RobotAssembly): Sessions {
  return new Sessions({
    time: loop,
    timers,
    onEnd(session) {
      hub.closeSession(session);
      simHub.closeSession(session);
      if (session.token_id < 0) loop.apply({ kind: 'forget_token', token_id: session.token_id });
    },
  });
}

/** Creates the services. */
export function createServices(
  { wall, database, injectedFaults }: Infrastructure,
  robotAssembly: RobotAssembly,
  { log, config }: { readonly log: Log; readonly config: Pick<Config, 'plansInline'> },
): Services {
  const { robot, loop, hub, timers, clock } = robotAssembly;
  const sessions = createSessions(robotAssembly);
  const passwords = new PasswordChecks(wall);
  const timing = () => robot.memory.timing;
  const planner = createPlanner({ wall, timing, range: robot.range, inline: config.plansInline });
  const documents = new DocumentReader({
    wall,
    keepsTime: () => !clock.paused && clock.pace.kind !== 'stepped',
  });
  const updatesParts: UpdatesParts = {
    database,
    loop,
    time: loop,
    timers,
    sessions,
    announce: (message) => hub.publish({ type: 'update_in_progress', message }, EVERYONE),
    onUnsaved: (error) => log.error('Could not save the software version', error),
  };
  const users = new Users({
    database,
    passwords,
    timestamp: () => timestamp(loop),
    onUnsaved: (error) => log.error('Could not save the last use of tokens', error),
  });
  const { store } = database;
  const idempotency = new IdempotencyKeys({ store, wall, passwords });
  users.onDeleted.push((user_id) => idempotency.remove(user_id));
  return {
    robot,
    loop,
    hub,
    database,
    sessions,
    users,
    library: new ToolpathLibrary(database, documents, () => timestamp(loop)),
    settings: new KeptSettings({ robot, loop, database }),
    documents,
    planner: injectedFaults
      ? new FaultInjectingPlanner(planner, wall, injectedFaults.plans)
      : planner,
    clock,
    time: loop,
    wall,
    passwords,
    audit: new AuditLog(log, wall.now_ms),
    idempotency,
    updates: injectedFaults
      ? new FaultInjectingUpdates(updatesParts, {
          rules: injectedFaults.installations,
          onFailed: (message) => log.warn(message),
        })
      : new Updates(updatesParts),
  };
}
