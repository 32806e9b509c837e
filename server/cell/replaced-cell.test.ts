/** What a call that waits for an object, and the stream, say when the cell is replaced. */
import { describe, expect, it } from 'vitest';
import { type ArmError, connect } from '../../contract/client.ts';
import type { Cell } from '../../contract/types.generated.ts';
import { startTwin } from '../app/app.ts';
import { configOf } from '../cli/twin-options.ts';
import { openSimulationStream, withTwinClient } from '../service/simulation/twin-client.cases.ts';

const TOKEN = 'a-token-for-this-test-alone-0123456789abc';
const size_m = { x: 0.04, y: 0.04, z: 0.04 };
const shape = { kind: 'box', size_m } as const;

/** A cell with parts of these names, each at a place of its own. */
const cellOf = (...names: string[]): Cell => ({
  name: 'parts',
  objects: names.map((name) => {
    const position = { x: 0.3 + 0.1 * Number(name), y: 0.3, z: 0 };
    return { name, position, mass_kg: 0.1, shape };
  }),
});

describe('a call that waits for an object', () => {
  /** Waits for part 3 to rest on part 1; the cell is replaced before a tick meanwhile. */
  async function replaced(cell: Cell | null) {
    const running = await startTwin(configOf({ cell: cellOf('1', '2', '3'), token: TOKEN }));
    const arm = connect({ baseUrl: running.url, token: TOKEN });
    running.timers.at(250, () => running.loop.applyWorldAction({ kind: 'cell', cell }));
    const found = await arm.runUntilObject({ object: '3', at: '1', limit_s: 60 }).then(
      ({ reached, object }) => ({ reached, at: object.at }),
      ({ status }: ArmError) => ({ status }),
    );
    const { now_s } = running.loop;
    await running.close();
    return { ...found, now_s };
  }

  it('is refused at once when the cell no longer has the object', async () => {
    expect(await replaced(cellOf('1', '2'))).toEqual({ status: 404, now_s: 1.004 });
    expect(await replaced(null)).toEqual({ status: 404, now_s: 1.004 });
  });

  it('is refused at once when the cell no longer has the place', async () => {
    expect(await replaced(cellOf('2', '3'))).toEqual({ status: 400, now_s: 1.004 });
  });

  it('follows the object by its name', async () => {
    const [one, three, two] = cellOf('1', '3', '2').objects!;
    const stacked = { ...three!, position: { x: 0.4, y: 0.3, z: 0.04 } };
    const found = await replaced({ name: 'stack', objects: [one!, stacked, two!] });
    expect(found).toEqual({ reached: true, at: '1', now_s: 1.004 });
  });
});

it('the stream gives the tick at which a person changed the cell', async () => {
  await withTwinClient({ cell: cellOf('1', '2') }, async (client) => {
    const { seen, close } = await openSimulationStream(client);
    await client.twin.advance(1);
    const position = { x: 0.3, y: -0.3, z: 0 };
    await client.arm.moveCellObject({ object_name: '1' }, { position });
    await client.twin.advance(0.1);
    const ticks = seen.flatMap((event) => (event.type === 'cell_state' ? [event.tick] : []));
    expect(ticks).toContain(250);
    expect(ticks).toEqual([...ticks].sort((a, b) => a - b));
    close();
  });
});
