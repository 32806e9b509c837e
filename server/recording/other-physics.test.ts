/**
 * A recording of other physics starts from the recorded pose and repeats every command at its tick
 * (docs/versions.md).
 * @module-tag ci
 */
import { expect, it } from 'vitest';
import { FaultInjectingDriver } from '../../bridge/fault-injecting-driver.ts';
import { createSimulatedArm } from '../../bridge/simulated/simulated-arm.ts';
import { type TwinAndClient, withTwinClient } from '../service/simulation/twin-client.cases.ts';
import { type ParsedRecording, parseRecording, type SnapshotLine } from './recording-format.ts';
import { replayRecording } from './replay.ts';

type Memory = SnapshotLine['robot']['memory'];

/** A recording as another version has made it, whose robot knew other things. */
function ofOtherPhysics(tape: string, change: (memory: Memory) => object): ParsedRecording {
  const recording = parseRecording(tape);
  const [first, ...rest] = recording.inputs;
  if (first?.kind !== 'image') throw new Error('no snapshot');
  const robot = { ...first.robot, memory: change(first.robot.memory) as Memory };
  const header = { ...recording.header, recorded_by: '9.0.0', physics: 'others' };
  return { ...recording, header, inputs: [{ ...first, robot }, ...rest] };
}

/** Two motions from another pose than that of a new arm; the stop is pressed in the second. */
async function recordMotions({ arm, twin }: TwinAndClient): Promise<string> {
  await arm.takeLock();
  const goTo = async (first: number) => {
    await arm.goTo({ mode: 'automatic', joints: [first, 0.3, -0.4, 0, -0.2, 0] });
    await twin.advance(0.2);
  };
  const land = () => arm.runUntil({ state: 'ready', limit_s: 60 });
  await goTo(0.4);
  await land();
  await arm.startRecording();
  await goTo(0.1);
  await land();
  await arm.setInputs({ values: { d0: true } });
  await goTo(1.2);
  await arm.setEmergencyStop({ engaged: true });
  await twin.advance(1);
  await arm.stopRecording();
  return (await arm.getTape()).tape;
}

/** Replays; the states of the robot, the values of an input, and the pose at the end. */
async function replayed(recording: ParsedRecording, plant: 'fast' | 'rapier') {
  const arm = createSimulatedArm({ plant });
  const target = { driver: new FaultInjectingDriver(arm), world: arm.world };
  const states: string[] = [];
  const inputs = new Set<unknown>();
  let pose: number[] = [];
  const { ticks } = await replayRecording(recording, target, ({ memory }) => [
    {
      onEvents: () => {
        if (memory.state !== states.at(-1)) states.push(memory.state);
      },
      onTick: ({ position_rad }) => {
        pose = Array.from(position_rad);
        inputs.add(memory.io.inputs['d0']);
      },
    },
  ]);
  return { ticks, states, inputs, pose };
}

it.each(['fast', 'rapier'] as const)(
  'of the %s arm goes through the recorded states, from the recorded pose',
  async (plant) => {
    await withTwinClient({ driver: plant }, async (client) => {
      const tape = await recordMotions(client);
      const recording = ofOtherPhysics(tape, ({ loop_target: _, ...memory }) => {
        return { ...memory, unknown_here: true };
      });
      const { ticks, states, inputs, pose } = await replayed(recording, plant);
      expect(ticks).toBe(recording.end_tick - recording.inputs[0]!.tick);
      expect(states).toEqual(['running', 'ready', 'running', 'disabled']);
      expect([...inputs]).toEqual([false, true]);
      const last = recording.outputs.findLast((line) => line.kind === 'mark');
      if (last?.kind !== 'mark') throw new Error('no mark');
      for (const [joint, angle] of pose.entries()) {
        expect(Math.abs(angle - last.position_rad[joint]!)).toBeLessThan(0.01);
      }
    });
  },
);

it('that starts in a motion is refused with a sentence', async () => {
  await withTwinClient({}, async (client) => {
    const activity = { kind: 'go_to' } as const;
    const tape = await recordMotions(client);
    const recording = ofOtherPhysics(tape, (memory) => ({ ...memory, activity }));
    await expect(replayed(recording, 'fast')).rejects.toThrow(
      /^version 9\.0\.0 recorded a snapshot of the moving arm at tick \d+; replay it with that/,
    );
  });
});

it('of another format is refused with the version that made it', async () => {
  await withTwinClient({}, async (client) => {
    const tape = await recordMotions(client);
    for (const format of [1, 3]) {
      const other = tape.replace('"tape":2', `"tape":${format}`);
      expect(() => parseRecording(other)).toThrow(
        `the recording has format ${format}, but this version reads format 2; replay it with`,
      );
    }
  });
});
