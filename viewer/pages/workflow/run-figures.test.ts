import { expect, test } from 'vitest';
import type { Delivery, RunEvent } from '../../../contract/types.generated.ts';
import { PLAN, RUN } from './run.cases.ts';
import {
  deliveryCountText,
  durationText,
  runFigures,
  runHeadText,
  runStateText,
  waitsSince_s,
} from './run-figures.ts';
import { ticksUntil } from './time-ticks.ts';

test('computes progress and delay of a run', () => {
  expect(runFigures(RUN, PLAN)).toEqual({
    elapsed_s: 60,
    left_s: 47,
    behind_s: 7,
    done: 1,
    tasks: 3,
  });
});

test.each([
  ['started', ['succeeded', 'running'], 'Running'],
  ['paused', ['failed'], 'Paused'],
  ['stopped', ['succeeded', 'completed_manually', 'skipped'], 'Completed'],
  ['stopped', ['succeeded', 'aborted'], 'Stopped'],
] as const)('calls a run that is %s with tasks %j %s', (state, states, text) => {
  const [task] = RUN.tasks;
  const tasks = states.map((each) => ({ ...task!, state: each }));
  expect(runStateText({ state, pausing: false, tasks })).toBe(text);
});

test('says that a run is pausing', () => {
  expect(runStateText({ ...RUN, pausing: true })).toBe('Pausing after the running tasks');
});

test('counts nothing down while a run is paused', () => {
  const event = (hook_type: string, at_s: number, state = 'paused') => {
    const timestamp = new Date(Date.parse(RUN.started_at) + 1000 * at_s).toISOString();
    return { sequence: 1, hook_type, body: { run_id: '3', timestamp, state, message: '' } };
  };
  const events = [event('RunStateChangeHook', 50)] as RunEvent[];
  expect(waitsSince_s(RUN, events)).toBeNull();
  const left = [60, 90].map((now_s) => {
    const run = { ...RUN, state: 'paused' as const, now_s };
    const since_s = waitsSince_s(run, events)!;
    return runFigures(run, PLAN, now_s - since_s).left_s;
  });
  expect(left).toEqual([57, 57]);
  const newer = [...events, event('NewPlanHook', 58)] as RunEvent[];
  expect(waitsSince_s({ ...RUN, state: 'paused' }, newer)).toBe(58);
});

test('stops the clock of a stopped run when it stops', () => {
  const stopped_at = new Date(Date.parse(RUN.started_at) + 55_500).toISOString();
  const figures = runFigures({ ...RUN, state: 'stopped', stopped_at, now_s: 9000 }, PLAN);
  expect(figures).toMatchObject({ elapsed_s: 55.5, left_s: null, behind_s: 0 });
});

test('counts deliveries by outcome', () => {
  const of = (...states: Delivery['state'][]) =>
    deliveryCountText(states.map((state) => ({ state }) as Delivery));
  expect(of()).toBe('none');
  expect(of('delivered', 'delivered')).toBe('2 sent');
  expect(of('delivered', 'pending', 'dead', 'disabled')).toBe('1 sent, 1 waiting, 2 failed');
});

test('formats durations', () => {
  expect([0, 59.6, 912, 3723].map(durationText)).toEqual(['0:00', '1:00', '15:12', '1:02:03']);
});

test('places round ticks with a minimum gap', () => {
  expect(ticksUntil(1700, 200).map(({ label }) => label)).toEqual([
    ...['0 min', '4 min', '8 min', '12 min', '16 min', '20 min', '24 min', '28 min'],
  ]);
  expect(ticksUntil(10, 3).map(({ time_s }) => time_s)).toEqual([0, 5, 10]);
});

test.each([
  ['stopped', 'completed', 'Completed'],
  ['stopped', 'stopped by user', 'Stopped by user'],
  ['stopped', 'the arm reports an error', 'Stopped: the arm reports an error'],
  ['started', null, 'Running'],
] as const)('lists a run that is %s with the message %s as %s', (state, message, text) => {
  expect(runHeadText({ state, message } as Parameters<typeof runHeadText>[0])).toBe(text);
});
