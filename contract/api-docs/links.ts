/** The links of the OpenAPI document from a reply to the calls on the object that it creates. */

import { parameterNames } from '../routes/path.ts';
import { ROUTES, type RouteRow } from '../routes.ts';
import type { Json } from './document-schemas.ts';

/** The calls whose reply has the id of an object, with the pointer to it, by path parameter. */
const CREATORS: { readonly [parameter: string]: readonly [id: string, pointer: string] } = {
  toolpath_id: ['createToolpath', '/toolpath/id'],
  user_id: ['createUser', '/user/id'],
  token_id: ['createToken', '/id'],
  workflow_id: ['createWorkflow', '/workflow/id'],
  workcell_id: ['createWorkcell', '/workcell/id'],
  run_id: ['startRun', '/run/id'],
  delivery_id: ['testHook', '/delivery/id'],
  obstacle_id: ['addObstacle', '/obstacle/id'],
  fault_id: ['addFault', '/fault/id'],
  robot_run_id: ['listRobotRuns', '/runs/0/id'],
};

/** The links from a reply to the calls on the object that it creates. */
export function linksOf(row: RouteRow): Json | null {
  const created = Object.entries(CREATORS).find(([, [id]]) => id === row.id);
  if (!created) return null;
  const [parameter, [, pointer]] = created;
  const known = parameterNames(row.path);
  const targets = (ROUTES as readonly RouteRow[]).filter((target) => {
    const names = parameterNames(target.path);
    return names.at(-1) === parameter && names.slice(0, -1).every((name) => known.includes(name));
  });
  const links = targets.map((target) => {
    const values = parameterNames(target.path).map((name) => [
      name,
      name === parameter ? `$response.body#${pointer}` : `$request.path.${name}`,
    ]);
    return [target.id, { operationId: target.id, parameters: Object.fromEntries(values) }] as const;
  });
  return Object.fromEntries(links);
}
