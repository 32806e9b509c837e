/** Captures: files and their errors, clocks, and arms that cannot be recorded. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createPrng } from '../../physics/math/prng.ts';
import { runFit } from '../cli/commands/fit.ts';
import { fitRefusal, runRecord } from '../cli/commands/record.ts';
import { createTwin } from '../index.ts';
import { fitArm } from './arm-fit.ts';
import type { Capture } from './capture.ts';
import type { Probe } from './capture-format.ts';
import { readCapture } from './capture-reader.ts';
import { PROBE_MS, synchronise } from './clock-sync.ts';
import { steadyTimes } from './steady-times.ts';

const folder = mkdtempSync(join(tmpdir(), 'armtwin-fit-'));
const at = (name: string) => join(folder, name);
const noTarget = () => {
  throw new Error('this file is not replayed');
};

afterAll(() => rmSync(folder, { recursive: true }));

const HEAD = {
  kind: 'head',
  armtwin_capture: 1,
  arm: 'automata-eva',
  robot: 'left',
  url: 'http://arm',
  method: 'stream',
  started: '2026-01-01T00:00:00Z',
  clock: 1,
};
const END = { kind: 'end', t: 9, round_trip_s: 0.002, ahead_s: [0, 0.01], probes: 9 };
const at0 = (position: unknown, t = 0.1) => ({
  kind: 'snapshot',
  t,
  sections: { 'servos.telemetry.position': position },
});

function captureFile(name: string, ...lines: readonly object[]): string {
  writeFileSync(at(name), lines.map((line) => JSON.stringify(line)).join('\n'));
  return at(name);
}

describe('a capture', () => {
  const still = [0, 0, 0, 0, 0, 0];

  it.each([
    ['of another arm', [{ ...HEAD, arm: 'ur5' }, END], /line 1: is of another arm, "ur5"/],
    ['of a later format', [{ ...HEAD, armtwin_capture: 7 }, END], /line 1: has format 7/],
    ['with seven joints', [HEAD, at0([...still, 0]), END], /line 2: has 7 joints; this arm has 6/],
    ['with an absurd angle', [HEAD, at0([0, 99, 0, 0, 0, 0]), END], /line 2: J2 is at 99 rad/],
    ['with no number', [HEAD, at0([0, null, 0, 0, 0, 0]), END], /line 2: has an angle that is not/],
    [
      'whose time goes back',
      [HEAD, at0(still, 5), at0(still, 4), END],
      /line 3: its time 4 is not/,
    ],
    ['without clock', [HEAD, { ...END, probes: 0 }], /not synchronised: 0 probes of the clock/],
    ['with a clock that was set', [HEAD, { ...END, ahead_s: null }], /a clock was set during/],
  ])('%s is refused with place and reason', async (_name, lines, reason) => {
    const file = captureFile('wrong.capture', ...lines);
    await expect(readCapture(file, noTarget)).rejects.toThrow(reason);
    let err = '';
    const out = { write: () => {} };
    expect(await runFit([file], {}, { out, err: { write: (text) => (err += text) } })).toBe(2);
    expect(err).toMatch(reason);
    expect(err).toContain('wrong.capture');
  });

  it('that is damaged names the line', async () => {
    const [head, sample] = [HEAD, at0(still)].map((line) => JSON.stringify(line));
    writeFileSync(at('hole.capture'), `${head}\n{"kind":"cha\n${sample}\n`);
    await expect(readCapture(at('hole.capture'), noTarget)).rejects.toThrow(/line 2: is damaged/);
    writeFileSync(at('cut.mcap'), Buffer.from([0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a, 9]));
    await expect(readCapture(at('cut.mcap'), noTarget)).rejects.toThrow(/cut.mcap/);
    writeFileSync(at('text.txt'), 'hello');
    await expect(readCapture(at('text.txt'), noTarget)).rejects.toThrow(/is not a capture of/);
  });

  it('that breaks off within a line is used up to the line before, with a note', async () => {
    const lines = Array.from({ length: 50 }, (_, i) => ({
      ...at0(still, 0.02 * i),
      kind: 'change',
    }));
    const text = [HEAD, ...lines].map((line) => JSON.stringify(line)).join('\n');
    writeFileSync(at('cut.capture'), `${text}\n${JSON.stringify(at0(still, 1)).slice(0, -9)}`);
    const { t_s, notes } = await readCapture(at('cut.capture'), noTarget);
    expect([t_s.length, notes]).toEqual([
      50,
      ['the last line is missing: the capture was cut off'],
    ]);
    expect(await fitRefusal(at('cut.capture'))).toBeNull();
  });

  it('that fit will refuse is known to record', async () => {
    const file = captureFile('few.capture', HEAD, { ...END, probes: 1 });
    expect(await fitRefusal(file)).toMatch(/not synchronised: 1 probes of the clock, 3 are needed/);
  });

  it('whose messages arrive too unevenly is refused', async () => {
    const random = createPrng(3);
    const messages = Array.from({ length: 300 }, (_, i) => {
      const sections = { 'servos.telemetry.position': [0.001 * i, 0, 0, 0, 0, 0] };
      return { kind: 'change', t: 0.02 * i + 0.3 * random() ** 3, sections };
    });
    messages.sort((one, other) => one.t - other.t);
    const file = captureFile('late.capture', HEAD, ...messages, { ...END, t: 99 });
    await expect(readCapture(file, noTarget)).rejects.toThrow(/arrived up to \d+ ms late/);
  });

  it('of two arms is refused; one without motion says so', () => {
    const one = { source: 'a', robot: 'left', states: [], notes: [], kind: 'stream' } as const;
    const empty = { t_s: new Float64Array(0), q: new Float64Array(0), rates: new Float64Array(0) };
    const left: Capture = { ...one, ...empty, torque: null };
    const why = (capture: Capture) =>
      fitArm([capture]).profile.not_identifiable?.find(({ value }) => value === 'friction, load');
    expect(why(left)?.reason).toMatch(/^no capture has motor torques/);
    expect(why({ ...left, torque: new Float64Array(0) })?.reason).toMatch(
      /the joints hardly moved/,
    );
    expect(() => fitArm([left, { ...left, source: 'b', robot: 'right' }])).toThrow(
      /b: is of the arm "right", and a of "left"/,
    );
  });
});

describe('clocks', () => {
  it('are bounded by what every probe allows', () => {
    const ahead_s = 0.4;
    const probes = Array.from({ length: 40 }, (_, i): Probe => {
      const t = 1.07 * i;
      const date = 1000 * Math.floor(t + 0.005 + ahead_s);
      return { kind: 'probe', t, back: t + 0.01, date };
    });
    const [low, high] = synchronise(probes, 0).ahead_s!;
    expect(low).toBeLessThanOrEqual(ahead_s);
    expect(high).toBeGreaterThanOrEqual(ahead_s);
    expect(high - low).toBeLessThan(0.1);
    const jumped = probes.map((probe, i) => ({ ...probe, date: probe.date + (i > 20 ? 9e3 : 0) }));
    expect(synchronise(jumped, 0).ahead_s).toBeNull();
  });

  it('narrow to some milliseconds in a minute of probes', () => {
    for (const ahead_s of [0, 0.25, 0.4999, 0.73]) {
      const probes = Array.from({ length: 60_000 / PROBE_MS }, (_, i): Probe => {
        const t = (PROBE_MS / 1000) * i;
        return { kind: 'probe', t, back: t + 0.002, date: 1000 * Math.floor(t + 0.001 + ahead_s) };
      });
      const [low, high] = synchronise(probes, 0).ahead_s!;
      expect(high - low).toBeLessThan(0.025);
    }
  });

  it('give messages that arrive late their beat back', () => {
    const random = createPrng(1);
    const sent = Float64Array.from({ length: 200 }, (_, i) => 5 + 0.02 * i + (i > 99 ? 3 : 0));
    const arrived = sent.map((t) => t + 0.004 * random() ** 2);
    const { t_s, beat_s } = steadyTimes(arrived);
    expect(beat_s).toBeCloseTo(0.02, 3);
    const errors = t_s.map((t, i) => Math.abs(t - sent[i]!));
    expect(Math.max(...errors)).toBeLessThan(0.001);
  });

  it('keep the arrival of messages that are sent between two beats', () => {
    const beats = Float64Array.from({ length: 400 }, (_, i) => 0.02 * i);
    // State changes, 8 ms after a beat.
    const atOnce = Array.from({ length: 20 }, (_, k) => 21 * k + 8);
    const sent = Float64Array.from(
      [...beats].flatMap((t, i) => (i % 20 === 7 ? [t, t + 0.008] : [t])),
    );
    const { t_s, jitter_s, beat_s } = steadyTimes(sent, atOnce);
    expect(t_s.length).toBe(420);
    expect(beat_s).toBeCloseTo(0.02, 6);
    expect(jitter_s).toBeLessThan(1e-6);
    for (const [i, t] of sent.entries()) expect(t_s[i]).toBeCloseTo(t, 6);
  });

  it('get it back where the usual distance is not the beat, and after stalls', () => {
    const sent = Float64Array.from({ length: 4000 }, (_, i) => 0.02 * i);
    // A sender that wakes every 5.1 ms, and a line that holds messages back for 90 ms at times.
    const left = sent.map((t) => 0.0051 * Math.ceil(t / 0.0051));
    const held = (t: number) => (t + 3) % 7;
    const arrived = left.map((t) => (held(t) < 0.09 ? t - held(t) + 0.09 : t));
    const { t_s, jitter_s } = steadyTimes(arrived);
    const apart = t_s.map((t, i) => t - sent[i]!);
    expect(Math.max(...apart) - Math.min(...apart)).toBeLessThan(0.004);
    expect(jitter_s).toBeLessThan(0.01);
  });
});

it('armtwin record says why it cannot record', async () => {
  let err = '';
  const io = { out: { write: () => {} }, err: { write: (text: string) => (err += text) } };
  const signal = new AbortController().signal;
  const out = at('none.capture');
  writeFileSync(at('kept.capture'), 'a capture');
  expect(await runRecord('http://127.0.0.1:9', { token: 't', out }, { ...io, signal })).toBe(2);
  expect(err).toContain('Cannot record http://127.0.0.1:9');
  const twin = await createTwin();
  const refused = await runRecord(twin.url, { token: 'wrong', out }, { ...io, signal });
  expect([refused, err]).toEqual([2, expect.stringContaining('401')]);
  const stepped = await runRecord(twin.url, { token: twin.token, out }, { ...io, signal });
  expect([stepped, err]).toEqual([2, expect.stringContaining('its clock is "stepped"')]);
  expect(existsSync(out)).toBe(false);
  await runRecord(twin.url, { token: twin.token, out: at('kept.capture') }, { ...io, signal });
  expect(readFileSync(at('kept.capture'), 'utf8')).toBe('a capture');
  await twin.close();
});
