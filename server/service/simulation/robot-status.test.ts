/**
 * Progress and cause in /sim/v1/status: paused, waiting, at any pace, after a restore.
 * @module-tag ci
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { SimActivity, SimEvent, Toolpath } from '../../../contract/types.generated.ts';
import { openSimulationStream, type TwinAndClient, withTwinClient } from './twin-client.cases.ts';

const SORTER = JSON.parse(
  readFileSync(new URL('../../../fixtures/toolpaths/sorter.json', import.meta.url), 'utf8'),
) as Toolpath;
/** A tick, the resolution of the times (s). */
const TICK_S = 0.004;

/** A toolpath that moves, waits for base input 0, waits 2 s, and moves back. */
function waitingToolpath(): Toolpath {
  const io = { location: 'base', type: 'digital', index: 0 } as const;
  const to = (waypoint_id: number) =>
    ({ type: 'trajectory', trajectory: 'joint_space', waypoint_id }) as const;
  return {
    metadata: {
      ...{ version: 2, default_max_speed: 0.25, payload: 0, next_label_id: 3 },
      analog_modes: SORTER.metadata.analog_modes,
    },
    waypoints: [
      { label_id: 1, joints: [0, 0, 0, 0, 0, 0] },
      { label_id: 2, joints: [0.6, 0, 0, 0, 0, 0] },
    ],
    timeline: [
      { type: 'home', waypoint_id: 0 },
      to(1),
      { type: 'wait', condition: { type: 'input', io, value: true } },
      { type: 'wait', condition: { type: 'time', duration: 2 } },
      to(0),
    ],
  };
}

async function startWaiting({ arm }: TwinAndClient, loop = 1): Promise<void> {
  await arm.takeLock();
  await arm.useUnsavedToolpath({ name: 'Waits', toolpath: waitingToolpath() });
  await arm.setInputs({ values: { d0: false } });
  await arm.run({ mode: 'automatic', loop });
}

async function activityOf({ arm }: TwinAndClient): Promise<SimActivity> {
  const { activity } = await arm.getStatus();
  if (!activity) throw new Error('nothing runs');
  return activity;
}

it('does not count pauses, and says what is waited for since when', async () => {
  await withTwinClient({}, async (client) => {
    const { arm, twin } = client;
    await startWaiting(client);
    await twin.advance(0.5);
    const moving = await activityOf(client);
    expect(moving.loop_time_s).toBeCloseTo(0.5, 2);
    expect(moving.step).toMatchObject({ at: '/timeline/1' });
    const total_s = moving.loop_time_s + moving.loop_remaining_s;
    await arm.pause();
    const paused = await activityOf(client);
    expect(paused.loop_time_s).toBeLessThan(1);
    await twin.advance(30);
    expect(await activityOf(client)).toEqual(paused);
    expect((await arm.getStatus()).state_since_s).toBeLessThan(2);
    await arm.resume();
    await twin.advance(20);
    const waiting = await activityOf(client);
    expect(waiting.waiting).toMatchObject({ condition: { type: 'input', value: true } });
    expect(waiting.step).toMatchObject({ at: '/timeline/2', cell: [] });
    const { now_s } = await arm.getStatus();
    expect(waiting.loop_waited_s).toBeCloseTo(now_s - waiting.waiting!.since_s, 2);
    // The time for braking and starting again is all that the pause has cost.
    const moved_s = waiting.loop_time_s - waiting.loop_waited_s;
    expect(moved_s + waiting.loop_remaining_s).toBeGreaterThan(total_s - 2 * TICK_S);
    expect(moved_s + waiting.loop_remaining_s).toBeLessThan(total_s + 1.5);
    await twin.advance(10);
    expect((await activityOf(client)).loop_remaining_s).toBe(waiting.loop_remaining_s);
    await arm.setInputs({ values: { d0: true } });
    await twin.advance(1);
    const timed = await activityOf(client);
    expect(timed.waiting?.condition).toEqual({ type: 'time', duration: 2 });
    expect(waiting.loop_remaining_s - timed.loop_remaining_s).toBeCloseTo(1, 2);
    await twin.advance(timed.loop_remaining_s - 0.1);
    expect((await arm.getStatus()).state).toBe('running');
    await twin.advance(0.2);
    expect(await arm.getStatus()).toMatchObject({ state: 'ready', activity: null });
  });
});

it('keeps what is left of a wait for time while the run is paused', async () => {
  await withTwinClient({}, async (client) => {
    const { arm, twin } = client;
    await startWaiting(client);
    await arm.setInputs({ values: { d0: true } });
    while ((await activityOf(client)).waiting?.condition.type !== 'time') await twin.advance(0.1);
    await twin.advance(0.5);
    await arm.pause();
    const paused = await activityOf(client);
    await twin.advance(1);
    expect(await activityOf(client)).toEqual(paused);
    await arm.resume();
    expect((await activityOf(client)).loop_remaining_s).toBeCloseTo(paused.loop_remaining_s, 1);
    expect(await twin.until('ready', paused.loop_remaining_s + 0.1)).toBe(true);
  });
});

it('predicts the end of each loop of the sorter from any moment in it', {
  tags: ['slow'],
}, async () => {
  await withTwinClient({}, async (client) => {
    const { arm, twin } = client;
    await arm.takeLock();
    await arm.useUnsavedToolpath({ name: 'Sorter', toolpath: SORTER });
    // All parts are red, so that each moment has the same end of the loop in view.
    await arm.setInputs({ values: { d0: true, ee_a0: 8 } });
    await arm.run({ mode: 'automatic', loop: 2 });
    const ends = [];
    let loops = 0;
    const { seen, close } = await openSimulationStream(client);
    while ((await arm.getStatus()).activity) {
      const { loop_time_s, loop_remaining_s, step } = await activityOf(client);
      const { snapshot } = await arm.getSnapshot();
      loops = Math.max(loops, snapshot.control.loop_count);
      if (snapshot.control.loop_count === 0) ends.push(loop_time_s + loop_remaining_s);
      if (step) expect(step.index).toBeLessThan(step.count);
      await twin.advance(1.7);
    }
    expect(loops).toBe(1);
    expect(ends.length).toBeGreaterThan(10);
    // Each of the few standstills between steps takes up to two ticks.
    expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(0.5);
    const statuses = seen.filter(
      (event): event is Extract<SimEvent, { type: 'status' }> => event.type === 'status',
    );
    const ticks = statuses.map(({ status }) => status.tick);
    expect(ticks).toEqual([...ticks].sort((a, b) => a - b));
    const gaps = ticks.slice(1).map((tick, i) => tick - ticks[i]!);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(25);
    close();
  });
});

it('says that it goes to the start, and which action it executes', async () => {
  await withTwinClient({}, async (client) => {
    const { arm, twin } = client;
    const toolpath = waitingToolpath();
    // It ends at its second waypoint, so that the next loop begins with a return.
    toolpath.timeline.splice(2, 3, { type: 'wait', condition: { type: 'time', duration: 0.2 } });
    await arm.takeLock();
    await arm.useUnsavedToolpath({ name: 'Returns', toolpath });
    await arm.run({ mode: 'automatic', loop: 2 });
    const seen: { loop: number; at: string | null; to_start: boolean; total_s: number }[] = [];
    while ((await arm.getStatus()).activity) {
      const { step, to_start, loop_time_s, loop_remaining_s } = await activityOf(client);
      expect(step === null).toBe(to_start);
      const loop = (await arm.getSnapshot()).snapshot.control.loop_count;
      seen.push({ loop, at: step?.at ?? null, to_start, total_s: loop_time_s + loop_remaining_s });
      if (step?.at === '/timeline/1') expect(step.index).toBe(0);
      if (step?.at === '/timeline/2') expect(step.index).toBe(1);
      await twin.advance(0.1);
    }
    const phases = seen.map(({ loop, at }) => `${loop} ${at}`);
    expect([...new Set(phases)]).toEqual([
      ...['0 /timeline/1', '0 /timeline/2'],
      ...['1 null', '1 /timeline/1', '1 /timeline/2'],
    ]);
    const [first, second] = [0, 1].map((loop) => seen.findLast((each) => each.loop === loop));
    // The return takes as long as the motion there; a missing tick would be 0.004 s.
    const move_s = first!.total_s - 0.2;
    expect(Math.abs(second!.total_s - first!.total_s - move_s)).toBeLessThan(0.003);
  });
});

it('knows the time in the loop after a restore', async () => {
  await withTwinClient({}, async (client) => {
    const { arm, twin } = client;
    await startWaiting(client);
    await twin.advance(0.5);
    await arm.keepState({ name: 'moving' });
    const before = await activityOf(client);
    await twin.advance(20);
    await arm.restoreState({ name: 'moving' });
    const after = await activityOf(client);
    expect(after.loop_time_s).toBeCloseTo(before.loop_time_s, 1);
    expect({ ...after, loop_time_s: 0 }).toEqual({ ...before, loop_time_s: 0 });
  });
});

it('names the fault of a joint and the source of an emergency stop', async () => {
  await withTwinClient({}, async (client) => {
    const { arm, twin } = client;
    await arm.addFault({ kind: 'driver', fault: 'overheated', joint: 3 });
    await twin.advance(0.1);
    expect(await arm.getStatus()).toMatchObject({
      ...{ state: 'error', fault: { kind: 'overheated', joint: 3 }, emergency_stop: null },
      error: expect.stringContaining('J4'),
    });
    await arm.clearFaults();
    await arm.takeLock();
    await arm.resetErrors();
    await arm.addFault({ kind: 'collision', joint: 2, with_detection: true });
    await arm.setCollisionDetection({ enabled: false });
    await twin.advance(0.1);
    expect(await arm.getStatus()).toMatchObject({
      ...{ state: 'ready', contact: null, ignored_contact_joint: 2 },
    });
    await arm.setCollisionDetection({ enabled: true, sensitivity: 'medium' });
    await twin.advance(0.1);
    expect(await arm.getStatus()).toMatchObject({
      ...{ state: 'collision', ignored_contact_joint: null },
      contact: { joint: 2, lags: false },
    });
    await arm.acknowledgeCollision();
    await twin.advance(0.1);
    expect(await arm.getStatus()).toMatchObject({ state: 'ready', contact: null });
    await arm.setEmergencyStop({ engaged: true });
    await twin.advance(0.1);
    expect(await arm.getStatus()).toMatchObject({ state: 'disabled', emergency_stop: 'simulated' });
  });
});
