/** The tags of the calls in the OpenAPI document, by the prefix of their paths. */
import type { RouteRow } from '../routes.ts';
import type { Json } from './document-schemas.ts';

/** The tags of the calls by path prefix, the longest first. */
const TAGS: readonly { readonly prefix: string; readonly name: string; readonly text: string }[] = [
  {
    prefix: '/api/v1/auth',
    name: 'Sessions',
    text: 'Log in and out. Every other call needs the session token of one of the log-in calls.',
  },
  {
    prefix: '/api/v1/users',
    name: 'Users',
    text: 'Users, their roles and their API tokens.',
  },
  {
    prefix: '/api/v1/toolpath',
    name: 'Toolpaths',
    text: 'Save, build, select, share and migrate toolpaths.',
  },
  {
    prefix: '/api/v1/controls/lock',
    name: 'Robot lock',
    text:
      'Only the holder of the lock can control the arm. It expires after 5 minutes without ' +
      'renewal, and after 5 seconds while a teach-mode motion runs.',
  },
  {
    prefix: '/api/v1/controls',
    name: 'Robot control',
    text: 'Move, run, pause and stop. Angles are radians, distances metres, times seconds.',
  },
  {
    prefix: '/api/v1/data',
    name: 'Data',
    text: 'Read the state of the robot, change outputs, and receive events over a WebSocket.',
  },
  {
    prefix: '/api/v1/calc',
    name: 'Calculation',
    text: 'Kinematics of the arm. A motion error is part of the reply, with status 200.',
  },
  {
    prefix: '/api/',
    name: 'Information and updates',
    text: 'Versions, the name of the robot, and software updates.',
  },
  {
    prefix: '/workflow/v1/webhooks',
    name: 'Webhooks',
    text: 'Deliveries of workflow events, test deliveries and the signing secret.',
  },
  {
    prefix: '/workflow/',
    name: 'Workflows',
    text: 'The workflow scheduler beside the arm: definitions, workcells, plans and runs.',
  },
  {
    prefix: '/sim/',
    name: 'Simulation',
    text: 'The simulation control API, for admins. Real arms do not have these calls.',
  },
];

/** The name of the tag of a call. */
export function tagOf({ path }: RouteRow): string {
  return TAGS.find(({ prefix }) => path.startsWith(prefix))!.name;
}

/** The tags with their descriptions. */
export const TAG_LIST: readonly Json[] = TAGS.map(({ name, text }) => ({
  name,
  description: text,
}));
