/** Behind real joints nobody reaches into the world: those calls answer 501, the others work. */
import { describe, expect, it } from 'vitest';
import type { Call, Handlers } from '../http/handler.ts';
import { simHandlers } from './handlers.ts';
import { Simulation, type SimulationParts } from './simulation.ts';

const driver = { name: 'servo', pace: 'real-time' };
const loop = { act: () => false };
const parts = {
  driver,
  world: null,
  instruments: null,
  rooms: { loop, hub: {}, updates: {}, database: {} },
  planner: {},
  clock: { pace: { kind: 'scaled' } },
};
const handlers = simHandlers(new Simulation(parts as object as SimulationParts));

const AWAY = { x: 5, y: 0, z: 0 };
const calls: readonly (readonly [keyof Handlers, object])[] = [
  ['pushArm', { force: AWAY }],
  ['listObstacles', {}],
  ['addObstacle', { name: 'box', position: AWAY, half: AWAY }],
  ['removeObstacle', {}],
  ['addFault', { kind: 'driver', joint: 0, fault: 'lost' }],
  ['setClock', { pace: 10 }],
  ['setClock', { paused: true }],
  ['getServos', {}],
  ['stepClock', { ticks: 1 }],
  ['advanceClock', { seconds: 1 }],
];

describe('a driver without a simulated world', () => {
  it.each(calls)('%s is not supported', async (id, body) => {
    const handler = handlers[id] as (call: Call) => unknown;
    const answered = await handler({ body, parameters: { obstacle_id: 1 } } as object as Call);
    expect(answered).toMatchObject({ refused: 'not_supported' });
  });
});
