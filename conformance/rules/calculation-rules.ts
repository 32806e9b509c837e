/** Rules for kinematic calculations (spec §2.8, §4.7). */

import type { AvoidanceZone, Joints, Quaternion, Vector } from '../../contract/types.generated.ts';
import { INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import { RESTING_POSE } from '../samples/sample-toolpath.ts';

const UPRIGHT: Joints = [0, 0, 0, 0, 0, 0];
const joints = RESTING_POSE;

/** Angle between two orientations (rad); a quaternion and its negative are the same. */
function angleBetween(a: Quaternion, b: Quaternion): number {
  const dot = Math.abs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
  return 2 * Math.acos(Math.min(1, dot));
}

const TOOL = {
  offsets: { x: 0, y: 0, z: 0.1 },
  rotations: { x: 0, y: 0, z: 0 },
  radius: 0.02,
} as const;

/** A zone of 0.1 m around a position, or `raised_m` above it. */
function zoneAt({ x, y, z }: Vector, raised_m = 0): AvoidanceZone {
  return {
    name: 'box',
    position: { x: x - 0.05, y: y - 0.05, z: z - 0.05 + raised_m },
    orientation: { w: 1, x: 0, y: 0, z: 0 },
    dimensions: { x: 0.1, y: 0.1, z: 0.1 },
    avoid: 'inside',
  };
}

export const CALCULATION_RULES: readonly Rule[] = [
  {
    id: 'calc/upright',
    requirements: ['A64', 'A65', 'A138'],
    routes: ['forwardKinematics'],
    statement: 'At all zeros the arm is upright and the orientation is the identity.',
    async check({ as, expect }) {
      const { fk } = await (await as('user')).does('forwardKinematics', { joints: UPRIGHT });
      if (fk.result !== 'success') return expect.fail(`result is ${fk.error}`);
      const { w, x, y, z } = fk.orientation;
      expect.close([Math.abs(w), x, y, z], [1, 0, 0, 0], 1e-6);
      expect.ok(fk.position.z > 0.5, 'the flange is high above the base');
    },
  },
  {
    id: 'calc/there-and-back',
    requirements: ['A138', 'A139'],
    routes: ['forwardKinematics', 'inverseKinematics'],
    statement: 'Inverse kinematics near a pose returns the joint angles of the pose.',
    async check({ as, expect }) {
      const user = await as('user');
      const { fk } = await user.does('forwardKinematics', { joints });
      if (fk.result !== 'success') return expect.fail(`result is ${fk.error}`);
      const { position, orientation } = fk;
      const body = { guess: joints, position, orientation };
      const { ik } = await user.does('inverseKinematics', body);
      if (ik.result !== 'success') return expect.fail(`result is ${ik.error}`);
      expect.close(ik.joints, joints, 1e-3);
    },
  },
  {
    id: 'calc/out-of-reach',
    requirements: ['A136', 'A139', 'A56', 'A162'],
    routes: ['inverseKinematics'],
    statement: 'An unreachable pose gives a motion error code and no joints.',
    async check({ as, expect }) {
      const position = { x: 3, y: 0, z: 0.5 };
      const orientation = { w: 1, x: 0, y: 0, z: 0 };
      const body = { guess: joints, position, orientation };
      const { ik } = await (await as('user')).does('inverseKinematics', body);
      expect.equal(ik.result, 'error', 'result');
      expect.ok(!('joints' in ik), 'no joints beside an error');
    },
  },
  {
    id: 'calc/pose-valid',
    requirements: ['A137'],
    routes: ['checkPose'],
    statement: 'A pose is valid only within the joint limits.',
    async check({ as, expect }) {
      const user = await as('user');
      expect.equal((await user.does('checkPose', { joints })).pose.valid, true, 'good pose');
      const beyond: Joints = [100, 0, 0, 0, 0, 0];
      const { pose } = await user.does('checkPose', { joints: beyond });
      expect.equal(pose.valid, false, 'pose beyond the limits');
      expect.ok(pose.status.length > 0, 'the status says something');
    },
  },
  {
    id: 'calc/nudge',
    requirements: ['A140'],
    routes: ['nudge', 'forwardKinematics'],
    statement: 'A nudge moves along the axis by the offset and keeps the orientation.',
    async check({ as, expect }) {
      const user = await as('user');
      const { nudge } = await user.does('nudge', { joints, direction: 'z', offset: 0.02 });
      if (nudge.result !== 'success') return expect.fail(`result is ${nudge.error}`);
      const { fk: from } = await user.does('forwardKinematics', { joints });
      const { fk: to } = await user.does('forwardKinematics', { joints: nudge.joints });
      if (from.result !== 'success' || to.result !== 'success') return expect.fail('no pose');
      const { x, y, z } = from.position;
      expect.close([to.position.x, to.position.y, to.position.z], [x, y, z + 0.02], 1e-3);
      expect.ok(angleBetween(from.orientation, to.orientation) < 2e-3, 'same orientation');
    },
  },
  {
    id: 'calc/rotate',
    requirements: ['A141'],
    routes: ['rotate', 'forwardKinematics'],
    statement: 'A rotation turns by the offset and keeps the position.',
    async check({ as, expect }) {
      const user = await as('user');
      const { rotate } = await user.does('rotate', { joints, axis: 'z', offset: 0.1 });
      if (rotate.result !== 'success') return expect.fail(`result is ${rotate.error}`);
      const { fk: from } = await user.does('forwardKinematics', { joints });
      const { fk: to } = await user.does('forwardKinematics', { joints: rotate.joints });
      if (from.result !== 'success' || to.result !== 'success') return expect.fail('no pose');
      const { x, y, z } = from.position;
      expect.close([to.position.x, to.position.y, to.position.z], [x, y, z], 1e-3);
      expect.close([angleBetween(from.orientation, to.orientation)], [0.1], 2e-3);
    },
  },
  {
    id: 'calc/tool',
    requirements: ['A60'],
    routes: ['forwardKinematics'],
    statement: 'The tool point is the tip of the tool, or the flange without a tool.',
    async check({ as, expect }) {
      const user = await as('user');
      const tcp_config = TOOL;
      const { fk: flange } = await user.does('forwardKinematics', { joints: UPRIGHT });
      const { fk: tip } = await user.does('forwardKinematics', { joints: UPRIGHT, tcp_config });
      if (flange.result !== 'success' || tip.result !== 'success') return expect.fail('no pose');
      expect.close([tip.position.z - flange.position.z], [0.1], 1e-6);
    },
  },
  {
    id: 'calc/zones',
    requirements: ['A62', 'A136', 'A169', 'A56'],
    routes: ['inverseKinematics', 'forwardKinematics'],
    statement: 'A pose inside an avoidance zone gives the error object_collision.',
    async check({ as, expect }) {
      const user = await as('user');
      const { fk } = await user.does('forwardKinematics', { joints });
      if (fk.result !== 'success') return expect.fail(`result is ${fk.error}`);
      const { position, orientation } = fk;
      const zone = zoneAt(position);
      const body = { guess: joints, position, orientation, avoidance_zones: [zone] };
      const { ik } = await user.does('inverseKinematics', body);
      expect.equal(ik, { result: 'error', error: 'object_collision' }, 'ik');
      const near = await user.does('forwardKinematics', { joints, avoidance_zones: [zone] });
      expect.equal(near.fk, { result: 'error', error: 'object_collision' }, 'fk');
      const many = Array.from({ length: 11 }, (_, i) => ({ ...zone, name: `box ${i}` }));
      const refused = { body: { ...body, avoidance_zones: many } };
      await user.refused('inverseKinematics', refused, INVALID);
    },
  },
  {
    id: 'calc/tool-and-zones',
    requirements: ['A60', 'A62'],
    routes: ['checkPose', 'inverseKinematics', 'nudge', 'rotate'],
    statement: 'Every calculation is about the tip of the tool and avoids the zones.',
    async check({ as, expect }) {
      const user = await as('user');
      const tcp_config = TOOL;
      const tipOf = async (at: Joints) => {
        const { fk } = await user.does('forwardKinematics', { joints: at, tcp_config });
        return fk.result === 'success' ? fk : expect.fail(`forward: ${fk.error}`);
      };
      const solved = (reply: { result: 'success'; joints: Joints } | { result: 'error' }) =>
        reply.result === 'success' ? reply.joints : expect.fail('no joints');
      const { position, orientation } = await tipOf(joints);
      const [near, avoidance_zones] = [[zoneAt(position)], [zoneAt(position, 1)]];
      const body = { joints, tcp_config, avoidance_zones };
      expect.ok((await user.does('checkPose', body)).pose.valid, 'the zone is far away');
      const hit = await user.does('checkPose', { ...body, avoidance_zones: near });
      expect.ok(!hit.pose.valid, 'the tool is in the zone');
      const goal = { guess: joints, position, orientation, tcp_config, avoidance_zones };
      const { ik } = await user.does('inverseKinematics', goal);
      expect.close(solved(ik), joints, 1e-3);
      const up = await user.does('nudge', { ...body, direction: 'z', offset: 0.01 });
      const raised = await tipOf(solved(up.nudge));
      expect.close([raised.position.z - position.z], [0.01], 1e-4);
      const turn = await user.does('rotate', { ...body, axis: 'x', offset: 0.1 });
      const { x, y, z } = (await tipOf(solved(turn.rotate))).position;
      expect.close([x, y, z], [position.x, position.y, position.z], 1e-4);
    },
  },
];
