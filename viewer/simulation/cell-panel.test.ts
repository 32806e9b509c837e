import { expect, it } from 'vitest';
import type { Cell } from '../../contract/types.ts';
import { cellOf } from '../link/sim-link.ts';
import { withRenamed } from './cell-edit.ts';
import { createCellActions } from './cell-panel.ts';
import type { SimulationContext } from './form-inputs.ts';

it('says that a part is gone instead of editing nothing', async () => {
  const box = { kind: 'box', size_m: { x: 0.1, y: 0.1, z: 0.1 } } as const;
  const position = { x: 0.4, y: 0, z: 0 };
  const part = { name: 'theirs', position, shape: box, mass_kg: 0.1 };
  const cell = cellOf({ name: 'cell', objects: [part] } as object as Cell, null);
  const done: string[] = [];
  const calls = {
    run: () => Promise.resolve({ reply: done.push('sent') }),
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
