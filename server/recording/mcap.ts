/**
 * A recording as an MCAP file, for the viewers that robotics people know: joints and flange pose at
 * 50 Hz while the arm moves, signals when they change, the robot's log. All channels are JSON, with
 * their schema.
 */
import { McapWriter } from '@mcap/core';
import { type Feedback, TICK_S } from '../../bridge/arm-driver.ts';
import { createFrames, forward } from '../../physics/kinematics/forward.ts';
import { FLANGE_TOOL, POSE_SIZE, toolPose } from '../../physics/kinematics/tool.ts';
import type { LoopEvent } from '../robot/commands.ts';
import type { LoopListener } from '../robot/loop.ts';
import type { Robot } from '../robot/robot.ts';
import { changedFields, type DiscreteFields, discreteFields } from './recording-format.ts';

const POSE_TICKS = 5;
const JOINTS = [0, 1, 2, 3, 4, 5];

const number = { type: 'number' };
const numbers = { type: 'array', items: number };
const text = { type: 'string' };

/** The channels with the form of their messages. */
const CHANNELS = {
  '/joints': {
    name: 'JointState',
    properties: {
      name: { type: 'array', items: text },
      position: numbers,
      velocity: numbers,
      effort: numbers,
      temperature: numbers,
    },
  },
  '/flange': {
    name: 'Pose',
    properties: { position: numbers, rotation: { ...numbers, description: 'Row-major matrix.' } },
  },
  '/signals': { name: 'Signals', properties: {} },
  '/log': { name: 'Log', properties: { level: text, message: text } },
} as const;

type Topic = keyof typeof CHANNELS;

/** Where the bytes go, in order. */
export interface ByteSink {
  write(bytes: Uint8Array): void;
}

export class McapExport implements LoopListener {
  private readonly writer: McapWriter;
  private readonly channels = new Map<Topic, number>();
  private readonly robot: Robot;
  private readonly epoch_ms: number;
  private readonly frames = createFrames();
  private readonly pose = new Float64Array(POSE_SIZE);
  private fields: DiscreteFields = {};
  private sequence = 0;
  /** Messages are written one after another. */
  private queue: Promise<unknown>;

  constructor(parts: { robot: Robot; epoch_ms: number; sink: ByteSink }) {
    this.robot = parts.robot;
    this.epoch_ms = parts.epoch_ms;
    let position = 0n;
    this.writer = new McapWriter({
      writable: {
        position: () => position,
        async write(bytes) {
          parts.sink.write(Uint8Array.from(bytes));
          position += BigInt(bytes.length);
        },
      },
    });
    this.queue = this.open();
  }

  private async open(): Promise<void> {
    await this.writer.start({ library: 'armtwin', profile: '' });
    const encoder = new TextEncoder();
    for (const [topic, { name, properties }] of Object.entries(CHANNELS)) {
      const schemaId = await this.writer.registerSchema({
        name,
        encoding: 'jsonschema',
        data: encoder.encode(JSON.stringify({ type: 'object', properties })),
      });
      const channel = { schemaId, topic, messageEncoding: 'json', metadata: new Map() };
      this.channels.set(topic as Topic, await this.writer.registerChannel(channel));
    }
  }

  private add(topic: Topic, tick: number, message: object): void {
    const time = BigInt(Math.round((this.epoch_ms + tick * TICK_S * 1000) * 1000)) * 1000n;
    const data = new TextEncoder().encode(JSON.stringify(message));
    const sequence = this.sequence++;
    this.queue = this.queue.then(() =>
      this.writer.addMessage({
        channelId: this.channels.get(topic)!,
        sequence,
        logTime: time,
        publishTime: time,
        data,
      }),
    );
  }

  onTick(feedback: Feedback, tick: number): void {
    const now = discreteFields(this.robot.memory);
    if (changedFields(this.fields, now)) this.add('/signals', tick, now);
    this.fields = now;
    if (tick % POSE_TICKS !== 0) return;
    this.add('/joints', tick, {
      name: JOINTS.map((joint) => `joint_${joint}`),
      position: Array.from(feedback.position_rad),
      velocity: Array.from(feedback.velocity_rad_s),
      effort: Array.from(feedback.torque_n_m),
      temperature: Array.from(feedback.temperature_c),
    });
    forward(feedback.position_rad, this.frames);
    toolPose(this.frames, FLANGE_TOOL, this.pose);
    const rotation = Array.from(this.pose.subarray(0, 9));
    this.add('/flange', tick, { position: Array.from(this.pose.subarray(9, 12)), rotation });
  }

  onEvents(events: readonly LoopEvent[], tick: number): void {
    for (const event of events) {
      if (event.kind === 'log') this.add('/log', tick, { level: event.level, message: event.text });
    }
  }

  /** Completes the file; resolves when its last byte is with the sink. */
  async finish(): Promise<void> {
    await this.queue;
    await this.writer.end();
  }
}
