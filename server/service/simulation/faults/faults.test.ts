/** The documented effect of each fault over HTTP, and refusals of incomplete faults. */

import { describe, expect, it } from 'vitest';
import { sampleToolpath, storedSample } from '../../../../conformance/samples/sample-toolpath.ts';
import { schemaOf, tagValues } from '../../../../contract/schemas.ts';
import type { AddFaultBody, RobotEvent } from '../../../../contract/types.generated.ts';
import { type TwinAndClient, withTwinClient } from '../twin-client.cases.ts';
import { createDraw } from './draw.ts';
import { createFaultTable } from './fault-kinds.ts';
import type { FaultPorts } from './fault-ports.ts';

const TURNED = { mode: 'automatic', joints: [0.2, 0, 0, 0, 0, 0] } as const;
const goTo = ({ arm }: TwinAndClient) =>
  arm.goTo({ mode: TURNED.mode, joints: [...TURNED.joints] });

interface Case {
  readonly fault: AddFaultBody;
  readonly effect: string;
  /** Checks the effect; the lock is held. */
  readonly prove: (client: TwinAndClient) => Promise<void>;
  /** Expected number of effects. */
  readonly acted: number;
}

const stateOf = ({ twin }: TwinAndClient) =>
  (twin.snapshot()['control'] as { readonly state: string }).state;

async function eventsOf({ arm }: TwinAndClient): Promise<RobotEvent[]> {
  const seen: RobotEvent[] = [];
  const stream = arm.events({ onEvent: (event) => seen.push(event) });
  await stream.opened;
  return seen;
}

const CASES: readonly Case[] = [
  {
    fault: { kind: 'driver', joint: 2, fault: 'encoder' },
    effect: 'the robot enters error and stays there while the cause persists',
    acted: 1,
    async prove(client) {
      await client.twin.advance(0.01);
      expect(stateOf(client)).toBe('error');
      await expect(client.arm.resetErrors()).rejects.toMatchObject({ status: 400 });
    },
  },
  {
    fault: { kind: 'collision', joint: 3, with_detection: true },
    effect: 'the robot enters collision, and detection is on',
    acted: 0,
    async prove(client) {
      await client.twin.advance(0.01);
      expect(stateOf(client)).toBe('collision');
      await client.arm.acknowledgeCollision();
      await client.twin.advance(0.01);
      expect(stateOf(client)).toBe('ready');
    },
  },
  {
    fault: { kind: 'sensor_noise', position_rad: 0.01, temperature_c: 5, seed: 3 },
    effect: 'reported positions are noisy',
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
    effect: 'the input keeps its value',
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
    async prove(client) {
      const { twin, arm } = client;
      const before = await arm.getVersions();
      const { updates } = await arm.checkUpdates();
      await arm.applyUpdate({ version: updates[0]!.version });
      await twin.advance(31);
      expect(stateOf(client)).toBe('ready');
      expect(await arm.getVersions()).toEqual(before);
    },
  },
  {
    fault: { kind: 'slow_planner', delay_s: 0.2 },
    effect: 'plans take longer',
    acted: 1,
    async prove(client) {
      const began = performance.now();
      await goTo(client);
      expect(performance.now() - began).toBeGreaterThan(195);
    },
  },
  {
    fault: { kind: 'failing_planner', times: 2 },
    effect: 'plans fail, the given number of times',
    acted: 0,
    async prove(client) {
      const { arm } = client;
      await expect(goTo(client)).rejects.toMatchObject({ status: 400 });
      await expect(arm.useUnsavedToolpath({ toolpath: storedSample() })).rejects.toMatchObject({
        status: 400,
      });
      await goTo(client);
    },
  },
  {
    fault: { kind: 'reply', path: '/api/v1/controls/go_to', effect: 'drop', times: 1 },
    effect: 'the call is executed, its reply is dropped',
    acted: 0,
    async prove(client) {
      await expect(goTo(client)).rejects.toThrow('does not answer');
      expect(stateOf(client)).toBe('running');
    },
  },
  {
    fault: { kind: 'reply', path: '/api/v1/data/*', effect: 'delay', delay_s: 0.2 },
    effect: 'replies of the path are delayed, others are not',
    acted: 1,
    async prove({ arm }) {
      const began = performance.now();
      await arm.getSnapshot();
      expect(performance.now() - began).toBeGreaterThan(195);
    },
  },
  {
    fault: { kind: 'stream', message: 'lock_status', effect: 'drop' },
    effect: 'messages of the type are dropped, others are not',
    acted: 2,
    async prove(client) {
      const seen = await eventsOf(client);
      await client.arm.releaseLock();
      await client.arm.takeLock();
      await client.arm.setInputs({ values: { d0: true } });
      await expect.poll(() => seen.map(({ type }) => type)).toEqual(['state_change']);
    },
  },
  {
    fault: { kind: 'stream', effect: 'delay', delay_s: 0.2, times: 1 },
    effect: 'a message is delayed',
    acted: 0,
    async prove(client) {
      const seen = await eventsOf(client);
      const began = performance.now();
      await client.arm.releaseLock();
      await expect.poll(() => seen.length).toBe(1);
      expect(performance.now() - began).toBeGreaterThan(150);
    },
  },
  {
    fault: { kind: 'connection', effect: 'slow', delay_s: 0.2 },
    effect: 'replies come late, those of /sim/v1 do not',
    acted: 1,
    async prove({ arm }) {
      await arm.getClock();
      const began = performance.now();
      await arm.getSnapshot();
      expect(performance.now() - began).toBeGreaterThan(195);
    },
  },
  {
    fault: { kind: 'disk_full' },
    effect: 'saving fails, saved data remains, and the arm keeps running',
    acted: 1,
    async prove(client) {
      const { arm, twin } = client;
      await goTo(client);
      const body = { name: 'one', toolpath: storedSample() };
      await expect(arm.createToolpath(body)).rejects.toMatchObject({ status: 503 });
      expect((await arm.listToolpaths()).toolpaths).toEqual([]);
      await twin.advance(0.1);
      expect(stateOf(client)).toBe('running');
    },
  },
];

describe('faults', () => {
  it.each(CASES.map((one) => [JSON.stringify(one.fault), one.effect, one] as const))(
    '%s: %s',
    async (_name, _effect, { fault, prove, acted }) => {
      await withTwinClient({}, async (client) => {
        await client.arm.takeLock();
        await client.arm.addFault(fault);
        await prove(client);
        const { faults } = await client.arm.listFaults();
        expect(faults.map((entry) => entry.acted)).toEqual(acted === 0 ? [] : [acted]);
        await client.arm.clearFaults();
        expect((await client.arm.listFaults()).faults).toEqual([]);
      });
    },
  );

  // The rules try those of a cell (conformance/rules/sim-cell-rules.ts).
  it('have a case for each kind, besides those of a cell', () => {
    const rows = Object.entries(createFaultTable({} as FaultPorts));
    const ofCell = rows.flatMap(([kind, row]) => ('isOfCell' in row ? [kind] : []));
    const tried = new Set<unknown>([...CASES.map(({ fault }) => fault.kind), ...ofCell]);
    const missing = tagValues(schemaOf('AddFaultBody')).filter((kind) => !tried.has(kind));
    expect(missing, 'add a case with the effect of the kind to CASES').toEqual([]);
  });

  it('that are incomplete are refused', async () => {
    await withTwinClient({}, async ({ arm }) => {
      const late: AddFaultBody = { kind: 'stream', effect: 'delay' };
      await expect(arm.addFault(late)).rejects.toMatchObject({ status: 400 });
      expect((await arm.listFaults()).faults).toEqual([]);
    });
  });

  it('have no effect after they are cleared', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
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

describe('createDraw', () => {
  it('is reproducible by the seed and draws about the given share', () => {
    const course = (seed: number) => {
      const draw = createDraw(0.3, seed);
      return Array.from({ length: 1000 }, () => draw());
    };
    expect(course(5)).toEqual(course(5));
    expect(course(5)).not.toEqual(course(6));
    const share = course(5).filter(Boolean).length / 1000;
    expect(Math.abs(share - 0.3)).toBeLessThan(0.05);
  });
});
