/** What has been refused as too late is not done after all, whichever call it was. */
import { expect, it, vi } from 'vitest';
import { ArmError } from '../../contract/client.ts';
import { onStage } from '../sim/sim.cases.ts';
import { washAndRead } from '../workflow/workcell.cases.ts';
import { smallToolpath } from './household.cases.ts';

/** Whether the time of every call is up as soon as its work is under way. */
const times = vi.hoisted(() => ({ areUp: false }));

vi.mock(import('./deadline.ts'), () => ({
  withTimeout(work, { deadline }) {
    deadline.passed = times.areUp;
    return work;
  },
}));

async function tooLate(call: () => Promise<unknown>): Promise<void> {
  times.areUp = true;
  const error = await call().catch((refusal: unknown) => refusal);
  times.areUp = false;
  expect(error).toBeInstanceOf(ArmError);
  expect((error as ArmError).status).toBe(503);
}

const MOVE = { mode: 'automatic', joints: [0.3, 0, 0, 0, 0, 0], time: 4 } as const;

it('go_to does not move the arm', () =>
  onStage({}, async ({ twin, arm }) => {
    await arm.takeLock();
    await tooLate(() => arm.goTo({ ...MOVE, joints: [...MOVE.joints] }));
    expect(await twin.until('running', 1)).toBe(false);
  }));

it('use loads nothing', () =>
  onStage({}, async ({ arm }) => {
    await arm.takeLock();
    const before = (await arm.getSnapshot()).snapshot.control;
    await tooLate(() => arm.useUnsavedToolpath({ toolpath: smallToolpath() }));
    expect((await arm.getSnapshot()).snapshot.control).toEqual(before);
  }));

it('resume leaves the arm where it halted', () =>
  onStage({}, async ({ twin, arm }) => {
    await arm.takeLock();
    await arm.goTo({ ...MOVE, joints: [...MOVE.joints] });
    await twin.advance(2);
    await arm.pause();
    expect(await twin.until('paused', 1)).toBe(true);
    await tooLate(() => arm.resume());
    expect(await twin.until('running', 1)).toBe(false);
  }));

it('a workflow is not started', () =>
  onStage({ webhooks: 'off' }, async ({ arm }) => {
    const { workflow } = await arm.createWorkflow(washAndRead());
    await tooLate(() => arm.startRun({ workflow_id: workflow.id }, {}));
    expect((await arm.listRuns()).runs).toEqual([]);
  }));
