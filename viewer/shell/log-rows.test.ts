import { expect, it } from 'vitest';
import { twinLogRows } from './log-rows.ts';

it('parts the entries of the twin log where its time was set back', () => {
  const entry = (tick: number) => ({ tick, level: 'warning', text: `at ${tick}` }) as const;
  const rows = twinLogRows([entry(3), entry(900), entry(250), entry(1)] as never, 3);
  expect(rows.map(({ text }) => text)).toEqual([
    'at 3',
    'Below: before the time was set back',
    'at 900',
    'at 250',
  ]);
  expect(rows[0]).toMatchObject({ kind: 'warn', time: '0.01 s', title: 'Tick 3 of the twin' });
});
