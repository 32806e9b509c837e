/**
 * The table of endpoints: one row each, from which server, client, rules and documents are made.
 * A server mounts the rows it has a handler for, and no path lives outside the table.
 */
import { KNOWLEDGE_ROUTES } from './routes/knowledge.ts';
import { PEOPLE_ROUTES } from './routes/people.ts';
import { ROBOT_ROUTES } from './routes/robot.ts';
import type { RouteRow } from './routes/row.ts';
import { SIM_ROUTES } from './routes/sim.ts';
import { SIM_STATE_ROUTES } from './routes/sim-states.ts';
import { TOOLPATH_ROUTES } from './routes/toolpaths.ts';
import { WORKFLOW_ROUTES } from './routes/workflow.ts';

export const ROUTES = [
  ...PEOPLE_ROUTES,
  ...TOOLPATH_ROUTES,
  ...ROBOT_ROUTES,
  ...KNOWLEDGE_ROUTES,
  ...SIM_ROUTES,
  ...SIM_STATE_ROUTES,
  ...WORKFLOW_ROUTES,
] as const;

/** A row with its literal types. */
export type Route = (typeof ROUTES)[number];

/** The name of an endpoint. */
export type RouteId = Route['id'];

/** The row of one endpoint, with its literal types. */
export type RouteOf<Id extends RouteId> = Extract<Route, { id: Id }>;

const byId = new Map<string, RouteRow>(ROUTES.map((route) => [route.id, route]));

/** The row of an endpoint. */
export function routeOf(id: RouteId): RouteRow {
  return byId.get(id)!;
}

export type { Dialect, HttpMethod, RouteRow } from './routes/row.ts';
export { fillPath } from './routes/row.ts';
