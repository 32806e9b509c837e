/**
 * Recordings replay bit-identically, at any pace and over a restore; differences are located.
 * @module-tag ci
 */
import { describe, expect, it } from 'vitest';
import { FaultInjectingDriver } from '../../bridge/fault-injecting-driver.ts';
import { createSimulatedArm } from '../../bridge/simulated/simulated-arm.ts';
import { TICKS_PER_S } from '../clock/twin-time.ts';
import { type TwinAndClient, withTwinClient } from '../service/simulation/twin-client.cases.ts';
import { firstDivergence } from './divergence.ts';
import { type OutputLine, type ParsedRecording, parseRecording } from './recording-format.ts';
import { replayRecording } from './replay.ts';
import { firstTickDivergence } from './tick-runs.ts';

const POSE = [0.4, 0.3, -0.4, 0, -0.2, 0] as const;

async function replayed(recording: ParsedRecording) {
  const arm = createSimulatedArm({ plant: recording.header.driver as 'fast' | 'rapier' });
  return replayRecording(recording, { driver: new FaultInjectingDriver(arm), world: arm.world });
}

/** Motions, a pause, signals, an external force, a fault and the emergency stop. */
async function exercise({ twin, arm }: TwinAndClient): Promise<void> {
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

async function recorded(
  client: TwinAndClient,
  work: (client: TwinAndClient) => Promise<void>,
): Promise<ParsedRecording> {
  await client.arm.startRecording();
  await work(client);
  await client.arm.stopRecording();
  return parseRecording((await client.arm.getTape()).tape);
}

it('replays an imperfect arm, also into a driver of another seed', async () => {
  await withTwinClient({ driver: 'fast', realism: 'worn', noise_seed: 99 }, async (client) => {
    expect((await replayed(await recorded(client, exercise))).divergence).toBeNull();
  });
});

it('replays an ideal arm that becomes worn, into a driver of another seed', async () => {
  await withTwinClient({ driver: 'fast', noise_seed: 99 }, async (client) => {
    const recording = await recorded(client, async ({ arm, twin }) => {
      await arm.takeLock();
      await arm.seedTwin({ realism: 'worn' });
      await arm.goTo({ mode: 'automatic', joints: [...POSE] });
      await twin.advance(3);
    });
    expect((await replayed(recording)).divergence).toBeNull();
  });
});

it('replays a teach motion for which a fast clock has renewed the lock', async () => {
  await withTwinClient({ driver: 'fast', clock: 'max' }, async (client) => {
    const recording = await recorded(client, async ({ arm, twin }) => {
      await arm.takeLock();
      await arm.goTo({ mode: 'teach', joints: [...POSE], time: 12 });
      const control = () => twin.snapshot()['control'];
      await expect.poll(control, { timeout: 10_000 }).toMatchObject({ state: 'ready' });
    });
    const { divergence } = await replayed(recording);
    expect(divergence).toBeNull();
  });
});

describe.each(['fast', 'rapier'] as const)('a recording of %s', (driver) => {
  it('replays bit-identically, started at rest or during a motion', {
    tags: driver === 'rapier' ? ['slow'] : [],
  }, async () => {
    await withTwinClient({ driver }, async (client) => {
      expect((await replayed(await recorded(client, exercise))).divergence).toBeNull();
      await client.arm.setEmergencyStop({ engaged: false });
      await client.arm.resetErrors();
      await client.arm.goTo({ mode: 'automatic', joints: [...POSE] });
      await client.twin.advance(0.6);
      const recording = await recorded(client, ({ twin }) => twin.advance(4));
      const { divergence, ticks } = await replayed(recording);
      expect([divergence, ticks]).toEqual([null, 4 * TICKS_PER_S]);
    });
  });

  it('replays over a restore in its middle', async () => {
    await withTwinClient({ driver }, async (client) => {
      const { twin, arm } = client;
      const recording = await recorded(client, async () => {
        await arm.takeLock();
        await arm.goTo({ mode: 'automatic', joints: [...POSE] });
        await twin.advance(0.5);
        await arm.keepState({ name: 'midway' });
        await twin.advance(2);
        await arm.restoreState({ name: 'midway' });
        await twin.advance(5);
      });
      expect(recording.outputs.length).toBeGreaterThan(5);
      expect((await replayed(recording)).divergence).toBeNull();
    });
  });
});

describe('a recording', () => {
  it('made in scaled real time replays at full speed', async () => {
    await withTwinClient({ clock: 20 }, async (client) => {
      const recording = await recorded(client, async ({ arm }) => {
        await arm.takeLock();
        await arm.goTo({ mode: 'automatic', joints: [...POSE] });
        await expect
          .poll(async () => (await arm.getSnapshot()).snapshot.control.state, { timeout: 5000 })
          .toBe('ready');
      });
      const { divergence, ticks } = await replayed(recording);
      expect(divergence).toBeNull();
      expect(ticks).toBeGreaterThan(100);
    });
  });

  it('locates the first tick and joint of a motion with a one-bit difference', async () => {
    await withTwinClient({}, async (client) => {
      const recording = await recorded(client, exercise);
      const at = recording.inputs.findIndex(
        (line) => line.kind === 'command' && line.command.kind === 'go_to',
      );
      const line = structuredClone(recording.inputs[at]!);
      if (line.kind !== 'command' || line.command.kind !== 'go_to') throw new Error('no go_to');
      const { coefficients } = line.command.motion.profile;
      const busy = coefficients.findIndex((value) => value !== 0);
      const bits = new BigInt64Array(coefficients.buffer, coefficients.byteOffset);
      bits[busy] = bits[busy]! ^ 1n;
      const { divergence } = await replayed({
        ...recording,
        inputs: recording.inputs.with(at, line),
      });
      expect(divergence?.field).toMatch(/^(position_rad|velocity_rad_s)/);
      expect(divergence?.tick).toBeGreaterThan(line.tick);
      expect(divergence?.tick).toBeLessThan(line.tick + 130);
    });
  });

  it('locates a field of a different state', async () => {
    await withTwinClient({}, async (client) => {
      const recording = await recorded(client, exercise);
      const isInput = (line: ParsedRecording['inputs'][number]) =>
        line.kind === 'command' && line.command.kind === 'inputs';
      const at = recording.inputs.findIndex(isInput);
      const { divergence } = await replayed({
        ...recording,
        inputs: recording.inputs.toSpliced(at, 1),
      });
      expect(divergence).toMatchObject({ tick: recording.inputs[at]!.tick, field: 'inputs.d1' });
    });
  });

  it('that is damaged is refused with the line number', () => {
    const head = '{"kind":"head","tape":1,"recorded_by":"x","driver":"fast"}';
    expect(() => parseRecording(`${head}\n{"kind\n`)).toThrow('line 2');
    expect(() => parseRecording('{"kind":"head","ta')).toThrow('line 1');
    expect(() => parseRecording('{}')).toThrow('not a recording');
    expect(() => parseRecording('{\n  "name": "x"\n}')).toThrow('not a recording');
    expect(() => parseRecording('{"kind":"head","tape":9}')).toThrow('format 9');
  });
});

describe('a recording that was changed', () => {
  it('is refused with the line, or differs', async () => {
    await withTwinClient({}, async ({ arm, twin }) => {
      await arm.startRecording();
      await arm.takeLock();
      await arm.goTo({ mode: 'automatic', joints: [...POSE] });
      await twin.advance(6);
      await arm.stopRecording();
      const { tape } = await arm.getTape();
      const lines = tape.trimEnd().split('\n');
      const marks = lines.flatMap((line, at) => (line.includes('"kind":"mark"') ? [at] : []));
      expect(marks.length).toBeGreaterThan(1);
      const refusal = (changed: readonly string[]) =>
        expect(() => parseRecording(`${changed.join('\n')}\n`));
      for (const at of marks) refusal(lines.toSpliced(at, 1)).toThrow(/a line is missing/);
      const end = `{"kind":"end","tick":${1e9}}`;
      refusal(lines.with(-1, end)).toThrow(/ends the recording at tick 1000000000/);
      refusal(lines.with(-1, '{"kind":"end","tick":null}')).toThrow(/has the tick null/);
      refusal(lines.toSpliced(2, 0, '{"kind":"note"}')).toThrow(/line 3 .*unknown kind "note"/);
      refusal(lines.toSpliced(2, 0, 'null')).toThrow('line 3 of the recording is damaged');
      const text = lines.with(marks[1]!, lines[marks[0]!]!).join('\n');
      expect(() => parseRecording(text)).toThrow(/starts at tick/);
      const recording = parseRecording(tape);
      const outputs = recording.outputs.map((line) => structuredClone(line));
      const last = outputs.findLast(({ kind }) => kind === 'mark');
      if (last?.kind !== 'mark') throw new Error('no mark');
      last.position_rad[5]! += 1e-15;
      const { divergence } = await replayed({ ...recording, outputs });
      expect(divergence).toMatchObject({ tick: last.tick, field: 'position_rad of J6' });
    });
  });
});

describe('a recording that breaks off', () => {
  it('replays as far as it goes, wherever it ends', async () => {
    await withTwinClient({}, async ({ arm, twin }) => {
      await arm.startRecording();
      await arm.takeLock();
      await arm.goTo({ mode: 'automatic', joints: [...POSE] });
      await twin.advance(0.2);
      await arm.keepState({ name: 'midway' });
      await twin.advance(3);
      await arm.restoreState({ name: 'midway' });
      await twin.advance(1.5);
      await arm.setInputs({ values: { d1: true } });
      await twin.advance(0.1);
      await arm.stopRecording();
      const { tape } = await arm.getTape();
      const ends = [...tape.matchAll(/\n/g)].map(({ index }) => index + 1).slice(2, -1);
      expect(ends.length).toBeGreaterThan(10);
      for (const [i, end] of ends.entries()) {
        // Whole lines, and some bytes of the next one.
        const recording = parseRecording(tape.slice(0, end + (i % 3) * 7));
        expect(recording.isCut).toBe(true);
        const { divergence, ticks } = await replayed(recording);
        expect(divergence, `cut behind line ${i + 2}`).toBeNull();
        expect(ticks).toBe(recording.end_tick - recording.inputs[0]!.tick);
      }
    });
  });

  it('is still different where a state differs', async () => {
    await withTwinClient({}, async (client) => {
      const recording = await recorded(client, exercise);
      const at = recording.inputs.findIndex((line) => line.kind === 'command');
      const inputs = recording.inputs.toSpliced(at, 1);
      const { divergence } = await replayed({ ...recording, inputs, isCut: true });
      expect(divergence).not.toBeNull();
    });
  });
});

describe('comparison', () => {
  it('finds the first different tick regardless of the run boundaries', () => {
    expect(firstTickDivergence([5, 1, 1, 5, 2, 2], [2, 1, 1, 3, 1, 1, 5, 2, 2])).toBeNull();
    expect(firstTickDivergence([5, 1, 1, 5, 2, 2], [4, 1, 1])).toBeNull();
    expect(firstTickDivergence([5, 1, 1, 5, 2, 2], [7, 1, 1])).toEqual({
      ticks: 5,
      field: 'position_rad',
      recorded: 2,
      replayed: 1,
    });
  });

  it('reports the earlier of a joint and a state difference', () => {
    const joints = { position_rad: new Float64Array(6), velocity_rad_s: new Float64Array(6) };
    const mark = (runs: number[]): OutputLine => {
      return { kind: 'mark', from: 0, tick: 10, runs, ...joints };
    };
    const change = (state: string): OutputLine => ({ kind: 'change', tick: 7, fields: { state } });
    const outputs = [change('ready'), mark([10, 1, 1])];
    const one = { outputs, isCut: false };
    expect(firstDivergence(one, [change('error'), mark([10, 1, 1])])?.tick).toBe(7);
    expect(firstDivergence(one, [change('error'), mark([2, 1, 1, 8, 9, 1])])?.tick).toBe(3);
    expect(firstDivergence(one, outputs)).toBeNull();
  });
});
