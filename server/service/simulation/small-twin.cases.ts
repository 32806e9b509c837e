/**
 * The simulation control API of a twin on the fast plant, without a server: its clock stands, its
 * planner and its password hashes cost nothing. Test code.
 */

import type { RouteId } from '../../../contract/routes.ts';
import { createInfrastructure } from '../../app/infrastructure.ts';
import { assembleRobot } from '../../app/robot-assembly.ts';
import { createServices } from '../../app/services.ts';
import { createSimulation } from '../../app/simulation-assembly.ts';
import { TWIN_DEFAULTS } from '../../cli/config.ts';
import { toolpathText } from '../../documents/toolpath-text.ts';
import { smallToolpath } from '../../toolpaths/small-toolpath.cases.ts';
import type { SessionCall } from '../http/call.ts';
import type { Log } from '../logging/log.ts';
import { simulationHandlers } from './handlers.ts';

export const ADMIN = 'admin@example.org';
/** The small toolpath as a checked body has it. */
export const SMALL_TEXT = toolpathText(smallToolpath());

const SILENT: Log = { info() {}, warn() {}, error() {}, audit() {}, answered() {} };

/** A twin whose first user is an admin with a token. */
export async function smallTwin() {
  const config = { ...TWIN_DEFAULTS, driver: 'fast', plansInline: true } as const;
  const stepped = { ...config, pace: { kind: 'stepped' } } as const;
  const infrastructure = await createInfrastructure(stepped, SILENT);
  const robotAssembly = assembleRobot(stepped, infrastructure, SILENT);
  const services = createServices(infrastructure, robotAssembly, { log: SILENT, config });
  const options = { config: stepped, infrastructure, robotAssembly, services, log: SILENT };
  const simulation = createSimulation(options)!;
  const { clock, users, database, passwords } = services;
  passwords.hash = async (password) => `hash of ${password}`;
  clock.start(services.loop);
  await users.create(ADMIN, null);
  await users.createToken(1, 'first', { secret: 'the first token of the admin' });
  const session = { user_id: 1, token_id: 1, created_s: 0, expires_s: 1800 };
  /** Calls a handler, as the admin where the call names no other session. */
  const call = async (id: RouteId, body: object = {}, rest: Partial<SessionCall> = {}) => {
    const handler = simulationHandlers(simulation)[id] as (call: object) => unknown;
    return handler({ body, parameters: {}, session, recheck: () => null, ...rest });
  };
  return { simulation, services, database, session, call };
}
