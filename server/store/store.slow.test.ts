/** The time of a transaction, which other work on the machine adds to. */
import { expect, it } from 'vitest';
import { Store } from './store.ts';

it('takes a time that grows with its rows, not with their square', async () => {
  const store = await Store.open(null);
  const table = store.table<{ readonly name: string }>('rows');
  const time_ms = async (count: number) => {
    const start_ms = performance.now();
    await store.change((draft) => {
      for (let i = 0; i < count; i++) draft.put(table, i, { row: { name: 'row' } });
    });
    return performance.now() - start_ms;
  };
  // The best of several: other work on the machine only adds to them.
  const best = async (count: number) => {
    const times_ms: number[] = [];
    for (let i = 0; i < 4; i++) times_ms.push(await time_ms(count));
    return Math.min(...times_ms);
  };
  const few_ms = await best(200);
  expect(await best(8000)).toBeLessThan(120 * few_ms);
});
