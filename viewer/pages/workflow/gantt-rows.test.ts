import { expect, test } from 'vitest';
import {
  barBeside,
  chartEnd_s,
  type GanttSource,
  ganttRows,
  keptRows,
  lateness_s,
} from './gantt-rows.ts';
import { PLAN, RUN } from './run.cases.ts';

const INSTRUMENTS = [
  { id: 'hotel', name: 'Hotel' },
  { id: 'incubator', name: 'Warm box' },
  { id: 'dispenser', name: 'Dispenser' },
];
const SOURCE: GanttSource = { run: RUN, plan: RUN.plan, firstPlan: PLAN, instruments: INSTRUMENTS };

function barsOf(source: GanttSource, row: string) {
  return ganttRows(source).find(({ id }) => id === row)?.bars ?? [];
}

test('has a row for the arm and each instrument with tasks, in definition order', () => {
  expect(ganttRows(SOURCE).map(({ name }) => name)).toEqual(['Arm', 'Warm box', 'Dispenser']);
});

test('shows ended tasks at their actual times beside the plan', () => {
  const [fill] = barsOf(SOURCE, 'dispenser');
  expect(fill).toMatchObject({
    key: 'task/fill',
    state: 'done',
    planned: { from_s: 10, to_s: 30 },
    shown: { from_s: 12, to_s: 35 },
  });
  expect(lateness_s(fill!)).toBe(5);
});

test('shows running tasks up to their expected end, and waiting ones at their current plan', () => {
  const [warm, rest] = barsOf({ ...SOURCE, run: { ...RUN, now_s: 55 } }, 'incubator');
  expect(warm).toMatchObject({ state: 'running', shown: { from_s: 47, to_s: 97 } });
  expect(rest).toMatchObject({
    state: 'planned',
    planned: { from_s: 50, to_s: 100 },
    shown: { from_s: 57, to_s: 107 },
  });
  expect(lateness_s(rest!)).toBe(0);
});

test('moves what has not started with the current time, and marks it late', () => {
  const since = { ...SOURCE, waitsSince_s: 50 };
  const paused = { ...RUN, state: 'paused' as const, now_s: 55 };
  const [, rest] = barsOf({ ...since, run: paused }, 'incubator');
  expect(rest).toMatchObject({ state: 'planned', shown: { from_s: 62, to_s: 112 } });
  const [, later] = barsOf({ ...since, run: { ...paused, now_s: 160 } }, 'incubator');
  expect(later).toMatchObject({ shown: { from_s: 167, to_s: 217 } });
  expect(lateness_s(later!)).toBe(117);
  const [, waiting] = barsOf({ ...SOURCE, run: { ...RUN, now_s: 80 } }, 'incubator');
  expect(waiting).toMatchObject({ shown: { from_s: 80, to_s: 130 } });
  const [, ended] = barsOf(
    { ...SOURCE, run: { ...RUN, state: 'stopped', now_s: 80 } },
    'incubator',
  );
  expect(ended).toMatchObject({ shown: { from_s: 57, to_s: 107 } });
});

test('names the labware of each bar', () => {
  const bars = ganttRows(SOURCE).flatMap((row) => row.bars);
  expect(new Set(bars.map(({ labware }) => labware))).toEqual(new Set(['plate']));
});

test('never shows a task that overruns as ended', () => {
  const [warm] = barsOf({ ...SOURCE, run: { ...RUN, now_s: 140 } }, 'incubator');
  expect(warm!.shown.to_s).toBe(140);
});

test('assigns overlapping bars to lanes', () => {
  const row = ganttRows(SOURCE).find(({ id }) => id === 'incubator')!;
  expect(row.lanes).toBe(2);
  expect(row.bars.map(({ lane }) => lane)).toEqual([0, 1]);
});

test('matches moves with their plan, also repeated ones', () => {
  const twice = [...RUN.moves, { ...RUN.moves[0]!, started_at_s: 70, ended_at_s: null }];
  const bars = barsOf({ ...SOURCE, run: { ...RUN, moves: twice } }, '');
  expect(bars.map(({ label, state }) => [label, state])).toEqual([
    ['plate to dispenser', 'done'],
    ['plate to incubator', 'done'],
    ['plate to dispenser', 'running'],
  ]);
  expect(bars[1]).toMatchObject({
    planned: { from_s: 30, to_s: 40 },
    shown: { from_s: 32, to_s: 45 },
  });
});

test('shows the whole time of the arm for a move', () => {
  const move = { ...RUN.moves[0]!, started_at_s: 4, ended_at_s: 6 };
  const barOf = (arm_ended_at_s: number | null) =>
    barsOf(
      { ...SOURCE, run: { ...RUN, moves: [{ ...move, arm_started_at_s: 1, arm_ended_at_s }] } },
      '',
    )[0];
  expect(barOf(9)).toMatchObject({ state: 'done', shown: { from_s: 1, to_s: 9 } });
  expect(barOf(null)).toMatchObject({ state: 'running', shown: { from_s: 1 } });
});

test('marks the move that lost its piece, also where no plan has it any more', () => {
  const error = 'gripper missed: jaws closed 5 mm beside plate';
  const [fill, ...others] = RUN.tasks;
  const missed = {
    ...fill!,
    state: 'failed' as const,
    started_at_s: null,
    ended_at_s: null,
    error,
  };
  const run = { ...RUN, tasks: [missed, ...others], moves: [], now_s: 5 };
  const [later] = PLAN.transports.slice(1);
  const without = { ...PLAN, transports: [later!] };
  for (const plan of [PLAN, without]) {
    const bars = barsOf({ ...SOURCE, run, plan }, '');
    expect(bars.map(({ label, state, error: why }) => [label, state, why])).toEqual([
      ['plate to dispenser', 'failed', error],
      ['plate to incubator', 'planned', ''],
    ]);
  }
  // A piece that was dropped on its way: the move began and never ended.
  const dropped = [{ ...RUN.moves[0]!, started_at_s: 2, ended_at_s: null }];
  const [bar] = barsOf({ ...SOURCE, run: { ...run, moves: dropped } }, '');
  expect(bar).toMatchObject({ state: 'failed', error });
  // A task that fails once it has its piece is no fault of the move.
  const begun = { ...missed, started_at_s: 12 };
  const [moved] = barsOf({ ...SOURCE, run: { ...RUN, tasks: [begun, ...others] } }, '');
  expect(moved).toMatchObject({ state: 'done', error: '' });
});

test('shows a plan without a run', () => {
  const rows = ganttRows({ ...SOURCE, run: null, plan: PLAN, firstPlan: null });
  const bars = rows.flatMap((row) => row.bars);
  expect(bars.length).toBe(5);
  expect(bars.every(({ state }) => state === 'planned')).toBe(true);
});

test('ends after plan, work and current time', () => {
  expect(chartEnd_s(ganttRows(SOURCE), 60)).toBe(110);
  expect(chartEnd_s(ganttRows(SOURCE), 500)).toBe(500);
});

test('keeps the rows and bars that have not changed', () => {
  const before = ganttRows(SOURCE);
  const [warm, ...others] = [...RUN.tasks].reverse();
  const ended = { ...warm!, error: 'lost' };
  const run = { ...structuredClone(RUN), tasks: [...others.reverse(), ended] };
  const after = keptRows(before, ganttRows({ ...SOURCE, run }));
  const kept = after.map((row, i) => row === before[i]);
  expect(kept).toEqual(after.map(({ id }) => id !== 'incubator'));
  const [same, changed] = after.find(({ id }) => id === 'incubator')!.bars;
  expect(same).toBe(before.flatMap(({ bars }) => bars).find(({ key }) => key === same!.key));
  expect(changed!.error).toBe('lost');
});

test('goes by arrow keys to the next bar of a row, and to the nearest of another', () => {
  const rows = ganttRows(SOURCE);
  const from = (key: string, arrow: string) => barBeside(rows, key, arrow)?.key;
  expect(from('task/warm', 'ArrowRight')).toBe('task/rest');
  expect(from('task/rest', 'ArrowRight')).toBeUndefined();
  expect(from('task/fill', 'ArrowUp')).toBe('task/warm');
  expect(from('move/1', 'ArrowDown')).toBe('task/warm');
  expect(from('task/fill', 'Enter')).toBeUndefined();
});
