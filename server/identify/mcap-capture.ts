/** Reads captures from MCAP files with joint states of Foxglove, or of ROS as JSON. SI units. */

import { McapStreamReader } from '@mcap/core';
import { checkAngles, isSixNumbers } from './angle-check.ts';
import { type Capture, CaptureError } from './capture.ts';
import { Samples } from './samples.ts';

/** Joint states of Foxglove, or of ROS as JSON. */
interface JointStatesMessage {
  readonly joints?: readonly {
    readonly position?: number;
    readonly velocity?: number;
    readonly effort?: number;
  }[];
  readonly position?: readonly number[];
  readonly velocity?: readonly number[];
  readonly effort?: readonly number[];
}

const JOINT_STATES = /JointStates?$/;
const NS_PER_S = 1e9;

/** Reads joint states, and the robot's state where the file has it, from MCAP. */
export function readMcap(source: string, bytes: Uint8Array): Capture {
  const reader = new McapStreamReader();
  reader.append(bytes);
  const samples = new Samples();
  const states: { t_s: number; state: string }[] = [];
  const schemas = new Map<number, string>();
  const channels = new Map<number, { kind: 'joints' | 'signals' | 'other'; json: boolean }>();
  let first: bigint | null = null;
  let number = 0;
  const decoder = new TextDecoder();
  for (;;) {
    const record = nextRecord(reader, source);
    if (!record) break;
    if (record.type === 'Schema') schemas.set(record.id, record.name);
    if (record.type === 'Channel') {
      const schema = schemas.get(record.schemaId) ?? '';
      const isSignals = schema === 'armtwin.Signals';
      const kind = JOINT_STATES.test(schema) ? 'joints' : isSignals ? 'signals' : 'other';
      channels.set(record.id, { kind, json: record.messageEncoding === 'json' });
    }
    if (record.type !== 'Message') continue;
    number++;
    const channel = channels.get(record.channelId);
    if (!channel || channel.kind === 'other') continue;
    const place = `message ${number}: `;
    if (!channel.json) throw new CaptureError(source, place, 'joint states must be JSON');
    first ??= record.logTime;
    const t_s = Number(record.logTime - first) / NS_PER_S;
    const message = JSON.parse(decoder.decode(record.data)) as JointStatesMessage;
    if (channel.kind === 'joints') addJointStates(samples, t_s, { message, source, place });
    else {
      const { state } = message as { readonly state?: string };
      if (state !== undefined && states.at(-1)?.state !== state) states.push({ t_s, state });
    }
  }
  if (samples.times.length === 0) throw new CaptureError(source, '', 'has no joint states');
  return { source, kind: 'mcap', robot: null, ...samples.columns(), states, notes: [] };
}

function nextRecord(reader: McapStreamReader, source: string) {
  try {
    return reader.nextRecord();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CaptureError(source, '', `is damaged, or its chunks are compressed: ${reason}`);
  }
}

interface JointStates {
  readonly message: JointStatesMessage;
  readonly source: string;
  readonly place: string;
}

function addJointStates(samples: Samples, t_s: number, { message, source, place }: JointStates) {
  const { joints } = message;
  const column = (name: 'position' | 'velocity' | 'effort') =>
    joints ? joints.map((joint) => joint[name] ?? Number.NaN) : message[name];
  const position = checkAngles(column('position'), source, place);
  const last_s = samples.times.at(-1) ?? Number.NEGATIVE_INFINITY;
  if (t_s <= last_s) {
    throw new CaptureError(source, place, `its time ${t_s} s is not after ${last_s} s`);
  }
  const rates = column('velocity');
  if (!isSixNumbers(rates)) throw new CaptureError(source, place, 'has no joint velocities');
  const effort = column('effort');
  samples.add(t_s, { q: position, rates, torque: isSixNumbers(effort) ? effort : undefined });
}
