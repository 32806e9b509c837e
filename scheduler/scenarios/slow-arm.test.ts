/**
 * Event times come from the actual motion of the arm, not from the plan.
 * @module-tag ci
 */

import { expect, it } from 'vitest';
import { type ArmClient, connect } from '../../contract/client.ts';
import type { RunEvent } from '../../contract/types.generated.ts';
import { dilateProfile } from '../../physics/motion/time-profile.ts';
import type { Program } from '../../physics/toolpath/program.ts';
import { type RunningTwin, startTwin } from '../../server/app/app.ts';
import { TWIN_DEFAULTS } from '../../server/cli/config.ts';
import { moment_s, runEventText, startedRun, twoMoves } from './assay.cases.ts';

const TOKEN = 'a token of the slow arm';

async function onTwin<Value>(use: (twin: RunningTwin, arm: ArmClient) => Promise<Value>) {
  const twin = await startTwin({ ...TWIN_DEFAULTS, token: TOKEN, webhooks: 'off' });
  try {
    return await use(twin, connect({ baseUrl: twin.url, token: TOKEN }));
  } finally {
    await twin.close();
  }
}

function slowed(program: Program, factor: number): Program {
  const steps = program.steps.map((step) => {
    if (step.kind !== 'move') return step;
    const automatic = dilateProfile(step.move.automatic, factor);
    return { ...step, move: { ...step.move, automatic } };
  });
  return { ...program, steps };
}

/** Slows every move of the arm by a factor that the plan does not know. */
function slowDown({ loop }: RunningTwin, factor: number): void {
  const apply = loop.apply.bind(loop);
  loop.apply = (command) => {
    if (command.kind !== 'load') return apply(command);
    const program = slowed(command.toolpath.program, factor);
    return apply({ ...command, toolpath: { ...command.toolpath, program } });
  };
}

function ran(factor: number): Promise<readonly RunEvent[]> {
  return onTwin(async (twin, arm) => {
    if (factor !== 1) slowDown(twin, factor);
    const run = await startedRun(arm, twoMoves());
    await twin.clock.advance(50_000);
    return (await arm.listRunEvents(run)).events;
  });
}

const isNoPlan = ({ hook_type }: RunEvent) => hook_type !== 'NewPlanHook';

it('delays every later event when the arm moves at half speed', async () => {
  const [swift, slow] = [await ran(1), await ran(2)];
  expect(slow[0]).toEqual(swift[0]);
  const [before, after] = [swift.filter(isNoPlan), slow.filter(isNoPlan)];
  expect(after.map(runEventText)).toEqual(before.map(runEventText));
  const late_s = after.map((event, i) => moment_s(event) - moment_s(before[i]!));
  expect(late_s[0]).toBe(0);
  for (const [i, value] of late_s.entries()) if (i > 0) expect(value).toBeGreaterThan(1);
  // Planned times are whole seconds, those of an arm that is late are its own.
  for (let i = 1; i < late_s.length; i++) expect(late_s[i]).toBeGreaterThan(late_s[i - 1]! - 1);
  expect(slow.length - after.length).toBeGreaterThan(1);
}, 60_000);

it(
  'waits while the arm is paused by a user, and continues when it resumes',
  () =>
    onTwin(async (twin, arm) => {
      const run = await startedRun(arm, twoMoves());
      await twin.clock.advance(500);
      await arm.pause();
      const { events } = await arm.listRunEvents(run);
      await twin.clock.advance(25_000);
      const since = (await arm.listRunEvents(run)).events.slice(events.length);
      expect(since.filter(isNoPlan)).toEqual([]);
      expect(since[0]).toMatchObject({ reason: 'the move of plate_1 is late by 2 s' });
      const shown = (await arm.getRun(run)).run;
      expect([shown.state, shown.tasks[0]!.state]).toEqual(['started', 'waiting']);
      await arm.resume();
      await twin.clock.advance(50_000);
      const { events: all } = await arm.listRunEvents(run);
      expect(all.map(runEventText).at(-1)).toBe('Run stopped (completed)');
      for (const event of all.slice(events.length).filter(isNoPlan))
        expect(moment_s(event)).toBeGreaterThan(100);
    }),
  60_000,
);
