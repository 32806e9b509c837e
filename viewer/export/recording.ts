/**
 * A recording as a way on a time axis, so that the page plays, plots and draws it as it does a
 * plan: stretches of motion and of rest in turn.
 */
import type { RecordedMotion, RecordingDocument } from '../../contract/export-document.ts';
import { createTool } from '../../physics/kinematics/tool.ts';
import type { JointPath } from '../../physics/motion/path.ts';
import type { OpenedToolpath } from '../toolpath/build-messages.ts';
import { trackOf } from '../toolpath/track.ts';
import type { Stretch, Way } from '../toolpath/way.ts';

const JOINTS = 6;

/** Six numbers a sample out of their base64 text. */
function numbersOf(base64: string): Float64Array {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float64Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

interface Motion {
  readonly times_s: readonly number[];
  readonly joints: Float64Array;
  readonly velocities: Float64Array;
}

function decoded({ times_s, position_rad, velocity_rad_s }: RecordedMotion): Motion {
  return { times_s, joints: numbersOf(position_rad), velocities: numbersOf(velocity_rad_s) };
}

/**
 * The samples `first` to `last` as a path: through the recorded angles with the recorded
 * velocities; the accelerations between are the differences of those.
 */
function pathOf({ times_s, joints, velocities }: Motion, first: number, last: number): JointPath {
  const start_s = times_s[first]!;
  const duration_s = times_s[last]! - start_s;
  const cut = (numbers: Float64Array) => numbers.slice(JOINTS * first, JOINTS * (last + 1));
  const rates = cut(velocities);
  const accelerations = rates.map((_, at) => {
    const sample = Math.floor(at / JOINTS);
    const [before, after] = [Math.max(sample - 1, 0), Math.min(sample + 1, last - first)];
    const joint = at % JOINTS;
    const change = rates[JOINTS * after + joint]! - rates[JOINTS * before + joint]!;
    return change / (times_s[first + after]! - times_s[first + before]!);
  });
  return {
    kind: 'table',
    s: Float64Array.from(times_s.slice(first, last + 1), (t_s) => (t_s - start_s) / duration_s),
    q: cut(joints),
    q1: rates.map((rate) => rate * duration_s),
    q2: accelerations.map((rate) => rate * duration_s * duration_s),
    q3_left: new Float64Array(rates.length),
    q3_right: new Float64Array(rates.length),
  };
}

/** Joints that turn slower than this rest (rad/s). */
const REST_RAD_S = 1e-3;

function movesAt({ velocities }: Motion, sample: number): boolean {
  const own = velocities.subarray(JOINTS * sample, JOINTS * (sample + 1));
  return own.some((velocity) => Math.abs(velocity) > REST_RAD_S);
}

/** Whether the arm moves from a sample to the next. */
function underWay(motion: Motion, sample: number): boolean {
  return movesAt(motion, sample) || movesAt(motion, sample + 1);
}

function stretchOf(motion: Motion, first: number, last: number): Stretch {
  const moving = underWay(motion, first);
  const start_s = motion.times_s[first]!;
  const duration_s = motion.times_s[last]! - start_s;
  return {
    at: '',
    calls: [],
    cell: [],
    kind: moving ? 'joint_space' : 'wait',
    start_s,
    duration_s,
    path: pathOf(motion, first, last),
    profile: {
      duration_s,
      knots_s: Float64Array.of(0, duration_s),
      coefficients: Float64Array.of(0, 1 / duration_s, 0, 0),
    },
    problem: null,
  };
}

/** Stretches of motion and of rest, in turn. */
function stretchesOf(motion: Motion): Stretch[] {
  const stretches: Stretch[] = [];
  let first = 0;
  for (let sample = 1; sample < motion.times_s.length; sample++) {
    const moving = underWay(motion, first);
    const last = sample === motion.times_s.length - 1;
    if (!last && movesAt(motion, sample) === moving) continue;
    stretches.push(stretchOf(motion, first, sample));
    first = sample;
  }
  return stretches;
}

/** What the page shows of a recording. */
export interface ShownRecording {
  readonly way: Way;
  /** Tool and zones as a toolpath without actions; null when none was loaded. */
  readonly opened: OpenedToolpath | null;
}

/** The recording of a document. */
export function recordingOf({ motion: recorded, metadata }: RecordingDocument): ShownRecording {
  const motion = decoded(recorded);
  const stretches = stretchesOf(motion);
  const track = trackOf(stretches, createTool(metadata?.tcp_config));
  const way = { choices: {}, duration_s: motion.times_s.at(-1) ?? 0, stretches, track };
  if (!metadata) return { way, opened: null };
  const toolpath = { metadata, timeline: [], waypoints: [] };
  return { way, opened: { kind: 'opened', toolpath, notes: [], findings: [], way, took_ms: 0 } };
}
