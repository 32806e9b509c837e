import { expect, it } from 'vitest';
import type { Cell } from '../../../contract/types.generated.ts';
import { cellOf } from '../../link/cell-merge.ts';
import { createCellActions } from './cell-actions.ts';
import { withRenamed } from './cell-edit.ts';
import type { SimulationContext } from './simulation-context.ts';

it('says that a part is gone instead of editing nothing', async () => {
  const box = { kind: 'box', size_m: { x: 0.1, y: 0.1, z: 0.1 } } as const;
  const position = { x: 0.4, y: 0, z: 0 };
  const part = { name: 'theirs', position, shape: box, mass_kg: 0.1 };
  const cell = cellOf({ name: 'cell', objects: [part] } as object as Cell, null);
  const done: string[] = [];
  const calls = {
    run: () => Promise.resolve({ reply: done.push('sent') }),
    query: () => Promise.resolve(null),
    showProblem: (text: string) => done.push(text),
  };
  const context = { calls, view: () => ({ sim: { cell } }) };
  const actions = createCellActions(context as object as SimulationContext);
  const rename = (name: string) => actions.edit((now) => withRenamed(now, name, 'mine'), name);
  expect(await rename('part 1')).toBe(false);
  expect(done).toEqual([expect.stringContaining('“part 1” is no longer in the cell')]);
  expect(await rename('theirs')).toBe(true);
  expect(done[1]).toBe('sent');
});

it('edits the cell that the service has now, not the one that the stream has brought', async () => {
  const shape = { kind: 'box', size_m: { x: 0.1, y: 0.1, z: 0.1 } } as const;
  const at = (x: number) => ({ position: { x, y: 0, z: 0 }, shape, mass_kg: 0.1 });
  const old = { name: 'cell', objects: [{ name: 'mine', ...at(0.4) }] } as object as Cell;
  const theirs = { ...old, objects: [...old.objects!, { name: 'theirs', ...at(0.6) }] } as Cell;
  const sent: Cell[] = [];
  const client = {
    getCell: () => Promise.resolve({ cell: theirs, state: null }),
    setCell: (cell: Cell) => Promise.resolve(sent.push(cell)),
  };
  const ask = async (call: (of: typeof client) => Promise<unknown>) => call(client);
  const run = async (call: (of: typeof client) => Promise<unknown>) => ({ reply: await ask(call) });
  const view = () => ({ sim: { cell: cellOf(old, null) } });
  const context = { calls: { run, query: ask }, view } as object as SimulationContext;
  const actions = createCellActions(context);
  expect(await actions.edit((now) => withRenamed(now, 'mine', 'box'), 'mine')).toBe(true);
  expect(sent[0]?.objects?.map(({ name }) => name)).toEqual(['box', 'theirs']);
  await actions.undo();
  expect(sent[1]?.objects?.map(({ name }) => name)).toEqual(['mine', 'theirs']);
});
