/**
 * Repeats a tape: the same robot on a driver of the same name, the same commands at the same
 * ticks, nothing else of the server. Time passes as fast as it can.
 */

import type { ArmDriver } from '../../bridge/arm-driver.ts';
import type { ArmWorld } from '../../bridge/arm-world.ts';
import type { ArmDisturbance } from '../../bridge/disturbed-arm.ts';
import { Timers } from '../clock/timers.ts';
import type { LoadedToolpath } from '../robot/commands.ts';
import { Loop, type LoopListener } from '../robot/loop.ts';
import { Robot } from '../robot/robot.ts';
import { firstDifference, type Parting } from './comparison.ts';
import { Recorder } from './recorder.ts';
import type { ImageLine, InputLine, OutputLine, Tape } from './tape.ts';

/** What a tape is repeated on: a driver that has not started, with the hand on it. */
export interface ReplayStage {
  readonly driver: ArmDriver & ArmDisturbance;
  readonly world: ArmWorld;
}

export interface ReplayResult {
  /** Ticks that were repeated. */
  readonly ticks: number;
  readonly parting: Parting | null;
}

const never = () => false;

class Repetition {
  readonly loop: Loop;
  readonly robot: Robot;
  readonly outputs: OutputLine[] = [];
  readonly recorder: Recorder;
  refusal: Parting | null = null;
  private readonly stage: ReplayStage;
  private loaded: LoadedToolpath | null = null;

  constructor(stage: ReplayStage, { robot: image }: ImageLine, feedback: LoopFeedback) {
    const { driver, world } = stage;
    const { epoch_ms, timezone, seed } = image;
    this.stage = stage;
    const recover = () => driver.recover();
    this.robot = new Robot({ feedback, epoch_ms, timezone, seed, recover });
    this.recorder = new Recorder({
      robot: this.robot,
      world,
      disturbance: driver,
      write: (line) => {
        if (line.kind === 'change' || line.kind === 'mark') this.outputs.push(line);
      },
    });
    const reach = { world, disturbance: driver };
    const timers = new Timers();
    const { robot } = this;
    this.loop = new Loop({ robot, driver, reach, timers, feedback, epoch_ms, listeners: [] });
  }

  /** Puts the twin to an image. */
  place(line: ImageLine): void {
    const { world, driver } = this.stage;
    if (line.loaded !== 'same') this.loaded = line.loaded;
    const { robot } = line;
    world.restore(line.world);
    driver.restore(line.disturbance);
    this.loop.restore({ ...robot, memory: { ...robot.memory, loaded: this.loaded } }, line.tick);
  }

  /** Lets time pass to the line's tick, and does what it says. */
  follow(line: InputLine): void {
    const { loop } = this;
    const until = line.kind === 'image' ? line.left_tick : line.tick;
    loop.runTo(until, { jump: true, stop: never });
    if (line.kind === 'image') {
      if (line.why === 'restore') this.place(line);
      else if (line.loaded !== 'same') this.loaded = line.loaded;
    } else if (line.kind === 'action') loop.act(line.action);
    else if (line.kind === 'command') {
      const repeated = loop.apply(line.command)?.refused ?? null;
      if (repeated === line.refused) return;
      const { tick, command, refused } = line;
      this.refusal ??= { tick, field: `reply to ${command.kind}`, recorded: refused, repeated };
    }
  }
}

type LoopFeedback = Awaited<ReturnType<ArmDriver['start']>>;

/** The one that comes first. */
function earliest(a: Parting | null, b: Parting | null): Parting | null {
  if (!a || !b) return a ?? b;
  return a.tick <= b.tick ? a : b;
}

/**
 * Repeats a tape and answers where it first parts from what was recorded. `followers` follow
 * the repetition as they would a twin. Rejects when the driver does not start.
 */
export async function replayTape(
  tape: Tape,
  stage: ReplayStage,
  followers: (robot: Robot, epoch_ms: number) => readonly LoopListener[] = () => [],
): Promise<ReplayResult> {
  const [start, ...rest] = tape.inputs;
  if (start?.kind !== 'image') throw new Error('the tape does not begin with an image of the twin');
  const repetition = new Repetition(stage, start, await stage.driver.start());
  const { loop, recorder, outputs } = repetition;
  repetition.place(start);
  recorder.begin(start.tick);
  loop.follow(recorder);
  const { epoch_ms } = start.robot;
  for (const listener of followers(repetition.robot, epoch_ms)) loop.follow(listener);
  for (const line of rest) repetition.follow(line);
  recorder.end();
  await stage.driver.stop();
  const parting = earliest(repetition.refusal, firstDifference(tape.outputs, outputs));
  return { ticks: loop.tick - start.tick, parting };
}
