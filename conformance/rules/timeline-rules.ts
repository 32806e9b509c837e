/** Rules for running a toolpath: outputs, waits, branches, restarts, speeds (spec §4.5). */

import { limits } from '../../contract/limits.ts';
import type { Action } from '../../contract/types.generated.ts';
import type { Rule } from '../rule.ts';
import type { RuleContext } from '../rule-context.ts';
import { sampleToolpath } from '../samples/sample-toolpath.ts';

function output(index: number, value: boolean): Action {
  return { type: 'output-set', io: { location: 'base', type: 'digital', index }, value };
}

function isOutput(index: number, value: boolean) {
  const io = { location: 'base', type: 'digital', index } as const;
  return { type: 'output-test', io, value } as const;
}

async function endsReady(context: RuleContext): Promise<void> {
  const isReady = async () => (await context.snapshot()).control.state === 'ready';
  await context.until('the run ends', isReady, 30);
}

/** Arc of the tool that lasts long enough to be judged in real time (m), and turns for it (rad). */
const ARC_M = 0.3;
const TURN_RAD = { least: 0.6, most: 2.5 };
/** Share of the time of the arc after which the arm is still on its way. */
const JUDGED_SHARE = 0.95;

/** Requests a turn of joint 1 and checks that the tool does not exceed 0.25 m/s. */
async function isSlow(
  context: RuleContext,
  wish: { mode: 'teach' | 'automatic'; max_speed?: number },
) {
  const user = await context.as('user');
  const { 'servos.telemetry.position': joints } = await context.snapshot();
  const { fk } = await user.does('forwardKinematics', { joints });
  if (fk.result !== 'success') return context.expect.fail(`no pose: ${fk.error}`);
  const radius_m = Math.hypot(fk.position.x, fk.position.y);
  const turn_rad = Math.min(TURN_RAD.most, Math.max(TURN_RAD.least, ARC_M / radius_m));
  const { there } = await context.poseNearby(turn_rad);
  const arc_m = turn_rad * radius_m;
  await user.does('takeLock');
  await user.does('goTo', { ...wish, joints: there });
  await context.settle(JUDGED_SHARE * (arc_m / limits.speed_go_to_default_m_per_s));
  const { state } = (await context.snapshot()).control;
  context.expect.equal(state, 'running', `state after ${JUDGED_SHARE} of ${arc_m} m at 0.25 m/s`);
  await endsReady(context);
}

export const TIMELINE_RULES: readonly Rule[] = [
  {
    id: 'timeline/outputs-waits-branches',
    requirements: ['A29', 'A30', 'A36', 'A39', 'A31'],
    routes: ['run', 'useUnsavedToolpath', 'getSnapshot'],
    statement: 'A run sets outputs, takes the first valid branch, and restart starts again.',
    needs: { motion: true },
    async check(context) {
      const user = await context.as('user');
      const { here, there } = await context.poseNearby(0.05);
      const again: Action[] = [output(1, true), { type: 'restart' }];
      const timeline: Action[] = [
        { type: 'home', waypoint_id: 0 },
        { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 1, time: 1 },
        { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 0, time: 1 },
        { type: 'if', branches: [{ condition: isOutput(1, false), timeline: again }] },
        output(2, true),
        { type: 'wait', condition: isOutput(2, true) },
        output(3, false),
        {
          type: 'if',
          branches: [
            { condition: isOutput(2, false), timeline: [output(3, true)] },
            { condition: isOutput(1, true), timeline: [output(0, true)] },
            { condition: isOutput(2, true), timeline: [output(3, true)] },
          ],
        },
      ];
      await user.does('takeLock');
      const low = [0, 1, 2, 3].map((index) => ({ key: `outputs.d${index}`, value: false }));
      await user.does('changeGlobals', { changes: low });
      await user.does('useUnsavedToolpath', {
        toolpath: sampleToolpath([here, there], { timeline }),
      });
      await user.does('run', { mode: 'automatic', loop: 1 });
      await endsReady(context);
      const { d0, d1, d2, d3 } = (await context.snapshot())['global.outputs'];
      context.expect.equal([d0, d1, d2, d3], [true, true, true, false], 'outputs');
      context.expect.equal((await context.snapshot()).control.loop_count, 1, 'loops');
      await user.does('changeGlobals', { changes: low });
    },
  },
  {
    id: 'timeline/modes-applied',
    requirements: ['A18', 'A22', 'A58'],
    routes: ['useUnsavedToolpath', 'calcToolpath'],
    statement: 'use applies the analog modes and the avoidance zones of the toolpath.',
    async check(context) {
      const user = await context.as('user');
      const { here, there } = await context.poseNearby(0.1);
      const modes = { i0: 'current', i1: 'voltage', o0: 'voltage', o1: 'current' } as const;
      const toolpath = sampleToolpath([here, there], { metadata: { analog_modes: modes } });
      await user.does('takeLock');
      await user.does('useUnsavedToolpath', { toolpath });
      const data = await context.snapshot();
      const seen = [data['global.inputs'].a0_mode, data['global.outputs'].a1_mode];
      context.expect.equal(seen, ['current', 'current'], 'modes');
      const everywhere = {
        name: 'everywhere',
        position: { x: -2, y: -2, z: 0.2 },
        orientation: { w: 1, x: 0, y: 0, z: 0 },
        dimensions: { x: 4, y: 4, z: 2 },
        avoid: 'inside',
      } as const;
      const metadata = { avoidance_zones: [everywhere] };
      const blocked = sampleToolpath([here, there], { metadata });
      const { trajectory } = await user.does('calcToolpath', { toolpath: blocked });
      context.expect.ok(trajectory.error !== undefined, 'a path through a zone is an error');
    },
  },
  {
    id: 'speed/teach-cap',
    requirements: ['A166'],
    routes: ['goTo'],
    statement: 'In teach mode a faster request is limited to 0.25 m/s.',
    needs: { motion: true },
    check: (context) => isSlow(context, { mode: 'teach', max_speed: 1 }),
  },
  {
    id: 'speed/go-to-default',
    requirements: ['A168', 'A126'],
    routes: ['goTo'],
    statement: 'Without time and max_speed, go_to moves at 0.25 m/s in automatic mode too.',
    needs: { motion: true },
    check: (context) => isSlow(context, { mode: 'automatic' }),
  },
];
