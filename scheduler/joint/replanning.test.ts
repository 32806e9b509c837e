/** Replanning during a run: made between ticks, with little work in each tick. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Timers } from '../../server/clock/timers.ts';
import {
  type TwinAndClient,
  withTwinClient,
} from '../../server/service/simulation/twin-client.cases.ts';
import { driftingWorkflow } from '../scenarios/drifting-workflow.cases.ts';
import { JointPlan } from './joint-plan.ts';
import { WORK_PER_TICK } from './replanning.ts';

const PIECES = 16;
const LONG_S = 1200;
/** The most that one step adds to the work of a tick. */
const STEP = 5 * PIECES * 2;

afterEach(() => vi.restoreAllMocks());

async function begun({ arm }: TwinAndClient) {
  const { workflow } = await arm.createWorkflow(driftingWorkflow(PIECES));
  const { run } = await arm.startRun({ workflow_id: workflow.id }, {});
  return { run_id: run.id };
}

/** All events of the run, with times as seconds since the first. */
async function story({ arm }: TwinAndClient, run: { readonly run_id: number }) {
  const { events } = await arm.listRunEvents(run);
  const began_ms = Date.parse(events[0]!.body.timestamp);
  return events.map(({ hook_type, body: { timestamp, ...rest } }) => {
    return { hook_type, rest, at_s: (Date.parse(timestamp) - began_ms) / 1000 };
  });
}

type Story = Awaited<ReturnType<typeof story>>;

const isOver = (events: Story) =>
  events.some(({ rest }) => 'state' in rest && rest.state === 'stopped');

async function stepped(step_s: number): Promise<Story> {
  return withTwinClient({ webhooks: 'off' }, async (stage) => {
    const run = await begun(stage);
    for (let i = 0; i < LONG_S / step_s; i++) await stage.twin.advance(step_s);
    return story(stage, run);
  });
}

async function unpaced(): Promise<Story> {
  return withTwinClient({ webhooks: 'off', clock: 'max' }, async (stage) => {
    const run = await begun(stage);
    const isLive = async () => (await stage.arm.getRun(run)).run.state !== 'stopped';
    while (await isLive()) await new Promise((resolve) => setTimeout(resolve, 20));
    return story(stage, run);
  });
}

describe('a new plan of many tasks', () => {
  it('is ready at the same tick at every pace, some ticks after it is due', {
    tags: ['slow'],
  }, async () => {
    const events = await stepped(LONG_S);
    expect(isOver(events)).toBe(true);
    const plans = events.filter(({ hook_type }) => hook_type === 'NewPlanHook');
    expect(plans.length).toBeGreaterThan(20);
    // Tasks and moves take whole seconds: plans at other times had to be computed first.
    expect(plans.filter(({ at_s }) => at_s % 1 > 0).length).toBeGreaterThan(plans.length / 2);
    expect(await stepped(3.004)).toEqual(events);
    expect(await unpaced()).toEqual(events);
  });

  it('takes little of each tick, while the run continues', async () => {
    const work = new Map<number, number>();
    let made = 0;
    let abandoned = 0;
    let isTick = false;
    await withTwinClient({ webhooks: 'off' }, async (stage) => {
      const { step, startPlanning } = JointPlan.prototype;
      const { fire } = Timers.prototype;
      vi.spyOn(Timers.prototype, 'fire').mockImplementation(function observed(this: Timers, tick) {
        isTick = true;
        fire.call(this, tick);
        isTick = false;
      });
      vi.spyOn(JointPlan.prototype, 'step').mockImplementation(function counted(this: JointPlan) {
        const result = step.call(this);
        const now_s = stage.twin.now_s();
        if (isTick) work.set(now_s, (work.get(now_s) ?? 0) + result.work);
        if (!this.isPlanning) made += 1;
        return result;
      });
      vi.spyOn(JointPlan.prototype, 'startPlanning').mockImplementation(function counted(
        this: JointPlan,
        ...given: Parameters<typeof startPlanning>
      ) {
        if (this.isPlanning) abandoned += 1;
        startPlanning.apply(this, given);
      });
      const run = await begun(stage);
      await stage.twin.advance(LONG_S);
      expect(isOver(await story(stage, run))).toBe(true);
    });
    expect(made).toBeGreaterThan(20);
    expect(Math.max(...work.values())).toBeLessThan(WORK_PER_TICK + STEP);
    expect(abandoned).toBeGreaterThan(0);
  });
});
