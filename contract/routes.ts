/**
 * The endpoint table. Server, client, rules and API documents are derived from it; every path that
 * the server mounts is a row here.
 */

import { CALCULATION_AND_UPDATE_ROUTES } from './routes/calculation-and-updates.ts';
import { CELL_ROUTES } from './routes/cell.ts';
import { ROBOT_ROUTES } from './routes/robot.ts';
import type { RouteRow } from './routes/row.ts';
import type { ErrorsOfRow } from './routes/row-errors.ts';
import { RUN_ROUTES } from './routes/runs.ts';
import { SIM_ROUTES } from './routes/sim.ts';
import { SIM_SNAPSHOT_ROUTES } from './routes/sim-snapshots.ts';
import { TOOLPATH_ROUTES } from './routes/toolpaths.ts';
import { USER_ROUTES } from './routes/users.ts';
import { WEBHOOK_ROUTES } from './routes/webhooks.ts';
import { WORKFLOW_ROUTES } from './routes/workflow.ts';

export const ROUTES = [
  ...USER_ROUTES,
  ...TOOLPATH_ROUTES,
  ...ROBOT_ROUTES,
  ...CALCULATION_AND_UPDATE_ROUTES,
  ...SIM_ROUTES,
  ...SIM_SNAPSHOT_ROUTES,
  ...CELL_ROUTES,
  ...WORKFLOW_ROUTES,
  ...RUN_ROUTES,
  ...WEBHOOK_ROUTES,
] as const;

/** A row with its literal types. */
export type Route = (typeof ROUTES)[number];

/** The name of an endpoint. */
export type RouteId = Route['id'];

/** The row of one endpoint, with its literal types. */
export type RouteOf<Id extends RouteId> = Extract<Route, { id: Id }>;

/** The names of the errors that an endpoint can answer; its handler can refuse with no other. */
export type ErrorOf<Id extends RouteId> = ErrorsOfRow<RouteOf<Id>>;

const byId = new Map<string, RouteRow>(ROUTES.map((route) => [route.id, route]));

/** The row of an endpoint. */
export function routeOf(id: RouteId): RouteRow {
  return byId.get(id)!;
}

export { fillPath } from './routes/path.ts';
export type { Dialect, HttpMethod, RouteRow } from './routes/row.ts';
export { errorStatusesOf, errorsOf } from './routes/row-errors.ts';
