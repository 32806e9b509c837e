/** Reads capture files of `armtwin record`. SI units. */

import { JOINT_COUNT } from '../../physics/arm/arm-model.ts';
import { PI } from '../../physics/math/portable.ts';
import { ARM_MODEL } from '../../physics/motion/arm-profile.ts';
import { HEAD_START } from '../recording/recording-format.ts';
import { checkAngles, isSixNumbers } from './angle-check.ts';
import { type Capture, CaptureError } from './capture.ts';
import {
  CAPTURE_FORMAT,
  type CaptureHead,
  type CaptureLine,
  type ClockSync,
} from './capture-format.ts';
import { Samples } from './samples.ts';
import { isOnBeat, steadyTimes } from './steady-times.ts';

const POSITION = 'servos.telemetry.position';
const VELOCITY = 'servos.telemetry.velocity';
const RAD_PER_DEGREE = PI / 180;
/** Fewest probes of a synchronised capture. */
const PROBES_MIN = 3;
/** Messages whose arrival is less certain than this (s of the arm) do not show a motion. */
const JITTER_MAX_S = 0.03;
/** Messages nearer to each other than this share of their beat arrived together. */
const CLUMP_SHARE = 0.2;

interface ParsedLines {
  readonly head: CaptureHead;
  readonly lines: readonly { readonly at: number; readonly line: CaptureLine }[];
}

const noCapture = (source: string) => new CaptureError(source, '', 'is not a capture of an arm');

function parseLines(source: string, text: string): ParsedLines {
  const texts = text.split('\n');
  const parsed = texts.flatMap((line, at) => {
    if (line === '') return [];
    try {
      return [{ at: at + 1, line: JSON.parse(line) as CaptureLine | CaptureHead }];
    } catch {
      if (at === 0 && !line.startsWith(HEAD_START)) throw noCapture(source);
      // A capture that breaks off ends within a line.
      if (at > 0 && at === texts.length - 1) return [];
      throw new CaptureError(source, `line ${at + 1}: `, 'is damaged; it is not JSON');
    }
  });
  const [first, ...rest] = parsed;
  const head = first?.line;
  if (head?.kind !== 'head') throw noCapture(source);
  if (head.armtwin_capture !== CAPTURE_FORMAT) {
    const reason = `has format ${head.armtwin_capture}; this version reads ${CAPTURE_FORMAT}`;
    throw new CaptureError(source, 'line 1: ', reason);
  }
  if (head.arm !== ARM_MODEL) {
    throw new CaptureError(source, 'line 1: ', `is of another arm, "${head.arm}"`);
  }
  const lines = rest as { at: number; line: CaptureLine }[];
  let before = 0;
  for (const { at, line } of lines) {
    // These lines start before they are written.
    if (line.kind === 'probe' || line.kind === 'lost') continue;
    if (!(line.t >= before - 1e-6)) {
      const reason = `its time ${line.t} is not after ${before}; the capture is damaged`;
      throw new CaptureError(source, `line ${at}: `, reason);
    }
    before = line.t;
  }
  return { head, lines };
}

/** Reads a capture file of `armtwin record`. */
export function parseCapture(source: string, text: string): Capture {
  const { head, lines } = parseLines(source, text);
  const samples = new Samples();
  const atOnce: number[] = [];
  const stateChanges: { t_s: number; state: string }[] = [];
  const notes: string[] = [];
  let end: ClockSync | null = null;
  let position: number[] | null = null;
  let rates: number[] = [0, 0, 0, 0, 0, 0];
  for (const { at, line } of lines) {
    if (line.kind === 'lost') {
      notes.push(
        `${(line.until - line.t).toFixed(2)} s lost at ${line.t.toFixed(2)} s: ${line.why}`,
      );
    } else if (line.kind === 'end') end = line;
    if (line.kind !== 'snapshot' && line.kind !== 'change') continue;
    const [sections, place] = [line.sections, `line ${at}: `];
    if (POSITION in sections) position = checkAngles(sections[POSITION], source, place);
    if (isSixNumbers(sections[VELOCITY])) rates = sections[VELOCITY].map((v) => v * RAD_PER_DEGREE);
    const control = sections['control'] as { readonly state?: string } | undefined;
    if (control?.state) stateChanges.push({ t_s: line.t, state: control.state });
    if (position && (POSITION in sections || VELOCITY in sections)) {
      if (!Object.keys(sections).every(isOnBeat)) atOnce.push(samples.times.length);
      samples.add(line.t, { q: position, rates });
    }
  }
  return timed({ source, head, notes, states: stateChanges, samples, atOnce }, end);
}

interface Untimed {
  readonly source: string;
  readonly head: CaptureHead;
  readonly notes: string[];
  readonly states: { t_s: number; state: string }[];
  readonly samples: Samples;
  readonly atOnce: readonly number[];
}

/** Checks the clock of a capture and gives each sample its time. */
function timed(
  { source, head, notes, states, samples, atOnce }: Untimed,
  end: ClockSync | null,
): Capture {
  if (!end) notes.push('the last line is missing: the capture was cut off');
  else if (end.probes < PROBES_MIN) {
    const count = `${end.probes} probes of the clock, ${PROBES_MIN} are needed`;
    const reason = `is not synchronised: ${count}`;
    throw new CaptureError(source, '', reason);
  } else if (end.ahead_s === null) {
    throw new CaptureError(source, '', 'is not synchronised: a clock was set during the capture');
  }
  const columns = samples.columns();
  const isStream = head.method === 'stream';
  const steady = isStream ? steadyTimes(columns.t_s, atOnce) : null;
  const { t_s, jitter_s, beat_s } = steady ?? { t_s: columns.t_s, jitter_s: 0, beat_s: 0 };
  const late_s = head.clock * (isStream ? jitter_s : (end?.round_trip_s ?? 0) / 2);
  if (late_s > JITTER_MAX_S) {
    const slower = head.clock > 1 ? ', or with a slower clock' : '';
    const jitter = `${(1000 * late_s).toFixed(0)} ms`;
    const late = `is not synchronised: messages arrived up to ${jitter} late`;
    throw new CaptureError(source, '', `${late}; record on a network with less delay${slower}`);
  }
  return {
    source,
    kind: head.method,
    robot: head.robot,
    ...apart(
      { ...columns, t_s: t_s.map((t) => t * head.clock) },
      CLUMP_SHARE * beat_s * head.clock,
    ),
    states: states.map(({ t_s: t, state }) => ({ t_s: t * head.clock, state })),
    notes,
  };
}

type Columns = Pick<Capture, 't_s' | 'q' | 'rates' | 'torque'>;

/**
 * Drops samples that arrived together and could not be put on their beat: all but the last were
 * held back for an unknown time, and would show speeds that no joint had.
 */
function apart(columns: Columns, least_s: number): Columns {
  const { t_s } = columns;
  const kept = Array.from(t_s, (_, i) => i).filter(
    (i) => i + 1 === t_s.length || t_s[i + 1]! - t_s[i]! >= least_s,
  );
  const rows = (all: Float64Array, width: number) =>
    Float64Array.from(kept.flatMap((i) => [...all.subarray(width * i, width * (i + 1))]));
  const { q, rates, torque } = columns;
  const six = (all: Float64Array) => rows(all, JOINT_COUNT);
  return { t_s: rows(t_s, 1), q: six(q), rates: six(rates), torque: torque && six(torque) };
}
