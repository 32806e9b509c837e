/** What each situation does to a client, that its end undoes it, and when it cannot begin. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { storedSample } from '../../../../conformance/samples/sample-toolpath.ts';
import { schemaOf } from '../../../../contract/schemas.ts';
import type { Cell, SituationBody } from '../../../../contract/types.generated.ts';
import { type TwinAndClient, withTwinClient } from '../twin-client.cases.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../fixtures/cells/${name}`, import.meta.url), 'utf8'));
const CELL = read('trays.json') as Cell;
const LOCK = '/api/v1/controls/lock';

interface Case {
  readonly body: SituationBody;
  readonly effect: string;
  /** Checks what it does; the lock is held. */
  readonly prove: (client: TwinAndClient) => Promise<void>;
  /** Checks that it is over. */
  readonly proveEnd: (client: TwinAndClient) => Promise<void>;
}

const stateOf = ({ twin }: TwinAndClient) =>
  (twin.snapshot()['control'] as { readonly state: string }).state;

/** Whether a call gets an answer within a time. */
async function isAnswered({ twin, arm }: TwinAndClient, limit_ms: number): Promise<boolean> {
  const headers = { Authorization: `Bearer ${await arm.session()}` };
  const signal = AbortSignal.timeout(limit_ms);
  return fetch(twin.url + LOCK, { headers, signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

const answers = async (client: TwinAndClient) =>
  expect(await isAnswered(client, 60_000)).toBe(true);

async function failsAndRecovers(client: TwinAndClient) {
  await client.twin.advance(0.1);
  expect(stateOf(client)).toBe('error');
}

async function recovers(client: TwinAndClient) {
  await client.twin.advance(0.1);
  await client.arm.resetErrors();
  expect(await client.twin.until('ready', 10)).toBe(true);
}

const CASES: readonly Case[] = [
  {
    body: { name: 'network_slow', delay_s: 0.2 },
    effect: 'replies come late',
    async prove(client) {
      const began = performance.now();
      await answers(client);
      expect(performance.now() - began).toBeGreaterThan(195);
    },
    proveEnd: answers,
  },
  {
    body: { name: 'network_cut' },
    effect: 'calls are not answered',
    prove: async (client) => expect(await isAnswered(client, 300)).toBe(false),
    proveEnd: answers,
  },
  {
    body: { name: 'gripper_jams' },
    effect: 'objects are told that the gripper is jammed',
    async prove({ arm }) {
      const { faults } = await arm.getCellObject({ object_name: 'part 1' });
      expect(faults).toEqual([expect.stringContaining('is jammed')]);
    },
    async proveEnd({ arm }) {
      expect((await arm.getCellObject({ object_name: 'part 1' })).faults).toEqual([]);
    },
  },
  {
    body: { name: 'person_in_the_cell' },
    effect: 'the arm meets an obstacle',
    async prove({ arm }) {
      const { obstacles } = await arm.listObstacles();
      expect(obstacles.map(({ name }) => name)).toEqual(['person']);
    },
    proveEnd: async ({ arm }) => expect((await arm.listObstacles()).obstacles).toEqual([]),
  },
  {
    body: { name: 'drive_fails', joint: 4 },
    effect: 'the arm is in error',
    prove: failsAndRecovers,
    proveEnd: recovers,
  },
  {
    body: { name: 'drive_overheats' },
    effect: 'the arm is in error',
    prove: failsAndRecovers,
    proveEnd: recovers,
  },
  {
    body: { name: 'emergency_stop' },
    effect: 'the arm is disabled until the stop is released',
    async prove(client) {
      await client.twin.advance(0.5);
      expect(stateOf(client)).toBe('disabled');
      await expect(client.arm.resetErrors()).rejects.toMatchObject({ status: 400 });
    },
    async proveEnd(client) {
      expect(await client.twin.until('ready', 10)).toBe(true);
    },
  },
  {
    body: { name: 'lock_stolen' },
    effect: 'the lock is that of another, and free again afterwards',
    async prove({ arm }) {
      expect((await arm.getLock()).owner).toBe('admin');
      await expect(arm.pause()).rejects.toMatchObject({ status: 403 });
    },
    proveEnd: async ({ arm }) => expect((await arm.getLock()).owner).toBe('none'),
  },
  {
    body: { name: 'planner_slow', delay_s: 0.2 },
    effect: 'motion calls are answered late',
    async prove({ arm }) {
      const began = performance.now();
      await arm.goTo({ mode: 'automatic', joints: [0.2, 0, 0, 0, 0, 0] });
      expect(performance.now() - began).toBeGreaterThan(195);
    },
    proveEnd: async ({ arm }) => expect((await arm.listFaults()).faults).toEqual([]),
  },
  {
    body: { name: 'disk_full' },
    effect: 'nothing can be saved',
    async prove({ arm }) {
      const body = { name: 'one', toolpath: storedSample() };
      await expect(arm.createToolpath(body)).rejects.toMatchObject({ status: 503 });
    },
    async proveEnd({ arm }) {
      await arm.createToolpath({ name: 'one', toolpath: storedSample() });
    },
  },
];

const isActive = async ({ arm }: TwinAndClient, name: string) =>
  (await arm.listSituations()).situations.find((each) => each.name === name)?.active;

describe('situations', () => {
  it.each(CASES.map((one) => [one.body.name, one.effect, one] as const))(
    '%s: %s',
    async (name, _effect, { body, prove, proveEnd }) => {
      await withTwinClient({}, async (client) => {
        await client.arm.setCell(CELL);
        await client.arm.takeLock();
        const { situation } = await client.arm.beginSituation(body);
        expect(situation).toMatchObject({ name, active: true });
        await prove(client);
        await client.arm.endSituation({ situation_name: name });
        expect(await isActive(client, name)).toBe(false);
        await proveEnd(client);
      });
    },
  );

  it('have a case each', () => {
    const { enum: names } = schemaOf('SituationName');
    expect(CASES.map(({ body }) => body.name)).toEqual(names);
  });

  it('that cannot begin say what to do, in the list and when they are begun', async () => {
    await withTwinClient({}, async ({ arm }) => {
      const { situations } = await arm.listSituations();
      const why = /load a cell with one/;
      expect(situations.filter(({ possible }) => !possible)).toMatchObject([
        { name: 'gripper_jams', hindrance: expect.stringMatching(why) },
      ]);
      await expect(arm.beginSituation({ name: 'gripper_jams' })).rejects.toMatchObject({
        status: 409,
        message: expect.stringMatching(why),
      });
    });
  });

  it('refuse the fields of others, and what is not there', async () => {
    await withTwinClient({}, async ({ arm }) => {
      const refused = async (body: SituationBody, text: string) =>
        expect(arm.beginSituation(body)).rejects.toMatchObject({
          status: 400,
          message: expect.stringContaining(text),
        });
      await refused({ name: 'disk_full', joint: 1 }, 'is no field of disk_full');
      await refused({ name: 'drive_fails', delay_s: 1 }, 'it takes joint');
      await refused({ name: 'network_cut', user_id: 99 }, 'there is no user 99');
      await refused({ name: 'lock_stolen', user_id: 99 }, 'there is no user 99');
      await expect(arm.endSituation({ situation_name: 'disk_full' })).rejects.toMatchObject({
        status: 404,
        message: expect.stringContaining('disk_full is not active'),
      });
    });
  });

  it('end together, and with a reset', async () => {
    await withTwinClient({}, async (client) => {
      const { arm } = client;
      const begin = async () => {
        for (const name of ['drive_fails', 'emergency_stop', 'lock_stolen'] as const) {
          await arm.beginSituation({ name });
          await arm.beginSituation({ name });
        }
        await arm.beginSituation({ name: 'person_in_the_cell' });
      };
      const active = async () =>
        (await arm.listSituations()).situations.filter((each) => each.active).length;
      await begin();
      expect(await active()).toBe(4);
      expect((await arm.listFaults()).faults.length).toBe(1);
      await arm.endSituations();
      expect(await active()).toBe(0);
      await begin();
      await arm.resetTwin();
      expect(await active()).toBe(0);
      expect((await arm.listObstacles()).obstacles).toEqual([]);
      expect((await arm.getLock()).owner).toBe('none');
    });
  });
});
