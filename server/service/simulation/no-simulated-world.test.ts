/** Without a simulated world, the calls that need one are refused with `not_supported`. */

import { describe, expect, it } from 'vitest';
import type { Call } from '../http/call.ts';
import type { Handlers } from '../http/handler.ts';
import { simulationHandlers } from './handlers.ts';
import { Simulation, type SimulationParts } from './simulation.ts';
import { restoreInitialState } from './simulation-start.ts';

const driver = { name: 'servo', pace: 'real-time' };
const loop = { applyWorldAction: () => false };
const parts = {
  driver,
  world: null,
  instruments: null,
  services: { loop, hub: {}, updates: {}, database: {} },
  driverFaults: null,
  injectedFaults: null,
  clock: { pace: { kind: 'scaled' } },
};
const handlers = simulationHandlers(new Simulation(parts as object as SimulationParts));

const AWAY = { x: 5, y: 0, z: 0 };
const calls: readonly (readonly [keyof Handlers, object])[] = [
  ['pushArm', { force: AWAY }],
  ['listObstacles', {}],
  ['addObstacle', { name: 'box', position: AWAY, half: AWAY }],
  ['removeObstacle', {}],
  ['listContacts', {}],
  ['getLoad', {}],
  ['setLoad', { mass_kg: 0.5, centre_of_mass_m: AWAY }],
  ['clearLoad', {}],
  ['addFault', { kind: 'driver', joint: 0, fault: 'lost' }],
  ['addFault', { kind: 'collision', joint: 0 }],
  ['addFault', { kind: 'sensor_noise' }],
  ['addFault', { kind: 'slow_planner', delay_s: 1 }],
  ['addFault', { kind: 'failing_planner' }],
  ['addFault', { kind: 'update_failure' }],
  ['addFault', { kind: 'disk_full' }],
  ['addFault', { kind: 'stream', effect: 'drop' }],
  ['setClock', { pace: 10 }],
  ['setClock', { paused: true }],
  ['getServos', {}],
  ['stepClock', { ticks: 1 }],
  ['advanceClock', { seconds: 1 }],
  ['startRecording', {}],
  ['replayRobotRun', {}],
  ['keepState', { name: 'a' }],
  ['restoreState', { name: 'a' }],
  ['resetTwin', {}],
];

describe('a driver without a simulated world', () => {
  it.each(calls)('refuses %s %j', async (id, body) => {
    const handler = handlers[id] as (call: Call) => unknown;
    const answered = await handler({ body, parameters: { obstacle_id: 1 } } as object as Call);
    expect(answered).toMatchObject({ refused: 'not_supported' });
  });

  it.each(['startRecording', 'replayRobotRun', 'keepState', 'pushArm'] as const)(
    'is named by the refusal of %s',
    async (id) => {
      const call = { body: {}, parameters: {} } as object as Call;
      const answered = await (handlers[id] as (call: Call) => unknown)(call);
      expect(answered).toMatchObject({ details: 'The driver servo has no simulated world' });
    },
  );

  it('names what a fault needs, not only the driver', async () => {
    const call = { body: { kind: 'disk_full' }, parameters: {} } as object as Call;
    const answered = await (handlers.addFault as (call: Call) => unknown)(call);
    expect(answered).toMatchObject({ details: expect.stringContaining('Only a simulated arm') });
  });

  it('has kept no run, recorded nothing and has nothing to complete', async () => {
    const call = { body: {}, parameters: {} } as object as Call;
    const answerOf = (id: keyof Handlers) => (handlers[id] as (call: Call) => unknown)(call);
    expect(answerOf('listRobotRuns')).toEqual({ reply: { kept: false, runs: [] } });
    expect(answerOf('getRecording')).toMatchObject({ reply: { recording: false, bytes: 0 } });
    const complete = await restoreInitialState(null, { seed: null, record: null });
    expect(await complete()).toBeUndefined();
  });

  it.each([
    { given: { seed: { cell: { name: 'trays' } }, record: null }, words: 'A cell needs' },
    { given: { seed: { name: 'arm' }, record: null }, words: 'A seed needs' },
    {
      given: { seed: { cell: { name: 'trays' }, name: 'arm' }, record: null },
      words: 'A seed needs',
    },
    { given: { seed: null, record: 'run.tape' }, words: 'A recording needs' },
  ])('starts without what only a simulated arm has: $words', async ({ given, words }) => {
    await expect(restoreInitialState(null, given)).rejects.toThrow(words);
  });
});
