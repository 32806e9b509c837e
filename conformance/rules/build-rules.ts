/** Rules for the trajectory that is computed from a toolpath (spec §2.2, §2.3). */

import type {
  Action,
  CalcToolpathReply,
  Joints,
  Toolpath,
} from '../../contract/types.generated.ts';
import type { Actor } from '../actor.ts';
import { INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import type { RuleContext } from '../rule-context.ts';
import { RESTING_POSE, sampleToolpath } from '../samples/sample-toolpath.ts';

type Items = NonNullable<CalcToolpathReply['trajectory']['timeline']>;
type Item<Type extends Items[number]['type']> = Extract<Items[number], { type: Type }>;

const home: Action = { type: 'home', waypoint_id: 0 };

/** Joint angles after a straight shift of the flange from a pose. */
async function nudged(actor: Actor, direction: 'x' | 'y' | 'z', offset: number): Promise<Joints> {
  const { nudge } = await actor.does('nudge', { joints: RESTING_POSE, direction, offset });
  if (nudge.result !== 'success') throw new TypeError(`a sample shift fails: ${nudge.error}`);
  return nudge.joints;
}

/** The timeline of the trajectory, which must be free of errors. */
async function calculated(
  { expect }: RuleContext,
  actor: Actor,
  toolpath: Toolpath,
): Promise<Items> {
  const { trajectory } = await actor.does('calcToolpath', { toolpath });
  expect.ok(trajectory.error === undefined, `no error: ${trajectory.error}`);
  return trajectory.timeline ?? [];
}

function first<Type extends Items[number]['type']>(
  { expect }: RuleContext,
  items: Items,
  type: Type,
): Item<Type> {
  const isWanted = (item: Items[number]): item is Item<Type> => item.type === type;
  return items.find(isWanted) ?? expect.fail(`there is no ${type}`);
}

async function position(actor: Actor, joints: readonly number[]): Promise<number[]> {
  const { fk } = await actor.does('forwardKinematics', { joints: joints as Joints });
  if (fk.result !== 'success') throw new TypeError(`a setpoint has no pose: ${fk.error}`);
  return [fk.position.x, fk.position.y, fk.position.z];
}

function move(
  waypoint_id: number,
  more: Partial<Extract<Action, { type: 'trajectory' }>> = {},
): Action {
  return { type: 'trajectory', trajectory: 'joint_space', waypoint_id, ...more };
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]!) * (value - b[i]!), 0));
}

export const BUILD_RULES: readonly Rule[] = [
  {
    id: 'build/linear-is-straight',
    requirements: ['A26', 'A50'],
    routes: ['calcToolpath', 'nudge', 'forwardKinematics'],
    statement: 'A linear move keeps the tool point on the straight line between its waypoints.',
    async check(context) {
      const user = await context.as('user');
      const poses = [RESTING_POSE, await nudged(user, 'y', 0.08)];
      const timeline = [home, move(1, { trajectory: 'linear', time: 2 })];
      const items = await calculated(context, user, sampleToolpath(poses, { timeline }));
      const { setpoints, waypoints } = first(context, items, 'segment');
      context.expect.equal(waypoints, [0, 1], 'waypoints of the segment');
      const [start, end] = [await position(user, poses[0]!), await position(user, poses[1]!)];
      for (const share of [0.25, 0.5, 0.75]) {
        const point = setpoints[Math.round(share * (setpoints.length - 1))]!;
        const here = await position(user, point.joints ?? []);
        const detour_m = distance(start, here) + distance(here, end) - distance(start, end);
        context.expect.ok(detour_m < 1e-4, `the detour of ${detour_m} m is none`);
      }
    },
  },
  {
    id: 'build/spline-passes-through',
    requirements: ['A25', 'A26'],
    routes: ['calcToolpath'],
    statement: 'A spline goes through the pass-through waypoints before it.',
    async check(context) {
      const user = await context.as('user');
      const middle = await nudged(user, 'y', 0.05);
      const poses = [RESTING_POSE, middle, await nudged(user, 'x', 0.05)];
      const passed: Action = { type: 'trajectory', waypoint_id: 1, pass_through: true };
      const timeline = [home, passed, move(2, { trajectory: 'spline', time: 3 })];
      const items = await calculated(context, user, sampleToolpath(poses, { timeline }));
      const { setpoints, waypoints } = first(context, items, 'segment');
      context.expect.equal(waypoints, [0, 1, 2], 'waypoints of the segment');
      const near = setpoints.some(({ joints }) => distance(joints ?? [], middle) < 0.02);
      context.expect.ok(near, 'a setpoint lies at the passed waypoint');
    },
  },
  {
    id: 'build/speed-cap',
    requirements: ['A167', 'A17'],
    routes: ['calcToolpath', 'forwardKinematics'],
    statement: 'The tool speed stays below 1.5 m/s for any requested speed.',
    async check(context) {
      const user = await context.as('user');
      const far: Joints = [...RESTING_POSE];
      far[0] = 2;
      const timeline = [home, move(1, { max_speed: 9 })];
      const toolpath = sampleToolpath([RESTING_POSE, far], { timeline });
      const { trajectory } = await user.does('calcToolpath', { toolpath });
      const { setpoints } = first(context, trajectory.timeline ?? [], 'segment');
      const period_s = (trajectory.duration ?? 0) / (setpoints.length - 1);
      for (const share of [0.3, 0.5, 0.7]) {
        const at = Math.round(share * (setpoints.length - 2));
        const from = await position(user, setpoints[at]!.joints ?? []);
        const to = await position(user, setpoints[at + 1]!.joints ?? []);
        const speed_m_s = distance(from, to) / period_s;
        context.expect.ok(speed_m_s < 1.55, `${speed_m_s} m/s is below the cap`);
      }
    },
  },
  {
    id: 'build/grid',
    requirements: ['A32', 'A33', 'A34', 'A35', 'A52'],
    routes: ['calcToolpath', 'nudge'],
    statement: 'A grid runs once per cell; 1 × n is allowed; skewed corners are refused.',
    async check(context) {
      const user = await context.as('user');
      const poses = [RESTING_POSE, await nudged(user, 'x', 0.05), await nudged(user, 'y', 0.05)];
      const cell: Action = { type: 'grid-waypoint', z_offset: 0, time: 2 };
      for (const [cols, rows] of [
        [2, 2],
        [1, 3],
      ] as const) {
        const grid: Action = { type: 'grid', cols, rows, w0: 0, wx: 1, wy: 2, timeline: [cell] };
        const toolpath = sampleToolpath(poses, { timeline: [home, grid] });
        const { iterations } = first(context, await calculated(context, user, toolpath), 'grid');
        context.expect.equal(iterations.length, cols * rows, 'iterations');
        const { waypoints } = first(context, iterations.at(-1) ?? [], 'segment');
        context.expect.ok(waypoints.includes(-1), 'a cell is waypoint -1');
      }
      const skew: Action = {
        type: 'grid',
        cols: 2,
        rows: 2,
        w0: 0,
        wx: 1,
        wy: 1,
        timeline: [cell],
      };
      const body = { toolpath: sampleToolpath(poses, { timeline: [home, skew] }) };
      await user.refused('calcToolpath', { body }, INVALID);
    },
  },
  {
    id: 'build/routine',
    requirements: ['A37', 'A46', 'A49', 'A53'],
    routes: ['calcToolpath'],
    statement:
      'A called routine has an entry and an exit motion; recursive routine calls are refused.',
    async check(context) {
      const user = await context.as('user');
      const poses = [RESTING_POSE, await nudged(user, 'x', 0.05), await nudged(user, 'y', 0.05)];
      const call: Action = { type: 'call-routine', routine: 'aside' };
      const steps = [move(1, { time: 2 }), move(2, { time: 2 })];
      const timeline = [home, call, move(0, { time: 2 })];
      const routines = [{ name: 'aside', timeline: steps }];
      const toolpath = sampleToolpath(poses, { timeline, routines });
      const { trajectory } = await user.does('calcToolpath', { toolpath });
      const called = first(context, trajectory.timeline ?? [], 'call-routine');
      context.expect.equal(called.routine, 'aside', 'name of the routine');
      context.expect.equal(trajectory.routines?.[0]?.name, 'aside', 'routines');
      const circle = [{ name: 'aside', timeline: [...steps, call] }];
      const body = { toolpath: sampleToolpath(poses, { timeline, routines: circle }) };
      await user.refused('calcToolpath', { body }, INVALID);
    },
  },
  {
    id: 'build/conditions',
    requirements: ['A30', 'A36', 'A38', 'A39', 'A40', 'A41', 'A51'],
    routes: ['calcToolpath'],
    statement: 'The trajectory contains conditions unchanged; malformed ones are refused.',
    async check(context) {
      const user = await context.as('user');
      const digital = { location: 'base', type: 'digital', index: 1 } as const;
      const analog = { location: 'base', type: 'analog', index: 0 } as const;
      const thresholds = { lower: 2, upper: 5 };
      const within = { type: 'input', io: analog, operator: 'inside', thresholds } as const;
      const wait: Action = { type: 'wait', condition: { type: 'input', io: digital, value: true } };
      const low = {
        type: 'input',
        io: analog,
        operator: 'below',
        thresholds: { lower: 2 },
      } as const;
      const branches = [
        { condition: within, timeline: [move(1, { time: 2 }), move(0, { time: 2 })] },
      ];
      const poses = [RESTING_POSE, await nudged(user, 'x', 0.05)];
      const waitLow: Action = { type: 'wait', condition: low };
      const timeline: Action[] = [home, wait, waitLow, { type: 'if', branches }];
      const items = await calculated(context, user, sampleToolpath(poses, { timeline }));
      const waits = items.filter((item) => item.type === 'wait');
      context.expect.equal(waits, [wait, waitLow], 'the waits');
      const branch = first(context, items, 'if').branches[0];
      context.expect.equal(branch?.condition, within, 'the condition of the branch');
      const malformed: readonly unknown[] = [
        { type: 'time', duration: 0 },
        { type: 'input', io: analog, operator: 'near', value: 1 },
        { type: 'input', io: analog, operator: 'inside', thresholds: { lower: 5, upper: 2 } },
        { type: 'input', io: analog, operator: 'outside', thresholds: { lower: 5 } },
        { type: 'input', io: analog, operator: 'above', thresholds: { lower: 5 } },
        { type: 'input', io: digital, operator: 'below', thresholds },
        { type: 'input', io: { ...digital, index: 4 }, value: true },
      ];
      for (const condition of malformed) {
        const toolpath = {
          ...sampleToolpath(poses),
          timeline: [home, { type: 'wait', condition }],
        };
        await user.refused('calcToolpath', { body: { toolpath } }, INVALID);
      }
    },
  },
  {
    id: 'build/outputs-and-waypoints',
    requirements: ['A20', 'A29', 'A42', 'A43', 'A44', 'A51', 'A57'],
    routes: ['calcToolpath'],
    statement:
      'output-set appears as output; waypoints are reusable and have unique ids and labels.',
    async check(context) {
      const user = await context.as('user');
      const io = { location: 'end_effector', type: 'digital', index: 1 } as const;
      const output: Action = { type: 'output-set', io, value: true };
      const timeline = [
        home,
        output,
        move(1, { time: 2 }),
        move(0, { time: 2 }),
        move(1, { time: 2 }),
      ];
      const poses = [RESTING_POSE, await nudged(user, 'x', 0.05)];
      const good = sampleToolpath(poses, { timeline });
      const shown = first(context, await calculated(context, user, good), 'output');
      context.expect.equal(shown, { ...output, type: 'output' }, 'the output');
      const [a, b] = good.waypoints;
      const faulty: readonly unknown[] = [
        { ...good, waypoints: [a, { ...b, label_id: a?.label_id }] },
        { ...good, waypoints: [a, { ...b, label: '' }] },
        { ...good, waypoints: [a, { ...b, label: 'seventeen letters' }] },
        { ...good, metadata: { ...good.metadata, payload: 2 } },
        { ...good, timeline: [home, { ...output, io: { ...io, type: 'analog' } }] },
        { ...good, timeline: [home, { ...output, value: 2 }] },
      ];
      for (const toolpath of faulty) {
        await user.refused('calcToolpath', { body: { toolpath } }, INVALID);
      }
    },
  },
];
