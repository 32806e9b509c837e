/**
 * Files that version 0.1 wrote (fixtures/former) are read by this version (docs/versions.md).
 * @module-tag ci
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FaultInjectingDriver } from '../bridge/fault-injecting-driver.ts';
import { createSimulatedArm } from '../bridge/simulated/simulated-arm.ts';
import { connect } from '../contract/client.ts';
import { createTwin } from './index.ts';
import {
  type MarkLine,
  type ParsedRecording,
  parseRecording,
} from './recording/recording-format.ts';
import { replayRecording } from './recording/replay.ts';
import { withTwinClient } from './service/simulation/twin-client.cases.ts';

const FORMER = 'fixtures/former/0.1';
const folder = mkdtempSync(join(tmpdir(), 'armtwin-former-'));

afterAll(() => rmSync(folder, { recursive: true }));

/** The states of a recording, in order. */
function recordedStates({ outputs }: ParsedRecording): unknown[] {
  return outputs.flatMap((line) =>
    line.kind === 'change' && 'state' in line.fields ? [line.fields['state']] : [],
  );
}

describe('recordings of version 0.1', () => {
  it.each(['fast', 'rapier'] as const)(
    'of the %s arm replay with the same states',
    async (plant) => {
      const recording = parseRecording(readFileSync(`${FORMER}/${plant}.jsonl`, 'utf8'));
      const arm = createSimulatedArm({ plant });
      const states: string[] = [];
      const poses = new Map<number, number[]>();
      const inputs = new Set<boolean | undefined>();
      const target = { driver: new FaultInjectingDriver(arm), world: arm.world };
      const { ticks } = await replayRecording(recording, target, ({ memory }) => [
        {
          onEvents: () => {
            if (memory.state !== states.at(-1)) states.push(memory.state);
          },
          onTick(feedback, tick) {
            poses.set(tick, Array.from(feedback.position_rad));
            inputs.add(memory.io.inputs['d0'] as boolean);
          },
        },
      ]);
      expect(ticks).toBe(975);
      expect(states.filter((state) => state !== 'ready')).toEqual(
        recordedStates(recording).filter((state) => state !== 'ready'),
      );
      expect([...inputs]).toEqual([false, true]);
      // Other physics, the same motion: nearly where it was at rest after the first go_to.
      const marks = recording.outputs.filter((line): line is MarkLine => line.kind === 'mark');
      const { tick, position_rad } = marks[1]!;
      for (const [j, angle] of position_rad.entries()) {
        expect(Math.abs(angle - poses.get(tick)![j]!)).toBeLessThan(0.01);
      }
    },
  );

  it('are refused with a sentence where they start in a motion', async () => {
    const recording = parseRecording(readFileSync(`${FORMER}/fast.jsonl`, 'utf8'));
    const [first, ...rest] = recording.inputs;
    if (first?.kind !== 'image') throw new Error('no snapshot');
    const { robot } = first;
    const moving = { ...robot, memory: { ...robot.memory, activity: { kind: 'go_to' } } };
    const inputs = [{ ...first, robot: moving as typeof robot }, ...rest];
    const arm = createSimulatedArm({ plant: 'fast' });
    const target = { driver: new FaultInjectingDriver(arm), world: arm.world };
    await expect(replayRecording({ ...recording, inputs }, target)).rejects.toThrow(
      'version 0.1.0 recorded a snapshot of the moving arm at tick 0; replay it with that version',
    );
  });
});

describe('a data folder of version 0.1', () => {
  it('keeps users, tokens, toolpaths and workflows, and opens again', async () => {
    const data = join(folder, 'data');
    cpSync(`${FORMER}/data`, data, { recursive: true });
    for (let start = 1; start <= 2; start++) {
      const twin = await createTwin({ data });
      const arm = connect({ baseUrl: twin.url, token: 'token-of-version-0.1' });
      const { users } = await arm.listUsers();
      expect(users.map(({ email, role }) => [email, role])).toEqual([
        ['ada@example.org', 'admin'],
        ['bo@example.org', 'user'],
      ]);
      const { toolpaths } = await arm.listToolpaths();
      expect(toolpaths.map(({ name }) => name)).toEqual(['pick']);
      const { toolpath } = await arm.getToolpath({ toolpath_id: toolpaths[0]!.id });
      const original = readFileSync('fixtures/toolpaths/pick-and-place.json', 'utf8');
      expect(toolpath.toolpath).toEqual(JSON.parse(original));
      // That version kept no time of a save.
      const [entry] = (await arm.listSavedToolpaths()).toolpaths;
      expect(entry).toEqual({ ...toolpaths[0], modified_at: null, bytes: null });
      expect((await arm.listWorkflows()).workflows).toHaveLength(1);
      await arm.logIn({ email: 'bo@example.org', password: 'another password' });
      expect((await arm.getName()).name).toBe('Former Arm');
      await twin.close();
    }
    expect(existsSync(join(data, 'format-1', 'index.json'))).toBe(true);
  });
});

describe('a snapshot file', () => {
  it('is refused with a sentence by a version with other physics', async () => {
    await withTwinClient({}, async ({ arm }) => {
      await arm.keepState({ name: 'here' });
      const file = await arm.exportState({ name: 'here' });
      const data = file.data.replace(/,"physics":"[^"]*"/, '');
      expect(data).not.toBe(file.data);
      const sha256 = createHash('sha256').update(data).digest('hex');
      await expect(arm.importState({ ...file, data, sha256 })).rejects.toThrow(
        'is of a version with other physics; import it there',
      );
      await arm.importState(file);
    });
  });

  it('without the parts that versions before this one lacked is restored', async () => {
    await withTwinClient({}, async ({ arm }) => {
      await arm.pushArm({ force: { x: 0, y: 3, z: 0 }, duration_s: 1 });
      await arm.advanceClock({ seconds: 0.5 });
      await arm.keepState({ name: 'here' });
      const file = await arm.exportState({ name: 'here' });
      const data = file.data
        .replace(/,"push_end_tick":\d+/, '')
        .replace(/,"status":\{[^}]*\}/, '')
        .replace(/,"reported":null/, '');
      expect(file.data.length - data.length).toBeGreaterThan(90);
      const sha256 = createHash('sha256').update(data).digest('hex');
      await arm.importState({ ...file, data, sha256 });
      const { tick } = await arm.getClock();
      await arm.advanceClock({ seconds: 1 });
      await arm.restoreState({ name: 'here' });
      expect((await arm.advanceClock({ seconds: 1 })).tick).toBe(tick + 250);
    });
  });
});
