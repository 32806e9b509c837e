/**
 * Toolpaths in recordings, kept runs and state files: with the source of their programs, which are
 * planned again. A program may be a hundred times as large.
 * @module-tag ci
 */
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FaultInjectingDriver } from '../../bridge/fault-injecting-driver.ts';
import { createSimulatedArm } from '../../bridge/simulated/simulated-arm.ts';
import { limits } from '../../contract/limits.ts';
import type { Toolpath } from '../../contract/types.generated.ts';
import { edited, put } from '../service/simulation/hostile-snapshots.cases.ts';
import { type TwinAndClient, withTwinClient } from '../service/simulation/twin-client.cases.ts';
import { smallToolpath } from '../toolpaths/small-toolpath.cases.ts';
import { encodePlainData } from './plain-data.ts';
import { parseRecording } from './recording-format.ts';
import { replayRecording } from './replay.ts';

const IMPERFECT = { driver: 'fast', realism: 'worn', noise_seed: 7 } as const;
/** Far enough below the cap of the teach mode for the noise of a worn arm (m/s). */
const SPEED = 0.15;

function slowToolpath(): Toolpath {
  const small = smallToolpath();
  return { ...small, metadata: { ...small.metadata, default_max_speed: SPEED } };
}

/** Straight moves, whose programs are large. */
function straightToolpath(): Toolpath {
  const { timeline, ...small } = slowToolpath();
  const straight = timeline.map((step) =>
    step.type === 'trajectory' ? { ...step, trajectory: 'linear' as const } : step,
  );
  return { ...small, timeline: straight };
}

/** A recording that begins with a loaded toolpath and loads another one. */
async function recordedRuns({ arm }: TwinAndClient): Promise<string> {
  const run = async (toolpath: Toolpath) => {
    await arm.useUnsavedToolpath({ name: 'One', toolpath });
    await arm.home();
    await arm.runUntil({ state: 'ready', limit_s: 60 });
    await arm.run({ mode: 'automatic', loop: 1 });
    await arm.runUntil({ state: 'ready', limit_s: 60 });
  };
  await arm.takeLock();
  await arm.useUnsavedToolpath({ name: 'First', toolpath: slowToolpath() });
  await arm.startRecording();
  await run(straightToolpath());
  await run(slowToolpath());
  await arm.stopRecording();
  return (await arm.getTape()).tape;
}

function replayed(tape: string) {
  const arm = createSimulatedArm({ plant: 'fast' });
  return replayRecording(parseRecording(tape), {
    driver: new FaultInjectingDriver(arm),
    world: arm.world,
  });
}

describe('toolpaths of a recording', () => {
  it('are planned again for its replay, to the same bits, also for an imperfect arm', async () => {
    await withTwinClient(IMPERFECT, async (client) => {
      const tape = await recordedRuns(client);
      expect(tape).not.toContain('"program":');
      const { divergence, compared } = await replayed(tape);
      expect(divergence).toBeNull();
      expect(compared).toBeGreaterThan(1000);
    });
  });

  it('that differ in their payload or a condition alone get programs of their own', async () => {
    const small = slowToolpath();
    const waiting = (duration: number): Toolpath => {
      const wait = { type: 'wait', condition: { type: 'time', duration } } as const;
      return { ...small, timeline: [...small.timeline, wait] };
    };
    const heavy: Toolpath = { ...small, metadata: { ...small.metadata, payload: 0.5 } };
    for (const [first, second] of [
      [small, heavy],
      [waiting(0.1), waiting(0.3)],
    ] as const) {
      await withTwinClient({}, async ({ arm }) => {
        await arm.takeLock();
        await arm.startRecording();
        for (const toolpath of [first, second]) {
          await arm.useUnsavedToolpath({ name: 'One', toolpath });
          await arm.run({ mode: 'automatic', loop: 1 });
          await arm.runUntil({ state: 'ready', limit_s: 60 });
        }
        await arm.stopRecording();
        const { tape } = await arm.getTape();
        const { divergence } = await replayed(tape);
        expect(divergence).toBeNull();
      });
    }
  });

  it('that this version plans otherwise are a difference with their names', async () => {
    await withTwinClient({}, async (client) => {
      const tape = await recordedRuns(client);
      const changed = tape.replace(/"program_sha256":"\w{4}/, '"program_sha256":"0000');
      const { divergence } = await replayed(changed);
      expect(divergence).toMatchObject({ field: 'SHA-256 of the plan of “First”' });
      expect(divergence?.recorded).toMatch(/^0000/);
    });
  });
});

/** The file of a twin in the middle of a run, and a later one of the same twin. */
async function statesOfRun({ arm, twin }: TwinAndClient) {
  await arm.takeLock();
  await arm.useUnsavedToolpath({ name: 'One', toolpath: straightToolpath() });
  await arm.home();
  await arm.runUntil({ state: 'ready', limit_s: 60 });
  await arm.run({ mode: 'automatic', loop: 0 });
  await twin.advance(0.3);
  const keep = async (name: string) => {
    await arm.keepState({ name });
    return arm.exportState({ name });
  };
  const early = await keep('early');
  await twin.advance(4);
  return { early, late: await keep('late'), keep };
}

describe('the loaded toolpath of a state', () => {
  it('is planned again for another twin, which goes on to the same bits', async () => {
    await withTwinClient({}, async (client) => {
      const { early, late } = await statesOfRun(client);
      expect(early.data).not.toContain('"program":');
      await withTwinClient({}, async ({ arm, twin }) => {
        await arm.importState(early);
        await arm.restoreState({ name: 'early' });
        await twin.advance(4);
        await arm.keepState({ name: 'late' });
        expect((await arm.exportState({ name: 'late' })).sha256).toBe(late.sha256);
      });
    });
  });

  it('is restored also after another was loaded', async () => {
    await withTwinClient({}, async (client) => {
      const { arm, twin } = client;
      const { late, keep } = await statesOfRun(client);
      await arm.pause();
      await arm.cancel();
      await arm.useUnsavedToolpath({ name: 'Other', toolpath: smallToolpath() });
      await arm.restoreState({ name: 'early' });
      await twin.advance(4);
      expect((await keep('late')).sha256).toBe(late.sha256);
    });
  });

  it('is refused where it is no toolpath, or another one than it says', async () => {
    await withTwinClient({}, async (client) => {
      const { arm, twin } = client;
      const { early } = await statesOfRun(client);
      const text = (toolpath: unknown) =>
        JSON.parse(encodePlainData(Uint8Array.from(deflateRawSync(JSON.stringify(toolpath)))));
      const source = ['loaded', 'source', 'toolpath_deflated'];
      const bomb = ' '.repeat(16 * limits.body_toolpath_bytes);
      const broken = { ...smallToolpath(), timeline: [{ type: 'home', waypoint_id: 9 }] };
      const cases: readonly (readonly [string[], unknown, RegExp])[] = [
        [source, text({}), /data\/loaded\/source\/toolpath_deflated.*metadata/],
        [source, text(bomb), /is not the content of a state file/],
        [source, text(broken), /data\/loaded\/source\/toolpath_deflated\/timeline\/0/],
        [source, text(smallToolpath()), /another than hash and metadata say/],
        [['loaded', 'metadata', 'payload'], 1, /another than hash and metadata say/],
        [source, '{', /data\/loaded\/source\/toolpath_deflated.*must be a object/],
        [['loaded', 'source'], undefined, /data\/loaded\/source/],
        [['robot', 'memory', 'loaded'], { program: {} }, /loaded.*must be null/],
      ];
      for (const [place, value, said] of cases) {
        const hostile = edited(early, (content) => put(content, place, value));
        await expect(arm.importState({ ...hostile, name: 'b' })).rejects.toThrow(said);
      }
      await twin.advance(0.1);
      expect((await arm.getSnapshot()).snapshot.control.state).toBe('running');
    });
  });

  it('is refused where its timing is none: the trial fails, and the twin goes on', async () => {
    await withTwinClient({}, async (client) => {
      const { arm, twin } = client;
      const { early } = await statesOfRun(client);
      for (const timing of [{}, { acceleration: -1 }]) {
        const hostile = edited(early, (content) =>
          put(content, ['loaded', 'source', 'timing'], timing),
        );
        await arm.importState({ ...hostile, name: 'b' });
        await expect(arm.restoreState({ name: 'b' })).rejects.toMatchObject({ status: 400 });
      }
      await twin.advance(0.1);
      expect((await arm.getSnapshot()).snapshot.control.state).toBe('running');
    });
  });
});
