/** Commands that wait for the arm or for a plan, while clock or motion change under them. */
import { expect, it } from 'vitest';
import { connect } from '../../../../contract/client.ts';
import { routeOf } from '../../../../contract/routes.ts';
import { planJointMove } from '../../../../physics/motion/joint-move.ts';
import { planResume } from '../../../../physics/motion/resume.ts';
import { startTwin } from '../../../app/app.ts';
import { TWIN_DEFAULTS } from '../../../cli/config.ts';
import type { Command } from '../../../robot/commands.ts';
import { ADA, AWAY, HOME, RobotHarness } from '../../../robot/robot-harness.cases.ts';
import type { PausedMotion } from '../../../robot/trajectory-player.ts';
import type { Handler } from '../handler.ts';
import type { Services } from '../services.ts';
import { controlHandlers } from './controls.ts';

const token = 'a-token-for-this-test-alone-0123456789abc';

it.each([
  ['paused', { paused: true }],
  ['stepped', { pace: 'stepped' }],
] as const)('a pause is answered when the clock is %s meanwhile', async (_name, change) => {
  // So slow that the arm would stand after an hour.
  const pace = { kind: 'scaled', factor: 1e-4 } as const;
  const twin = await startTwin({ ...TWIN_DEFAULTS, token, pace });
  const arm = connect({ baseUrl: twin.url, token });
  await arm.takeLock();
  await arm.goTo({ mode: 'automatic', joints: [0.5, 0.5, -1.8, 0, -1.3, 0], time: 4 });
  await twin.clock.advance(500);
  const pausing = arm.pause();
  while (!twin.robot.isCommandAwaited) await new Promise(setImmediate);
  await arm.setClock(change);
  await pausing;
  expect(twin.robot.memory.state).toBe('paused');
  await twin.close();
});

it('calls that wait for the arm have the time of such calls', () => {
  const ids = ['pause', 'cancel', 'resetErrors', 'acknowledgeCollision'] as const;
  const wait_s = routeOf('advanceClock').timeout_s;
  expect(ids.map((id) => routeOf(id).timeout_s)).toEqual(ids.map(() => wait_s));
});

type ResumeCall = Parameters<Handler<'resume'>>[0];

/** Moves to a pose and pauses on the way. */
function pauseOnTheWay(harness: RobotHarness, to: readonly number[]): void {
  const start = Float64Array.from(harness.robot.restPose);
  const caps = { tool_speed_m_s: 0.25, tool_offset_m: [0, 0, 0] as const };
  const end = Float64Array.from(to);
  const { path, profile } = planJointMove({ start, end, caps, waypoints: [] });
  const motion = { start, path, profile, caps };
  expect(harness.apply({ kind: 'go_to', caller: ADA, mode: 'automatic', motion })).toBeNull();
  harness.advance(0.3);
  harness.apply({ kind: 'pause', caller: ADA });
  harness.settle();
  expect(harness.state).toBe('paused');
}

/** Resumes by the handler; `meanwhile` happens while the rest of the motion is planned. */
function resumed(harness: RobotHarness, meanwhile: () => void) {
  const planner = {
    async resume(motion: PausedMotion) {
      meanwhile();
      return planResume(motion).profile;
    },
  };
  const loop = { apply: (command: Command) => harness.robot.apply(command, harness.tick) };
  const services = { robot: harness.robot, loop, planner } as object as Services;
  const call = { caller: ADA, recheck: () => null } as Partial<ResumeCall> as ResumeCall;
  return controlHandlers.resume!(call, services);
}

it('a resume plays no motion with the plan of another', async () => {
  const harness = new RobotHarness().prepare();
  pauseOnTheWay(harness, AWAY);
  const answer = await resumed(harness, () => {
    harness.apply({ kind: 'cancel', caller: ADA });
    harness.settle();
    pauseOnTheWay(
      harness,
      HOME.map((angle) => angle - 0.3),
    );
  });
  expect(answer).toMatchObject({ refused: 'wrong_state' });
  expect(harness.state).toBe('paused');
  expect(await resumed(harness, () => {})).not.toHaveProperty('refused');
  expect(harness.advanceUntil('ready')).toBe(true);
});
