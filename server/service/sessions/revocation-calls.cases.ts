/** Calls whose effects a revocation ends: one of each kind that changes something. Test code. */

import { sampleWorkflow } from '../../../conformance/samples/sample-workflow.ts';
import { PASSWORD, smallToolpath } from '../http/api-fixture.cases.ts';

/** A call of the user whose rights are revoked; `needs` names the least role. */
export interface Action {
  readonly name: string;
  readonly needs: 'user' | 'admin';
  readonly call: (ids: Ids) => readonly [method: string, path: string, body?: object];
}

/** What the user has before the round. */
export interface Ids {
  readonly user: number;
  readonly other: number;
  readonly toolpath: number;
  readonly workflow: number;
  readonly workcell: number;
}

/** A workcell with one instrument. */
export const WORKCELL = {
  name: 'cell',
  instruments: [{ id: 'hotel', type: 'hotel', capacity: 4 }],
};
/** The body that saves a small toolpath. */
export const named = (name: string) => ({ name, toolpath: smallToolpath() });

const CALLS: readonly (readonly [string, Action['needs'], Action['call']])[] = [
  ['create a token', 'user', ({ user }) => ['POST', `/api/v1/users/${user}/tokens`, { name: 't' }]],
  ['save a toolpath', 'user', () => ['POST', '/api/v1/toolpaths', named('late')]],
  [
    'replace a toolpath',
    'user',
    ({ toolpath }) => ['PUT', `/api/v1/toolpaths/${toolpath}`, named('late')],
  ],
  ['delete a toolpath', 'user', ({ toolpath }) => ['DELETE', `/api/v1/toolpaths/${toolpath}`]],
  ['load a toolpath', 'user', () => ['POST', '/api/v1/toolpath/use', named('late')]],
  [
    'load a saved toolpath',
    'user',
    ({ toolpath }) => ['POST', `/api/v1/toolpaths/${toolpath}/use`],
  ],
  ['take the lock', 'user', () => ['POST', '/api/v1/controls/lock']],
  [
    'change outputs',
    'user',
    () => ['POST', '/api/v1/data/globals', { changes: [{ key: 'outputs.d0', value: true }] }],
  ],
  [
    'move',
    'user',
    () => [
      'POST',
      '/api/v1/controls/go_to',
      { mode: 'teach', joints: [0.1, 0.5, -1.7, 0, -1.2, 0] },
    ],
  ],
  ['save a workflow', 'user', () => ['POST', '/workflow/v1/workflows', sampleWorkflow()]],
  [
    'replace a workflow',
    'user',
    ({ workflow }) => ['PUT', `/workflow/v1/workflows/${workflow}`, sampleWorkflow()],
  ],
  ['delete a workflow', 'user', ({ workflow }) => ['DELETE', `/workflow/v1/workflows/${workflow}`]],
  [
    'start a run',
    'user',
    ({ workflow }) => ['POST', `/workflow/v1/workflows/${workflow}/runs`, {}],
  ],
  [
    'save a workcell',
    'user',
    () => ['POST', '/workflow/v1/workcells', { ...WORKCELL, name: 'late' }],
  ],
  [
    'replace a workcell',
    'user',
    ({ workcell }) => [
      'PUT',
      `/workflow/v1/workcells/${workcell}`,
      { ...WORKCELL, name: 'late too' },
    ],
  ],
  [
    'set a deck',
    'user',
    ({ workcell }) => [
      'PUT',
      `/workflow/v1/workcells/${workcell}/deck`,
      { labware: [{ labware_id: 'p', instrument_id: 'hotel', slot: 1 }], gripper: null },
    ],
  ],
  ['delete a workcell', 'user', ({ workcell }) => ['DELETE', `/workflow/v1/workcells/${workcell}`]],
  ['rotate the secret', 'user', () => ['POST', '/workflow/v1/webhooks/rotate']],
  [
    'test a hook',
    'user',
    () => ['POST', '/workflow/v1/webhooks/test', { url: 'http://127.0.0.1:9/' }],
  ],
  [
    'create a user',
    'admin',
    () => [
      'POST',
      '/api/v1/users',
      { email: `late${Math.random()}@example.org`, password: PASSWORD },
    ],
  ],
  [
    'change a password',
    'admin',
    ({ other }) => ['PUT', `/api/v1/users/${other}`, { password: `${PASSWORD} 2` }],
  ],
  ['make an admin', 'admin', ({ other }) => ['PUT', `/api/v1/users/${other}`, { role: 'admin' }]],
  ['delete a user', 'admin', ({ other }) => ['DELETE', `/api/v1/users/${other}`]],
  ['press the emergency stop', 'admin', () => ['PUT', '/sim/v1/emergency_stop', { engaged: true }]],
];

export const ACTIONS: readonly Action[] = CALLS.map(([name, needs, call]) => ({
  name,
  needs,
  call,
}));
