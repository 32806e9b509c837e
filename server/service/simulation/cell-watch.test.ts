/** What is published of the cell: the cell, its changes, and what happens in it. */

import { describe, expect, it } from 'vitest';
import type { ArmWorld } from '../../../bridge/arm-world.ts';
import { createSimulatedArm } from '../../../bridge/simulated/simulated-arm.ts';
import type { Cell, SimEvent } from '../../../contract/types.generated.ts';
import { CellWatch } from './cell-watch.ts';

const size_m = { x: 0.04, y: 0.04, z: 0.04 };

/** A cell with an object of this name. */
const cellOf = (name: string): Cell => ({
  name: 'parts',
  objects: [
    { name, position: { x: 0.4, y: 0.3, z: 0 }, mass_kg: 0.1, shape: { kind: 'box', size_m } },
  ],
});

async function plantOf(cell: Cell | string): Promise<NonNullable<ArmWorld['cell']>> {
  const arm = createSimulatedArm({ plant: 'fast' });
  await arm.start();
  arm.world.setCell(typeof cell === 'string' ? cellOf(cell) : cell);
  return arm.world.cell!;
}

/** Something that happens to the object. */
function happen(plant: NonNullable<ArmWorld['cell']>): void {
  plant.events.add({ kind: 'settled', body: 0, by: null, at: null, text: 'rests', steps: 0 });
}

function watched() {
  const world: { cell: ArmWorld['cell'] } = { cell: null };
  const published: SimEvent[] = [];
  const log: string[] = [];
  const failures: string[] = [];
  const audience = { isThere: true };
  const watch = new CellWatch({
    world: world as Partial<ArmWorld> as ArmWorld,
    publish: (event) => void published.push(event),
    log: (text) => void log.push(text),
    hasSubscribers: () => audience.isThere,
    onFailure: (reason) => void failures.push(reason),
  });
  /** The types of what was published since the last call. */
  const types = () => published.splice(0).map(({ type }) => type);
  return { watch, world, published, types, log, failures, audience };
}

/** A watch that has published the cell with a part. */
async function watchedPart() {
  const plant = await plantOf('part');
  const all = watched();
  all.world.cell = plant;
  all.watch.onAction(null, 5);
  all.types();
  return { ...all, plant };
}

describe('the watch of the cell', () => {
  it('publishes nothing without a cell', () => {
    const { watch, types } = watched();
    watch.onTick(null, 5);
    watch.onRestore(10);
    expect(types()).toEqual([]);
  });

  it('publishes a new cell with its state, and that there is none', async () => {
    const { watch, world, published, types } = watched();
    world.cell = await plantOf('part');
    watch.onAction(null, 7);
    expect(published).toEqual([
      { type: 'cell', cell: cellOf('part') },
      {
        type: 'cell_state',
        tick: 7,
        state: expect.objectContaining({ objects: [expect.objectContaining({ name: 'part' })] }),
      },
    ]);
    types();
    watch.onTick(null, 10);
    expect(types()).toEqual([]);
    world.cell = null;
    watch.onTick(null, 11);
    expect(published).toEqual([{ type: 'cell', cell: null }]);
  });

  it('publishes at once what another cell has, whatever the one before had', async () => {
    const { watch, world, plant, published, types } = await watchedPart();
    happen(plant);
    plant.revision = 1;
    watch.onTick(null, 10);
    types();
    world.cell = await plantOf('part');
    world.cell.revision = 1;
    happen(world.cell);
    watch.onAction(null, 12);
    expect(published.slice(1)).toMatchObject([
      { type: 'cell_event', event: { id: 1 } },
      { type: 'cell_state', state: { objects: [{ name: 'part' }] } },
    ]);
    expect(types()[0]).toBe('cell');
  });

  it('publishes what changed every 20 ms, and at once what a person did', async () => {
    const { watch, plant, published, types } = await watchedPart();
    const frame = Float64Array.from([0.1, 0.5, 0, 0, 0, 0, 1]);
    plant.move(0, frame);
    for (const tick of [11, 12, 13, 14]) watch.onTick(null, tick);
    expect(types()).toEqual([]);
    watch.onTick(null, 15);
    expect(published).toMatchObject([{ type: 'cell_state', tick: 15 }]);
    types();
    watch.onTick(null, 20);
    expect(types()).toEqual([]);
    plant.move(0, Float64Array.from([0.2, 0.5, 0, 0, 0, 0, 1]));
    watch.onAction(null, 21);
    expect(published).toMatchObject([{ type: 'cell_state', tick: 21 }]);
  });

  it('publishes no state where nothing has changed after all', async () => {
    const { watch, plant, types } = await watchedPart();
    plant.revision += 1;
    watch.onTick(null, 10);
    expect(types()).toEqual([]);
  });

  it('publishes no travel of a belt on which nothing changes', async () => {
    const belt: Cell = {
      ...cellOf('part'),
      conveyors: [
        {
          ...{ name: 'belt', position: { x: 0.5, y: -0.4, z: 0 }, speed_m_s: 0.1 },
          size_m: { x: 0.4, y: 0.1, z: 0.1 },
        },
      ],
    };
    const { watch, world, types } = watched();
    const plant = await plantOf(belt);
    world.cell = plant;
    const run = (steps: number) => {
      for (let step = 0; step < steps; step++) plant.step(new Float64Array(6));
    };
    // What lies in the cell comes to rest first.
    run(1000);
    watch.onAction(null, 5);
    types();
    const { revision } = plant;
    const before = plant.signals.belts[0]!.travel_m;
    run(20);
    watch.onTick(null, 10);
    expect(plant.signals.belts[0]!.travel_m).toBeGreaterThan(before);
    expect([plant.revision, types()]).toEqual([revision, []]);
  });

  it('publishes the cell once where another plant has the same one', async () => {
    const cell = cellOf('part');
    const { watch, world, types } = watched();
    for (const expected of [['cell', 'cell_state'], ['cell_state']]) {
      world.cell = await plantOf(cell);
      watch.onAction(null, 5);
      expect(types()).toEqual(expected);
    }
  });

  it('keeps the changes for the first who listens', async () => {
    const { watch, plant, types, audience } = await watchedPart();
    audience.isThere = false;
    plant.move(0, Float64Array.from([0.1, 0.5, 0, 0, 0, 0, 1]));
    watch.onTick(null, 10);
    expect(types()).toEqual([]);
    audience.isThere = true;
    watch.onTick(null, 15);
    expect(types()).toEqual(['cell_state']);
  });

  it('publishes and logs each event once, at its tick', async () => {
    const { watch, plant, published, types, log } = await watchedPart();
    happen(plant);
    watch.onTick(null, 11);
    expect(published).toMatchObject([{ type: 'cell_event', event: { id: 1, object: 'part' } }]);
    watch.onTick(null, 12);
    expect(types()).toEqual(['cell_event']);
    happen(plant);
    happen(plant);
    watch.onTick(null, 13);
    expect(published).toMatchObject([{ event: { id: 2 } }, { event: { id: 3 } }]);
    expect(log).toHaveLength(3);
    expect(log[0]).toBe(`Cell: ${plant.events.list()[0]!.text}`);
  });

  it('publishes a restored cell with its state, without the events from before', async () => {
    const { watch, world, plant, published, types, log } = await watchedPart();
    const restored = await plantOf('part');
    happen(restored);
    happen(restored);
    world.cell = restored;
    watch.onRestore(42);
    expect(types()).toEqual(['cell', 'cell_state']);
    happen(restored);
    watch.onTick(null, 43);
    expect(published).toMatchObject([{ type: 'cell_event', event: { id: 3 } }]);
    expect(log).toHaveLength(1);
    expect(plant.events.last).toBe(0);
  });

  it('reports once for each cell that it cannot be simulated any further', async () => {
    const { watch, world, plant, failures } = await watchedPart();
    expect(failures).toEqual([]);
    plant.failure = 'a part is lost';
    for (const tick of [11, 12]) watch.onTick(null, tick);
    expect(failures).toEqual(['a part is lost']);
    world.cell = await plantOf('other');
    watch.onAction(null, 13);
    expect(failures).toHaveLength(1);
    world.cell.failure = 'another is lost';
    watch.onTick(null, 14);
    expect(failures).toEqual(['a part is lost', 'another is lost']);
  });
});
