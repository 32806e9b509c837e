/** New plans in the midst of a run: made over many ticks, each of which does little for it. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { onStage, type Stage } from '../sim/sim.cases.ts';
import { driftingWorkflow } from './drifting.cases.ts';
import { RunPlan } from './run-plan.ts';

const PIECES = 16;
const LONG_S = 1200;
/** What a tick may look at, and the most that one step adds to it. */
const WORK_PER_TICK = 96;
const STEP = 5 * PIECES * 2;

afterEach(() => vi.restoreAllMocks());

async function begun({ arm }: Stage) {
  const { workflow } = await arm.createWorkflow(driftingWorkflow(PIECES));
  const { run } = await arm.startRun({ workflow_id: workflow.id }, {});
  return { run_id: run.id };
}

/** Everything that the run tells, with its time as seconds since the first. */
async function story({ arm }: Stage, run: { readonly run_id: number }) {
  const { events } = await arm.listRunEvents(run);
  const began_ms = Date.parse(events[0]!.body.timestamp);
  return events.map(({ hook_type, body: { timestamp, ...rest } }) => {
    return { hook_type, rest, at_s: (Date.parse(timestamp) - began_ms) / 1000 };
  });
}

type Story = Awaited<ReturnType<typeof story>>;

const isOver = (told: Story) =>
  told.some(({ rest }) => 'state' in rest && rest.state === 'stopped');

async function stepped(step_s: number): Promise<Story> {
  return onStage({ webhooks: 'off' }, async (stage) => {
    const run = await begun(stage);
    for (let i = 0; i < LONG_S / step_s; i++) await stage.twin.advance(step_s);
    return story(stage, run);
  });
}

async function unpaced(): Promise<Story> {
  return onStage({ webhooks: 'off', clock: 'max' }, async (stage) => {
    const run = await begun(stage);
    const isLive = async () => (await stage.arm.getRun(run)).run.state !== 'stopped';
    while (await isLive()) await new Promise((resolve) => setTimeout(resolve, 20));
    return story(stage, run);
  });
}

describe('a new plan of many tasks', () => {
  it('comes at the same tick at every pace, some ticks after it is due', async () => {
    const told = await stepped(LONG_S);
    expect(isOver(told)).toBe(true);
    const plans = told.filter(({ hook_type }) => hook_type === 'NewPlanHook');
    expect(plans.length).toBeGreaterThan(20);
    // Tasks and moves take whole seconds: what is not at one waited for a plan in the making.
    expect(plans.filter(({ at_s }) => at_s % 1 > 0).length).toBeGreaterThan(plans.length / 2);
    expect(await stepped(3.004)).toEqual(told);
    expect(await unpaced()).toEqual(told);
  });

  it('takes little of each tick, and the run goes on meanwhile', async () => {
    const work = new Map<number, number>();
    let made = 0;
    let abandoned = 0;
    await onStage({ webhooks: 'off' }, async (stage) => {
      const { make, begin } = RunPlan.prototype;
      vi.spyOn(RunPlan.prototype, 'make').mockImplementation(function counted(this: RunPlan) {
        const step = make.call(this);
        const now_s = stage.twin.now_s();
        work.set(now_s, (work.get(now_s) ?? 0) + step.work);
        if (!this.isMaking) made += 1;
        return step;
      });
      vi.spyOn(RunPlan.prototype, 'begin').mockImplementation(function counted(
        this: RunPlan,
        now_s: number,
      ) {
        if (this.isMaking) abandoned += 1;
        begin.call(this, now_s);
      });
      const run = await begun(stage);
      await stage.twin.advance(LONG_S);
      expect(isOver(await story(stage, run))).toBe(true);
    });
    expect(made).toBeGreaterThan(20);
    expect(work.size).toBeGreaterThan(2 * made);
    expect(Math.max(...work.values())).toBeLessThan(WORK_PER_TICK + STEP);
    expect(abandoned).toBeGreaterThan(0);
  });
});
