/** Each fault and its documented effect, over the wire; what cannot be produced is refused. */
import { describe, expect, it } from 'vitest';
import { sampleToolpath, storedSample } from '../../contract/rules/samples.ts';
import type { AddFaultBody, RobotEvent } from '../../contract/types.ts';
import { createChance } from './chance.ts';
import { onStage, type Stage } from './sim.cases.ts';

const TURNED = { mode: 'automatic', joints: [0.2, 0, 0, 0, 0, 0] } as const;
const goTo = ({ arm }: Stage) => arm.goTo({ mode: TURNED.mode, joints: [...TURNED.joints] });

interface Case {
  readonly fault: AddFaultBody;
  readonly effect: string;
  /** Proves the effect; the lock is held. */
  readonly prove: (stage: Stage) => Promise<void>;
  /** How often it has acted by then. */
  readonly acted: number;
}

const stateOf = ({ twin }: Stage) =>
  (twin.snapshot()['control'] as { readonly state: string }).state;

async function eventsOf({ arm }: Stage): Promise<RobotEvent[]> {
  const seen: RobotEvent[] = [];
  const stream = arm.events({ onEvent: (event) => seen.push(event) });
  await stream.opened;
  return seen;
}

const CASES: readonly Case[] = [
  {
    fault: { kind: 'driver', joint: 2, fault: 'encoder' },
    effect: 'the robot enters error and stays there while the cause lasts',
    acted: 1,
    async prove(stage) {
      await stage.twin.advance(0.01);
      expect(stateOf(stage)).toBe('error');
      await expect(stage.arm.resetErrors()).rejects.toMatchObject({ status: 400 });
    },
  },
  {
    fault: { kind: 'collision', joint: 3 },
    effect: 'the robot enters collision where detection is enabled',
    acted: 0,
    async prove(stage) {
      await stage.arm.setCollisionDetection({ enabled: true, sensitivity: 'low' });
      await stage.twin.advance(0.01);
      expect(stateOf(stage)).toBe('collision');
      await stage.arm.acknowledgeCollision();
      await stage.twin.advance(0.01);
      expect(stateOf(stage)).toBe('ready');
    },
  },
  {
    fault: { kind: 'sensor_noise', position_rad: 0.01, temperature_c: 5, seed: 3 },
    effect: 'reported angles scatter around the true ones',
    acted: 1,
    async prove({ twin }) {
      const seen = new Set<number>();
      for (let i = 0; i < 20; i++) {
        await twin.advance(0.02);
        const [first] = twin.snapshot()['servos.telemetry.position'] as number[];
        expect(Math.abs(first!)).toBeLessThanOrEqual(0.0101);
        seen.add(first!);
      }
      expect(seen.size).toBeGreaterThan(10);
    },
  },
  {
    fault: { kind: 'stuck_input', input: 'd0' },
    effect: 'the input stays as it is',
    acted: 1,
    async prove({ arm }) {
      const { inputs } = await arm.setInputs({ values: { d0: true, d1: true } });
      expect([inputs.d0, inputs.d1]).toEqual([false, true]);
    },
  },
  {
    fault: { kind: 'update_failure', times: 1 },
    effect: 'the update ends without the new version',
    acted: 0,
    async prove(stage) {
      const { twin, arm } = stage;
      const before = await arm.getVersions();
      const { updates } = await arm.checkUpdates();
      await arm.applyUpdate({ version: updates[0]!.version });
      await twin.advance(31);
      expect(stateOf(stage)).toBe('ready');
      expect(await arm.getVersions()).toEqual(before);
    },
  },
  {
    fault: { kind: 'slow_planner', delay_s: 0.2 },
    effect: 'plans take longer',
    acted: 1,
    async prove(stage) {
      const began = performance.now();
      await goTo(stage);
      expect(performance.now() - began).toBeGreaterThan(195);
    },
  },
  {
    fault: { kind: 'failing_planner', times: 2 },
    effect: 'plans fail, as often as said',
    acted: 0,
    async prove(stage) {
      const { arm } = stage;
      await expect(goTo(stage)).rejects.toMatchObject({ status: 400 });
      await expect(arm.useUnsavedToolpath({ toolpath: storedSample() })).rejects.toMatchObject({
        status: 400,
      });
      await goTo(stage);
    },
  },
  {
    fault: { kind: 'reply', path: '/api/v1/controls/go_to', effect: 'drop', times: 1 },
    effect: 'the call is done, its reply is lost',
    acted: 0,
    async prove(stage) {
      await expect(goTo(stage)).rejects.toThrow('fetch failed');
      expect(stateOf(stage)).toBe('running');
    },
  },
  {
    fault: { kind: 'reply', path: '/api/v1/data/*', effect: 'delay', delay_s: 0.2 },
    effect: 'replies of the path come late, others do not',
    acted: 1,
    async prove({ arm }) {
      const began = performance.now();
      await arm.getSnapshot();
      expect(performance.now() - began).toBeGreaterThan(195);
    },
  },
  {
    fault: { kind: 'stream', message: 'lock_status', effect: 'drop' },
    effect: 'messages of the kind never come, others do',
    acted: 2,
    async prove(stage) {
      const seen = await eventsOf(stage);
      await stage.arm.releaseLock();
      await stage.arm.takeLock();
      await stage.arm.setInputs({ values: { d0: true } });
      await expect.poll(() => seen.map(({ type }) => type)).toEqual(['state_change']);
    },
  },
  {
    fault: { kind: 'stream', effect: 'delay', delay_s: 0.2, times: 1 },
    effect: 'a message comes late',
    acted: 0,
    async prove(stage) {
      const seen = await eventsOf(stage);
      const began = performance.now();
      await stage.arm.releaseLock();
      await expect.poll(() => seen.length).toBe(1);
      expect(performance.now() - began).toBeGreaterThan(150);
    },
  },
  {
    fault: { kind: 'disk_full' },
    effect: 'nothing is saved, what was saved stays, and the arm goes on',
    acted: 1,
    async prove(stage) {
      const { arm, twin } = stage;
      await goTo(stage);
      const body = { name: 'one', toolpath: storedSample() };
      await expect(arm.createToolpath(body)).rejects.toMatchObject({ status: 503 });
      expect((await arm.listToolpaths()).toolpaths).toEqual([]);
      await twin.advance(0.1);
      expect(stateOf(stage)).toBe('running');
    },
  },
];

describe('faults', () => {
  it.each(CASES.map((one) => [JSON.stringify(one.fault), one.effect, one] as const))(
    '%s: %s',
    async (_name, _effect, { fault, prove, acted }) => {
      await onStage({}, async (stage) => {
        await stage.arm.takeLock();
        await stage.arm.addFault(fault);
        await prove(stage);
        const { faults } = await stage.arm.listFaults();
        expect(faults.map((entry) => entry.acted)).toEqual(acted === 0 ? [] : [acted]);
        await stage.arm.clearFaults();
        expect((await stage.arm.listFaults()).faults).toEqual([]);
      });
    },
  );

  it('that are incomplete are refused', async () => {
    await onStage({}, async ({ arm }) => {
      const late: AddFaultBody = { kind: 'stream', effect: 'delay' };
      await expect(arm.addFault(late)).rejects.toMatchObject({ status: 400 });
      expect((await arm.listFaults()).faults).toEqual([]);
    });
  });

  it('leave nothing behind once cleared: a run is as it was', async () => {
    await onStage({}, async ({ twin, arm }) => {
      const poses = [storedSample().waypoints[0]!.joints, storedSample().waypoints[1]!.joints];
      for (const { fault } of CASES) await arm.addFault(fault);
      await arm.clearFaults();
      await arm.resetTwin({ scopes: ['state'] });
      await arm.takeLock();
      await arm.useUnsavedToolpath({ toolpath: sampleToolpath(poses) });
      await arm.run({ mode: 'automatic', loop: 1 });
      expect(await twin.until('ready', 60)).toBe(true);
    });
  });
});

describe('chance', () => {
  it('gives the same course for a seed, and about the wanted share', () => {
    const course = (seed: number) => {
      const chance = createChance(0.3, seed);
      return Array.from({ length: 1000 }, () => chance());
    };
    expect(course(5)).toEqual(course(5));
    expect(course(5)).not.toEqual(course(6));
    const share = course(5).filter(Boolean).length / 1000;
    expect(Math.abs(share - 0.3)).toBeLessThan(0.05);
  });
});
