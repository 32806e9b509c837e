/** A recording repeats bit by bit, at any pace, over a restore; what changed is named by tick. */
import { describe, expect, it } from 'vitest';
import { DisturbedArm } from '../../bridge/disturbed-arm.ts';
import { createSimulatedArm } from '../../bridge/simulated-arm.ts';
import { TICKS_PER_S } from '../clock/twin-time.ts';
import { onStage, type Stage } from '../sim/sim.cases.ts';
import { firstDifference } from './comparison.ts';
import { replayTape } from './replay.ts';
import { type OutputLine, readTape, type Tape } from './tape.ts';
import { firstParting } from './tick-runs.ts';

const POSE = [0.4, 0.3, -0.4, 0, -0.2, 0] as const;

async function replayed(tape: Tape) {
  const arm = createSimulatedArm({ plant: tape.head.driver as 'fast' | 'rapier' });
  return replayTape(tape, { driver: new DisturbedArm(arm), world: arm.world });
}

/** Motions, a pause, signals, a push, a fault and the stop. */
async function rehearse({ twin, arm }: Stage): Promise<void> {
  await arm.takeLock();
  await arm.goTo({ mode: 'automatic', joints: [...POSE] });
  await twin.advance(0.5);
  await arm.pause();
  await twin.advance(3);
  await arm.setInputs({ values: { d1: true, a0: 2 } });
  await arm.resume();
  await twin.advance(6);
  await arm.pushArm({ force: { x: 10, y: 0, z: 0 }, duration_s: 0.2 });
  await twin.advance(1);
  await arm.addFault({ kind: 'sensor_noise', position_rad: 0.001, seed: 5 });
  await twin.advance(0.3);
  await arm.clearFaults();
  await arm.goTo({ mode: 'automatic', joints: [0, 0, 0, 0, 0, 0] });
  await twin.advance(0.4);
  await arm.setEmergencyStop({ engaged: true });
  await twin.advance(2);
}

async function recorded(stage: Stage, work: (stage: Stage) => Promise<void>): Promise<Tape> {
  await stage.arm.startRecording();
  await work(stage);
  await stage.arm.stopRecording();
  return readTape((await stage.arm.getTape()).tape);
}

describe.each(['fast', 'rapier'] as const)('a tape of %s', (driver) => {
  it('repeats bit by bit, begun at rest and in the middle', async () => {
    await onStage({ driver }, async (stage) => {
      expect((await replayed(await recorded(stage, rehearse))).parting).toBeNull();
      await stage.arm.setEmergencyStop({ engaged: false });
      await stage.arm.resetErrors();
      await stage.arm.goTo({ mode: 'automatic', joints: [...POSE] });
      await stage.twin.advance(0.6);
      const tape = await recorded(stage, ({ twin }) => twin.advance(4));
      const { parting, ticks } = await replayed(tape);
      expect([parting, ticks]).toEqual([null, 4 * TICKS_PER_S]);
    });
  });

  it('repeats over a restore in its middle', async () => {
    await onStage({ driver }, async (stage) => {
      const { twin, arm } = stage;
      const tape = await recorded(stage, async () => {
        await arm.takeLock();
        await arm.goTo({ mode: 'automatic', joints: [...POSE] });
        await twin.advance(0.5);
        await arm.keepState({ name: 'midway' });
        await twin.advance(2);
        await arm.restoreState({ name: 'midway' });
        await twin.advance(5);
      });
      expect(tape.outputs.length).toBeGreaterThan(5);
      expect((await replayed(tape)).parting).toBeNull();
    });
  });
});

describe('a tape', () => {
  it('recorded in scaled real time repeats at full speed', async () => {
    await onStage({ clock: 20 }, async (stage) => {
      const tape = await recorded(stage, async ({ arm }) => {
        await arm.takeLock();
        await arm.goTo({ mode: 'automatic', joints: [...POSE] });
        await expect
          .poll(async () => (await arm.getSnapshot()).snapshot.control.state, { timeout: 5000 })
          .toBe('ready');
      });
      const { parting, ticks } = await replayed(tape);
      expect(parting).toBeNull();
      expect(ticks).toBeGreaterThan(100);
    });
  });

  it('names the first tick and joint of a motion that is different by one bit', async () => {
    await onStage({}, async (stage) => {
      const tape = await recorded(stage, rehearse);
      const at = tape.inputs.findIndex(
        (line) => line.kind === 'command' && line.command.kind === 'go_to',
      );
      const line = structuredClone(tape.inputs[at]!);
      if (line.kind !== 'command' || line.command.kind !== 'go_to') throw new Error('no go_to');
      const { coefficients } = line.command.motion.profile;
      const busy = coefficients.findIndex((value) => value !== 0);
      const bits = new BigInt64Array(coefficients.buffer, coefficients.byteOffset);
      bits[busy] = bits[busy]! ^ 1n;
      const { parting } = await replayed({ ...tape, inputs: tape.inputs.with(at, line) });
      expect(parting?.field).toMatch(/^(position_rad|velocity_rad_s)/);
      expect(parting?.tick).toBeGreaterThan(line.tick);
      expect(parting?.tick).toBeLessThan(line.tick + 130);
    });
  });

  it('names a field of a state that comes out otherwise', async () => {
    await onStage({}, async (stage) => {
      const tape = await recorded(stage, rehearse);
      const isInput = (line: Tape['inputs'][number]) =>
        line.kind === 'command' && line.command.kind === 'inputs';
      const at = tape.inputs.findIndex(isInput);
      const { parting } = await replayed({ ...tape, inputs: tape.inputs.toSpliced(at, 1) });
      expect(parting).toMatchObject({ tick: tape.inputs[at]!.tick, field: 'inputs.d1' });
    });
  });

  it('that is damaged is refused with the line', () => {
    const head = '{"kind":"head","tape":1,"recorded_by":"x","driver":"fast"}';
    expect(() => readTape(`${head}\n{"kind`)).toThrow('line 2');
    expect(() => readTape('{}')).toThrow('no recording');
    expect(() => readTape('{"kind":"head","tape":9}')).toThrow('format 9');
  });
});

describe('comparison', () => {
  it('finds the tick at which runs part, however they are cut', () => {
    expect(firstParting([5, 1, 1, 5, 2, 2], [2, 1, 1, 3, 1, 1, 5, 2, 2])).toBeNull();
    expect(firstParting([5, 1, 1, 5, 2, 2], [4, 1, 1])).toBeNull();
    expect(firstParting([5, 1, 1, 5, 2, 2], [7, 1, 1])).toEqual({
      ticks: 5,
      field: 'position_rad',
    });
  });

  it('reports the earlier of a joint and a state', () => {
    const joints = { position_rad: new Float64Array(6), velocity_rad_s: new Float64Array(6) };
    const mark = (runs: number[]): OutputLine => {
      return { kind: 'mark', from: 0, tick: 10, runs, ...joints };
    };
    const change = (state: string): OutputLine => ({ kind: 'change', tick: 7, fields: { state } });
    const one = [change('ready'), mark([10, 1, 1])];
    expect(firstDifference(one, [change('error'), mark([10, 1, 1])])?.tick).toBe(7);
    expect(firstDifference(one, [change('error'), mark([2, 1, 1, 8, 9, 1])])?.tick).toBe(3);
    expect(firstDifference(one, one)).toBeNull();
  });
});
