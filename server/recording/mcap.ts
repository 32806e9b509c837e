import { McapWriter } from '@mcap/core';
import { type Feedback, TICK_S } from '../../bridge/arm-driver.ts';
import { armAsUrdf } from '../../physics/formats/urdf.ts';
import { createTool } from '../../physics/kinematics/tool.ts';
import type { LoopEvent } from '../robot/loop-event.ts';
import type { LoopListener } from '../robot/loop-listener.ts';
import type { Robot } from '../robot/robot.ts';
import {
  flangeMessage,
  jointsMessage,
  logMessage,
  signalsMessage,
  temperaturesMessage,
  transformsMessage,
} from './arm-messages.ts';
import { CHANNELS, type Topic } from './channels.ts';
import { changedFields, type DiscreteFields } from './discrete-fields.ts';
import { pathMessage } from './path-scene.ts';
import { nanosecondsOf, stampOf } from './stamp.ts';

/** The channels of a file: a replay has no obstacles, contacts and cell to show. */
const RECORDED_TOPICS: readonly Topic[] = [
  '/joints',
  '/tf',
  '/flange',
  '/log',
  '/signals',
  '/temperatures',
  '/path',
];

const POSE_TICKS = 5;
const TEMPERATURE_TICKS = 250;

/** Where the bytes go, in order; resolves when it can take more. */
export interface ByteSink {
  write(bytes: Uint8Array): Promise<void>;
}

/**
 * A recording as an MCAP file, for the viewers that robotics people know: joints, transforms and
 * flange at 50 Hz while ticks run and at the end, signals when they change, the robot's log, the
 * path of the loaded toolpath; the arm's URDF as attachment. The channels are those of the live
 * connection. The writer holds little more than a chunk in memory while its caller awaits
 * `drained`.
 */
export class McapExport implements LoopListener {
  private readonly writer: McapWriter;
  private readonly channels = new Map<Topic, number>();
  private readonly robot: Robot;
  private readonly epoch_ms: number;
  private hash: string | null = null;
  private fields: DiscreteFields = {};
  private sequence = 0;
  /** What the last tick gave, and the ticks of the last messages of poses and temperatures. */
  private newest: { readonly feedback: Feedback; readonly tick: number } | null = null;
  private pose_tick = Number.NEGATIVE_INFINITY;
  private temperature_tick = Number.NEGATIVE_INFINITY;
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
          position += BigInt(bytes.length);
          await parts.sink.write(Uint8Array.from(bytes));
        },
      },
    });
    this.queue = this.open();
  }

  private async open(): Promise<void> {
    await this.writer.start({ library: 'armtwin', profile: '' });
    const encoder = new TextEncoder();
    for (const topic of RECORDED_TOPICS) {
      const { name, schema } = CHANNELS[topic];
      const schemaId = await this.writer.registerSchema({
        name,
        encoding: 'jsonschema',
        data: encoder.encode(JSON.stringify(schema)),
      });
      const channel = { schemaId, topic, messageEncoding: 'json', metadata: new Map() };
      this.channels.set(topic, await this.writer.registerChannel(channel));
    }
    const time = nanosecondsOf(this.epoch_ms);
    await this.writer.addAttachment({
      name: 'arm.urdf',
      mediaType: 'application/xml',
      logTime: time,
      createTime: time,
      data: encoder.encode(armAsUrdf()),
    });
  }

  private dateOf_ms(tick: number): number {
    return this.epoch_ms + tick * TICK_S * 1000;
  }

  private add(topic: Topic, tick: number, message: object): void {
    const time = nanosecondsOf(this.dateOf_ms(tick));
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
    const { memory, source } = this.robot;
    const now = signalsMessage(memory, source);
    if (changedFields(this.fields, now)) this.add('/signals', tick, now);
    this.fields = now;
    const stamp = stampOf(this.dateOf_ms(tick));
    const { loaded } = memory;
    if ((loaded?.hash ?? '') !== this.hash) {
      this.hash = loaded?.hash ?? '';
      this.add('/path', tick, pathMessage(loaded?.program ?? null, stamp));
    }
    this.newest = { feedback, tick };
    if (tick % TEMPERATURE_TICKS === 0 || tick - this.temperature_tick >= TEMPERATURE_TICKS) {
      this.addTemperatures(feedback, tick);
    }
    if (tick % POSE_TICKS === 0 || tick - this.pose_tick >= POSE_TICKS) {
      this.addPose(feedback, tick);
    }
  }

  private addTemperatures(feedback: Feedback, tick: number): void {
    this.temperature_tick = tick;
    this.add('/temperatures', tick, temperaturesMessage(feedback));
  }

  private addPose(feedback: Feedback, tick: number): void {
    this.pose_tick = tick;
    const { loaded } = this.robot.memory;
    const stamp = stampOf(this.dateOf_ms(tick));
    const tool = loaded && createTool(loaded.metadata.tcp_config);
    this.add('/joints', tick, jointsMessage(feedback, stamp));
    this.add('/tf', tick, transformsMessage(feedback, stamp, tool));
    this.add('/flange', tick, flangeMessage(feedback, stamp));
  }

  onEvents(events: readonly LoopEvent[], tick: number): void {
    const stamp = stampOf(this.dateOf_ms(tick));
    for (const event of events) {
      if (event.kind === 'log') this.add('/log', tick, logMessage(event, stamp));
    }
  }

  /** Resolves when everything so far is with the sink. */
  async drained(): Promise<void> {
    await this.queue;
  }

  /**
   * Completes the file with the last state of the arm; resolves when its last byte is with the
   * sink.
   */
  async finish(): Promise<void> {
    const { newest } = this;
    if (newest && newest.tick > this.pose_tick) this.addPose(newest.feedback, newest.tick);
    if (newest && newest.tick > this.temperature_tick) {
      this.addTemperatures(newest.feedback, newest.tick);
    }
    await this.queue;
    await this.writer.end();
  }
}
