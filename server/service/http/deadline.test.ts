/**
 * Calls refused as too late have no effect.
 * @module-tag ci
 */
import { expect, it, vi } from 'vitest';
import { ArmError } from '../../../contract/client.ts';
import { washAndRead } from '../../../scheduler/definition/workflow.cases.ts';
import { withTwinClient } from '../simulation/twin-client.cases.ts';
import { smallToolpath } from './api-fixture.cases.ts';

/** Whether every call times out as soon as its work has started. */
const timeout = vi.hoisted(() => ({ isOver: false }));

vi.mock(import('./deadline.ts'), async (importOriginal) => ({
  ...(await importOriginal()),
  withTimeout(work, { deadline }) {
    deadline.passed = timeout.isOver;
    return work;
  },
}));

async function expectTimeout(call: () => Promise<unknown>): Promise<void> {
  timeout.isOver = true;
  const error = await call().catch((refusal: unknown) => refusal);
  timeout.isOver = false;
  expect(error).toBeInstanceOf(ArmError);
  expect((error as ArmError).status).toBe(503);
}

const MOVE = { mode: 'automatic', joints: [0.3, 0, 0, 0, 0, 0], time: 4 } as const;

it('go_to does not move the arm', () =>
  withTwinClient({}, async ({ twin, arm }) => {
    await arm.takeLock();
    await expectTimeout(() => arm.goTo({ ...MOVE, joints: [...MOVE.joints] }));
    expect(await twin.until('running', 1)).toBe(false);
  }));

it('use loads no toolpath', () =>
  withTwinClient({}, async ({ arm }) => {
    await arm.takeLock();
    const before = (await arm.getSnapshot()).snapshot.control;
    await expectTimeout(() => arm.useUnsavedToolpath({ toolpath: smallToolpath() }));
    expect((await arm.getSnapshot()).snapshot.control).toEqual(before);
  }));

it('resume leaves the arm paused', () =>
  withTwinClient({}, async ({ twin, arm }) => {
    await arm.takeLock();
    await arm.goTo({ ...MOVE, joints: [...MOVE.joints] });
    await twin.advance(2);
    await arm.pause();
    expect(await twin.until('paused', 1)).toBe(true);
    await expectTimeout(() => arm.resume());
    expect(await twin.until('running', 1)).toBe(false);
  }));

it('a workflow is not started', () =>
  withTwinClient({ webhooks: 'off' }, async ({ arm }) => {
    const { workflow } = await arm.createWorkflow(washAndRead());
    await expectTimeout(() => arm.startRun({ workflow_id: workflow.id }, {}));
    expect((await arm.listRuns()).runs).toEqual([]);
  }));

it('advance stops the clock where it is when its client has left', () =>
  withTwinClient({}, async ({ twin, arm }) => {
    await arm.takeLock();
    await arm.useUnsavedToolpath({ toolpath: smallToolpath() });
    await arm.run({ mode: 'automatic', loop: 0 });
    const { token } = await arm.createSession({ token: twin.token });
    const leaving = new AbortController();
    const call = fetch(`${twin.url}/sim/v1/clock/advance`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: '{"seconds": 3600}',
      signal: leaving.signal,
    });
    const left = call.catch(() => null);
    while ((await arm.getClock()).tick === 0);
    leaving.abort();
    await left;
    const { tick } = await arm.stepClock({ ticks: 1 });
    expect(tick).toBeLessThan(900_000);
    expect((await arm.getStatus()).state).toBe('running');
  }));
