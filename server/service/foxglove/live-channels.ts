/**
 * The channels of the live connection: each states when its content changed and builds its newest
 * message. Telemetry goes out at 50 Hz of wall time at most, whatever the pace of the twin is.
 */

import { type Feedback, TICK_S } from '../../../bridge/arm-driver.ts';
import type { ArmWorld } from '../../../bridge/arm-world.ts';
import type { SimObstacle } from '../../../contract/types.generated.ts';
import { createTool } from '../../../physics/kinematics/tool.ts';
import {
  flangeMessage,
  jointsMessage,
  logMessage,
  signalsMessage,
  temperaturesMessage,
  transformsMessage,
} from '../../recording/arm-messages.ts';
import { CellScene } from '../../recording/cell-scene.ts';
import { CHANNELS, type Topic } from '../../recording/channels.ts';
import { contactsMessage } from '../../recording/contacts-scene.ts';
import { changedFields, type DiscreteFields } from '../../recording/discrete-fields.ts';
import { obstaclesMessage } from '../../recording/obstacles-scene.ts';
import { pathMessage } from '../../recording/path-scene.ts';
import { nanosecondsOf, type Stamp, stampOf } from '../../recording/stamp.ts';
import type { ControlLoop } from '../../robot/loop.ts';
import type { LoopEvent } from '../../robot/loop-event.ts';
import type { LoopListener } from '../../robot/loop-listener.ts';
import type { Robot } from '../../robot/robot.ts';
import { contactsReply } from '../simulation/contacts-reply.ts';

export interface LiveSource {
  readonly robot: Robot;
  readonly loop: ControlLoop;
  /** The simulated world and its obstacles; null without one. */
  readonly world: ArmWorld | null;
  readonly obstacles: () => readonly SimObstacle[];
}

/** A channel: `version` changes with its content. */
interface LiveChannel {
  readonly topic: Topic;
  readonly version: () => unknown;
  readonly message: (stamp: Stamp) => object | null;
  /** What changed since the last call, where a message need not hold the whole content. */
  readonly changes?: (stamp: Stamp) => object;
}

/** Ticks (1 s) after which the values of an arm at rest are sent again. */
const REFRESH_TICKS = Math.round(1 / TICK_S);

/** The state of all channels, kept by the control loop. */
export class LiveChannels implements LoopListener {
  readonly topics: readonly Topic[];
  private readonly source: LiveSource;
  private readonly channels: readonly LiveChannel[];
  private readonly sent: unknown[];
  private readonly onChange: () => void;
  private readonly onLog: (channel_id: number, data: Buffer) => void;
  private feedback: Feedback | null = null;
  private poseVersion = 0;
  private fields: DiscreteFields = {};
  private fieldsVersion = 0;
  private lastLog: object | null = null;

  constructor(
    source: LiveSource,
    callbacks: { onChange: () => void; onLog: (channel_id: number, data: Buffer) => void },
  ) {
    this.source = source;
    this.onChange = callbacks.onChange;
    this.onLog = callbacks.onLog;
    this.channels = this.createChannels();
    this.topics = this.channels.map(({ topic }) => topic);
    this.sent = this.channels.map(() => undefined);
  }

  private createChannels(): readonly LiveChannel[] {
    const { robot, world, obstacles } = this.source;
    const pose = () => this.poseVersion;
    const loaded = () => robot.memory.loaded;
    const ofFeedback =
      (build: (feedback: Feedback, stamp: Stamp) => object) =>
      (stamp: Stamp): object | null =>
        this.feedback && build(this.feedback, stamp);
    const tool = () => {
      const toolpath = loaded();
      return toolpath && createTool(toolpath.metadata.tcp_config);
    };
    const channels: LiveChannel[] = [
      { topic: '/joints', version: pose, message: ofFeedback(jointsMessage) },
      {
        topic: '/tf',
        version: pose,
        message: ofFeedback((feedback, stamp) => transformsMessage(feedback, stamp, tool())),
      },
      { topic: '/flange', version: pose, message: ofFeedback(flangeMessage) },
      {
        topic: '/temperatures',
        version: () => Math.floor(this.poseVersion / REFRESH_TICKS),
        message: ofFeedback(temperaturesMessage),
      },
      { topic: '/signals', version: () => this.fieldsVersion, message: () => this.fields },
      { topic: '/log', version: () => null, message: () => this.lastLog },
      {
        topic: '/path',
        version: loaded,
        message: (stamp) => pathMessage(loaded()?.program ?? null, stamp),
      },
    ];
    if (!world) return channels;
    const cell = new CellScene(() => world.cell);
    return [
      ...channels,
      {
        topic: '/obstacles',
        version: obstacles,
        message: (stamp) => obstaclesMessage(obstacles(), stamp),
      },
      {
        topic: '/contacts',
        version: () => world.contacts.revision,
        message: (stamp) => contactsMessage(contactsReply(world).contacts, stamp),
      },
      {
        topic: '/cell',
        version: () => cell.version(),
        message: (stamp) => cell.message(stamp),
        changes: (stamp) => cell.changes(stamp),
      },
    ];
  }

  /** The advertisement of all channels; the id is the place in `topics`. */
  advertised(): readonly object[] {
    return this.topics.map((topic, id) => {
      const { name, schema } = CHANNELS[topic];
      const text = JSON.stringify(schema);
      return { id, topic, encoding: 'json', schemaName: name, schema: text };
    });
  }

  /** Present time of the twin (ns since 1970). */
  get time_ns(): bigint {
    return nanosecondsOf(this.source.loop.epoch_ms);
  }

  /** The newest message of a channel, its whole content; null while there is none. */
  newest(channel_id: number): Buffer | null {
    const message = this.channels[channel_id]?.message(stampOf(this.source.loop.epoch_ms));
    return message ? Buffer.from(JSON.stringify(message)) : null;
  }

  /** True for a channel of changes: `changes` has only what changed since its last message. */
  hasChanges(channel_id: number): boolean {
    return this.channels[channel_id]?.changes !== undefined;
  }

  /** The message for a client that has all earlier ones of a channel. */
  changes(channel_id: number): Buffer | null {
    const changes = this.channels[channel_id]?.changes;
    if (!changes) return this.newest(channel_id);
    return Buffer.from(JSON.stringify(changes(stampOf(this.source.loop.epoch_ms))));
  }

  /** The channels whose content changed since the last call. */
  takeChanged(): readonly number[] {
    const changed: number[] = [];
    this.channels.forEach(({ version }, id) => {
      const now = version();
      if (now === this.sent[id]) return;
      this.sent[id] = now;
      changed.push(id);
    });
    return changed;
  }

  onTick(feedback: Feedback, tick: number): void {
    const isFirst = this.feedback === null;
    this.feedback = feedback;
    if (!feedback.at_rest || isFirst || tick - this.poseVersion >= REFRESH_TICKS) {
      this.poseVersion = tick;
    }
    this.readFields();
    this.onChange();
  }

  private readFields(): void {
    const { memory, source } = this.source.robot;
    const now = signalsMessage(memory, source);
    if (changedFields(this.fields, now)) this.fieldsVersion += 1;
    this.fields = now;
  }

  onRestore(tick: number, feedback: Feedback): void {
    this.feedback = feedback;
    this.poseVersion = tick;
    this.readFields();
    this.fieldsVersion += 1;
  }

  onEvents(events: readonly LoopEvent[]): void {
    for (const event of events) {
      if (event.kind !== 'log') continue;
      this.lastLog = logMessage(event, stampOf(this.source.loop.epoch_ms));
      this.onLog(this.topics.indexOf('/log'), Buffer.from(JSON.stringify(this.lastLog)));
    }
  }
}
