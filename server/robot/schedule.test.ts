/** The daily schedule where clocks change, where its run is paused, and where the date is set. */
import { describe, expect, it } from 'vitest';
import { sampleToolpath } from '../../conformance/samples/sample-toolpath.ts';
import { withTwinClient } from '../service/simulation/twin-client.cases.ts';
import { nextMoment_ms } from './local-time.ts';
import { createSchedule, reschedule, scheduleDetails, setSchedule } from './schedule.ts';

/** The next moments of a time of day after a date, in UTC: as many as are expected. */
function expectMoments([timezone, time, after]: readonly string[], expected: string[]): void {
  const found: string[] = [];
  for (let now_ms = Date.parse(after!); found.length < expected.length; ) {
    now_ms = nextMoment_ms(time!, now_ms, timezone!);
    found.push(new Date(now_ms).toISOString().slice(0, 16));
  }
  expect(found).toEqual(expected);
}

describe('the moments of a time of day', () => {
  it.each([
    [
      ['Europe/Berlin', '02:30:00', '2026-03-28T22:00Z'],
      ['2026-03-29T01:00', '2026-03-30T00:30'],
    ],
    [
      ['Europe/Berlin', '03:00:00', '2026-03-28T22:00Z'],
      ['2026-03-29T01:00', '2026-03-30T01:00'],
    ],
    [
      ['Europe/Berlin', '01:59:00', '2026-03-28T22:00Z'],
      ['2026-03-29T00:59', '2026-03-29T23:59'],
    ],
    [
      ['America/New_York', '02:30:00', '2026-03-08T06:00Z'],
      ['2026-03-08T07:00', '2026-03-09T06:30'],
    ],
    [['Australia/Lord_Howe', '02:15:00', '2026-10-03T12:00Z'], ['2026-10-03T15:30']],
    [
      ['Africa/Cairo', '00:10:00', '2026-04-23T20:00Z'],
      ['2026-04-23T22:00', '2026-04-24T21:10'],
    ],
  ])('that clocks may skip: %j', expectMoments);

  it.each([
    [
      ['Europe/Berlin', '02:30:00', '2026-10-24T22:00Z'],
      ['2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      ['Europe/Berlin', '02:30:00', '2026-10-25T01:10Z'],
      ['2026-10-25T01:30', '2026-10-26T01:30'],
    ],
    [
      ['Europe/Berlin', '04:00:00', '2026-10-24T22:00Z'],
      ['2026-10-25T03:00', '2026-10-26T03:00'],
    ],
    [
      ['America/New_York', '01:30:00', '2026-11-01T04:00Z'],
      ['2026-11-01T05:30', '2026-11-02T06:30'],
    ],
  ])('that clocks may show twice: %j', expectMoments);
});

describe('the next moment', () => {
  it.each([
    ['UTC', '12:34:56', '2026-05-01T12:34:55.999Z', '2026-05-01T12:34:56.000Z'],
    ['UTC', '12:34:56', '2026-05-01T12:34:56.000Z', '2026-05-02T12:34:56.000Z'],
    ['UTC', '00:00:00', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
    ['Asia/Kolkata', '12:34:56', '2026-02-28T08:00:00.250Z', '2026-03-01T07:04:56.000Z'],
    ['America/St_Johns', '23:00:01', '2026-01-31T23:59:59.999Z', '2026-02-01T02:30:01.000Z'],
    ['Europe/Berlin', '02:30:00', '2026-03-28T22:00:00.500Z', '2026-03-29T01:00:00.000Z'],
    ['Europe/Berlin', '02:30:00', '2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
  ] as const)('is exact to the millisecond: %s %s', (...[timezone, time, now, expected]) => {
    const moment_ms = nextMoment_ms(time, Date.parse(now), timezone);
    expect(new Date(moment_ms).toISOString()).toBe(expected);
  });
});

describe('the schedule', () => {
  const moment = { now_ms: Date.parse('2026-05-01T06:00Z'), timezone: 'Europe/Berlin' };
  const times = { start_time: '08:30:00', end_time: '07:00:00' };
  const never = {
    enabled: false,
    start_time: '00:00:00',
    stop_time: '00:00:00',
    next_start_ms: Number.POSITIVE_INFINITY,
    next_stop_ms: Number.POSITIVE_INFINITY,
  };

  it('has the next start and stop in local time while it is enabled', () => {
    const schedule = createSchedule();
    expect([schedule, scheduleDetails(schedule)]).toEqual([never, 'Scheduler disabled']);
    expect(setSchedule(schedule, { enabled: true, ...times }, moment)).toBeNull();
    expect(schedule).toEqual({
      enabled: true,
      start_time: '08:30:00',
      stop_time: '07:00:00',
      next_start_ms: Date.parse('2026-05-01T06:30Z'),
      next_stop_ms: Date.parse('2026-05-02T05:00Z'),
    });
    expect(scheduleDetails(schedule)).toBe('Scheduler enabled from 08:30:00 to 07:00:00');
    reschedule(schedule, { now_ms: Date.parse('2030-05-01T06:00Z'), timezone: 'UTC' });
    expect(schedule).toMatchObject({
      next_start_ms: Date.parse('2030-05-01T08:30Z'),
      next_stop_ms: Date.parse('2030-05-01T07:00Z'),
    });
    expect(setSchedule(schedule, { enabled: false }, moment)).toBeNull();
    reschedule(schedule, moment);
    expect(schedule).toEqual(never);
  });

  const { start_time, end_time } = times;

  it.each([
    [{ enabled: false, ...times }, '', 'must give start_time and end_time with enabled: true only'],
    [
      { enabled: false, start_time },
      '',
      'must give start_time and end_time with enabled: true only',
    ],
    [{ enabled: false, end_time }, '', 'must give start_time and end_time with enabled: true only'],
    [{ enabled: true }, '', 'must give start_time and end_time when enabling'],
    [{ enabled: true, start_time }, '', 'must give start_time and end_time when enabling'],
    [{ enabled: true, end_time }, '', 'must give start_time and end_time when enabling'],
    [
      { enabled: true, start_time, end_time: start_time },
      '/end_time',
      'must differ from start_time',
    ],
  ])('is not changed by %j', (request, path, problem) => {
    const schedule = createSchedule();
    setSchedule(schedule, { enabled: true, ...times }, moment);
    const before = { ...schedule };
    const details = [{ path, problem }];
    expect(setSchedule(schedule, request, moment)).toMatchObject({
      refused: 'invalid_arguments',
      details,
    });
    expect(schedule).toEqual(before);
  });
});

describe('a scheduled run', () => {
  const toolpath = sampleToolpath([
    [0, 0.5, -1.7, 0, -1.2, 0],
    [0.4, 0.5, -1.7, 0, -1.2, 0],
  ]);

  it('that is paused at its end time ends with the loop in which it is resumed', async () => {
    await withTwinClient({}, async ({ arm, twin }) => {
      await arm.takeLock();
      await arm.useUnsavedToolpath({ name: 'Daily', toolpath });
      await arm.setScheduler({ enabled: true, start_time: '00:00:10', end_time: '00:00:20' });
      await twin.advance(11);
      await arm.pause();
      await twin.advance(15);
      await arm.resume();
      expect((await arm.getStatus()).state).toBe('stopping');
      expect(await twin.until('ready', 20)).toBe(true);
    });
  });

  it.each(['2019-06-01T07:59:58Z', '2030-06-01T07:59:58Z'])(
    'starts at its next time after the date is set to %s',
    async (date) => {
      await withTwinClient({}, async ({ arm, twin }) => {
        await arm.takeLock();
        await arm.useUnsavedToolpath({ name: 'Daily', toolpath });
        await arm.setScheduler({ enabled: true, start_time: '08:00:00', end_time: '09:00:00' });
        await arm.seedTwin({ clock: { date } });
        await twin.advance(1);
        expect((await arm.getStatus()).state).toBe('ready');
        await twin.advance(1.1);
        expect((await arm.getStatus()).activity).toMatchObject({ scheduled: true });
      });
    },
  );
});
