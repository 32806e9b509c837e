/** Resets and named snapshots as calls on a twin without a server: effects and refusals. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { refuse } from '../../../contract/refusal.ts';
import type { CellSensor } from '../../../contract/types.generated.ts';
import { encodePlainData } from '../../recording/plain-data.ts';
import { StorageError } from '../../store/storage-error.ts';
import { EMPTY } from '../http/reply.ts';
import { restoreInitialState } from './simulation-start.ts';
import { SMALL_TEXT, smallTwin } from './small-twin.cases.ts';

let twin: Awaited<ReturnType<typeof smallTwin>>;

beforeEach(async () => {
  twin = await smallTwin();
});

/** Imports the kept snapshot of this name as that of a file, which was not restored yet. */
async function importAs(name: string, kept: string) {
  const { snapshots } = twin.simulation;
  const content = await snapshots.contentOf(kept);
  if ('refused' in content) throw new Error(content.refused);
  const { driver, tick, robot, physics = '' } = content;
  const data = new TextEncoder().encode(encodePlainData(content));
  snapshots.import({
    name,
    content: { driver, tick, physics, data, state: robot.memory.state },
  });
}

describe('a reset', () => {
  beforeEach(() => restoreInitialState(twin.simulation, { seed: null, record: null }));

  it('of the users forgets failed log-ins and what users have shared', async () => {
    const { services } = twin;
    services.library.keepShared(1, { name: 'one', toolpath: SMALL_TEXT } as never);
    const clear = vi.spyOn(services.passwords, 'clear');
    await call(['toolpaths']);
    expect(services.library.sharedWith(1)).not.toBe(null);
    expect(clear).not.toHaveBeenCalled();
    await call(['users']);
    expect(services.library.sharedWith(1)).toBe(null);
    expect(clear).toHaveBeenCalledOnce();
  });

  it('that the disk fails may have happened in part', async () => {
    const change = vi.spyOn(twin.database, 'change');
    change.mockRejectedValueOnce(new StorageError('the disk is full'));
    const error = await call(['state']).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: 'the disk is full', isUncertain: true });
    const other = new Error('another failure');
    change.mockRejectedValueOnce(other);
    await expect(call(['state'])).rejects.toBe(other);
  });

  const call = (scopes: readonly string[]) => twin.call('resetTwin', { scopes });
});

describe('the restore of a named snapshot', () => {
  beforeEach(async () => {
    await twin.call('keepState', { name: 'a' });
    Object.assign(twin.simulation.parts, { trySnapshot: vi.fn(async () => null) });
  });

  it('begins the schedule of the clock at its time', async () => {
    const { clock, loop } = twin.services;
    await clock.advance(10);
    const ticks: number[] = [];
    vi.spyOn(clock, 'set').mockImplementation(() => void ticks.push(loop.tick));
    expect(await twin.call('restoreState', { name: 'a' })).toEqual(EMPTY);
    expect([ticks, vi.mocked(clock.set).mock.calls]).toEqual([[0], [[{}]]]);
  });

  it('of a file is tried once, and watched until its first tick', async () => {
    const { trySnapshot } = twin.simulation.parts;
    const { loop } = twin.services;
    await importAs('of a file', 'a');
    await twin.call('restoreState', { name: 'of a file' });
    expect(trySnapshot).toHaveBeenCalledOnce();
    expect(loop.onFailedTick).not.toBe(null);
    await twin.call('restoreState', { name: 'of a file' });
    expect(trySnapshot).toHaveBeenCalledOnce();
    expect(loop.onFailedTick).toBe(null);
  });

  it('is refused where its toolpath cannot be planned, and too late', async () => {
    const { services, call } = twin;
    expect(await call('seedTwin', SELECTED)).toEqual(EMPTY);
    await call('keepState', { name: 'loaded' });
    Object.assign(services.robot.memory, { loaded: null });
    vi.spyOn(services.planner, 'load').mockResolvedValueOnce({
      ...{ kind: 'hard', error: 'no motion' },
    } as never);
    await services.clock.advance(10);
    expect(await call('restoreState', { name: 'loaded' })).toMatchObject({
      ...{ refused: 'invalid_arguments', details: [{ path: '/name' }] },
    });
    const late = refuse('timed_out');
    const answers = [null, late];
    const recheck = () => answers.shift() ?? null;
    expect(await call('restoreState', { name: 'loaded' }, { recheck })).toEqual(late);
    expect([answers, services.loop.tick]).toEqual([[], 10]);
  });

  const SELECTED = { toolpaths: [{ name: 'one', toolpath: SMALL_TEXT }], selected: 'one' };
});

describe('the file of a named snapshot', () => {
  it('is answered, or why there is none', async () => {
    await twin.call('keepState', { name: 'a' });
    const made = vi.spyOn(twin.services.documents, 'stateFile');
    made.mockResolvedValueOnce(new Uint8Array(3));
    expect(await twin.call('exportState', { name: 'a' })).toEqual({
      ...{ ...EMPTY, text: [new Uint8Array(3)] },
    });
    const busy = refuse('not_ready', { reasons: ['busy'] });
    made.mockResolvedValueOnce(busy);
    expect(await twin.call('exportState', { name: 'a' })).toEqual(busy);
    expect(await twin.call('exportState', { name: 'b' })).toMatchObject({ refused: 'not_found' });
  });
});

describe('a cell that is replaced', () => {
  it('ends the faults of its parts, and no others', async () => {
    const { simulation } = twin;
    const sensor: CellSensor = {
      kind: 'presence',
      name: 'gate',
      input: 'd1',
      position: { x: 0.5, y: 0.3, z: 0 },
      size_m: { x: 0.1, y: 0.1, z: 0.1 },
    };
    simulation.setCell({ name: 'one', sensors: [sensor] });
    const stuck = { kind: 'stuck_input', input: 'd2' } as const;
    const ofCell = { kind: 'sensor', sensor: 'gate', fault: 'stuck' } as const;
    for (const fault of [stuck, ofCell]) simulation.faults.add(fault);
    expect(simulation.faults.list()).toHaveLength(2);
    simulation.setCell(null);
    expect(simulation.faults.list()).toMatchObject([{ fault: stuck }]);
  });
});
