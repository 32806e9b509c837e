/** The call that replays a kept run: what it asks for, and what it answers. */

import { describe, expect, it } from 'vitest';
import { refuse } from '../../../contract/refusal.ts';
import type { Call } from '../http/call.ts';
import type { Handlers } from '../http/handler.ts';
import { simulationHandlers } from './handlers.ts';
import { Simulation, type SimulationParts } from './simulation.ts';

const RAN = { user_id: 7, hash: 'ran' };
const RUN = { id: 3, name: 'Small', ...RAN, start: { tick: 500 }, watch: { tick: 750 } };
const TOOLPATH = { hash: 'h', metadata: { version: 2 } };
const TASK = { toolpath: 'planned from this' };
const FAULT = { kind: 'stuck_input', input: 'd1' };

/** Calls the handler on a twin that keeps one run; `asked` has the replays that it asks for. */
function callsOn({ inputs = ['a command'] as readonly string[] | null, result = {} as object }) {
  const asked: object[] = [];
  const parts = {
    ...{ driver: { name: 'fast', pace: 'any' }, world: {}, product: 'armtwin 1' },
    ...{ driverFaults: null, injectedFaults: null },
    services: {
      ...{ loop: {}, updates: {}, database: {}, planner: { taskOf: () => TASK } },
      robot: { holdsLock: () => false },
    },
    replayRun: async (task: object) => {
      asked.push(task);
      return result;
    },
  };
  const simulation = new Simulation(parts as object as SimulationParts);
  const find = (id: number) => (id === RUN.id ? { ...RUN, inputs } : null);
  const call = async (
    body: object,
    { id = RUN.id, late = null as object | null, role = 'admin', user_id = 1, saved = '' } = {},
  ) => {
    const { replayRobotRun } = simulationHandlers(simulation);
    const parameters = { robot_run_id: id };
    const caller = { user_id, role };
    const library = { saved: () => [{ hash: saved }] };
    const given = { parameters, body, caller, recheck: () => late } as object as Call;
    return (replayRobotRun as NonNullable<Handlers['replayRobotRun']>)(
      given as never,
      { library } as never,
    );
  };
  return { asked, call, keepRuns: () => Object.assign(simulation, { runs: { find } }) };
}

describe('the call that replays a kept run', () => {
  it('replays it as it was, up to where it got', async () => {
    const json = new TextEncoder().encode('{}');
    const { asked, call, keepRuns } = callsOn({ result: { json } });
    keepRuns();
    expect(await call({ at_s: 1 })).toMatchObject({ text: [json] });
    expect(asked).toEqual([
      {
        ...{ driver: 'fast', recorded_by: 'armtwin 1', end_tick: 750, change: null },
        run: { name: 'Small', start: RUN.start, inputs: ['a command'] },
        isReadable: true,
      },
    ]);
  });

  it('replays it with a fault or a toolpath from a time in the run on', async () => {
    const { asked, call, keepRuns } = callsOn({ result: { json: new Uint8Array() } });
    keepRuns();
    await call({ at_s: 0.4, fault: FAULT });
    await call({ toolpath: TOOLPATH });
    expect(asked).toMatchObject([
      { change: { tick: 600, fault: FAULT, toolpath: null } },
      { change: { tick: 500, fault: null, toolpath: { ...TOOLPATH, task: TASK } } },
    ]);
  });

  it('replays it for a plain user as it was, and not with a change', async () => {
    const { asked, call, keepRuns } = callsOn({ result: { json: new Uint8Array() } });
    keepRuns();
    const user = { role: 'user' };
    expect(await call({ fault: FAULT }, user)).toMatchObject({ refused: 'role_too_low' });
    expect(await call({ toolpath: TOOLPATH }, user)).toMatchObject({ refused: 'role_too_low' });
    expect(asked).toEqual([]);
    await call({}, user);
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['an admin', { role: 'admin' }, true],
    ['not who ran what another user had loaded', { role: 'user', user_id: RAN.user_id }, false],
    ['who has it saved', { role: 'user', saved: RAN.hash }, true],
    ['another user', { role: 'user', saved: 'other' }, false],
  ])('gives the toolpath to who may read it: %s', async (_, caller, isReadable) => {
    const { asked, call, keepRuns } = callsOn({ result: { json: new Uint8Array() } });
    keepRuns();
    await call({}, caller);
    expect(asked).toMatchObject([{ isReadable }]);
  });

  it('is refused where there is no such run, or too much was done in it', async () => {
    const { asked, call, keepRuns } = callsOn({ inputs: null });
    expect(await call({})).toMatchObject({ refused: 'not_supported' });
    keepRuns();
    expect(await call({}, { id: 4 })).toMatchObject({ refused: 'not_found' });
    expect(await call({})).toMatchObject({
      ...{ refused: 'not_supported', details: expect.stringContaining('too many commands') },
    });
    expect(asked).toEqual([]);
  });

  it('is refused with a toolpath that is none', async () => {
    const { asked, call, keepRuns } = callsOn({});
    keepRuns();
    const toolpath = refuse('invalid_arguments', [{ path: '/toolpath', problem: 'is none' }]);
    expect(await call({ toolpath })).toBe(toolpath);
    expect(asked).toEqual([]);
  });

  it('is refused where the replay is, or the caller may not ask any more', async () => {
    const refused = refuse('timed_out');
    const { call, keepRuns } = callsOn({ result: refused });
    keepRuns();
    expect(await call({})).toEqual(refused);
    const late = refuse('not_authenticated');
    expect(await call({}, { late })).toEqual(late);
  });
});
