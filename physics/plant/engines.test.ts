import { describe, expect, it, vi } from 'vitest';
import { JOINT_SENSE } from '../arm/arm-model.ts';
import { writeSinCos } from '../dynamics/arm-kernels.ts';
import { GRAVITY_M_S2 } from '../dynamics/gravity.ts';
import { ballLoad } from '../dynamics/load.ts';
import { principalAxes } from '../dynamics/principal-axes.ts';
import { randomStates } from '../dynamics/states.cases.ts';
import { createFrames, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { pairRotations, readAngles, writeTorques } from './axis-pair.ts';
import { type ArmBodies, buildArm } from './rapier-arm.ts';
import { loadRapier, type Rapier } from './rapier-loader.ts';

const SEED = 4711;
const note = `seed ${SEED}`;
const DRIVEN = [2, 4, 6];

describe('six joints through three bodies', () => {
  it('reads every angle back, built at any pose', () => {
    const out = new Float64Array(6);
    const upright = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
    for (const { q } of randomStates(SEED, 500)) {
      readAngles(pairRotations(q), upright, out);
      q.forEach((angle, j) => {
        expect(Math.abs(Math.sin((out[j]! - angle) / 2)), note).toBeLessThan(1e-14);
      });
    }
  });

  it('splits joint torques so that each axis receives its own', () => {
    const turns = new Float64Array(12);
    const bodies = new Float64Array(9);
    const frames = createFrames();
    for (const { q, torques } of randomStates(SEED, 200)) {
      writeSinCos(q, turns);
      writeTorques(torques, turns, bodies);
      forward(q, frames);
      for (let j = 0; j < 6; j++) {
        const at = (j + 1) * FRAME_SIZE + (j === 1 || j === 2 || j === 4 ? 1 : 2);
        const sign = (j === 1 || j === 2 || j === 4 ? -1 : 1) * JOINT_SENSE[j]!;
        let felt = 0;
        for (let k = 0; k < 3; k++) {
          const axis = sign * frames[at + 3 * k]!;
          DRIVEN.forEach((link, i) => {
            if (link > j) felt += axis * bodies[3 * i + k]!;
          });
        }
        expect(Math.abs(felt - torques[j]!), note).toBeLessThan(1e-12);
      }
    }
  });
});

describe('principal axes', () => {
  it('give the tensor back and a right-handed frame', () => {
    const tensor = [0.02, 0.03, 0.017, -0.004, 0.002, 0.0031];
    const { moments, frame } = principalAxes(tensor);
    const { w, x, y, z } = frame;
    const axes = [
      [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
      [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ];
    const element = (r: number, c: number): number =>
      moments.reduce((sum, moment, k) => sum + moment * axes[r]![k]! * axes[c]![k]!, 0);
    const again = [
      element(0, 0),
      element(1, 1),
      element(2, 2),
      element(0, 1),
      element(0, 2),
      element(1, 2),
    ];
    again.forEach((value, i) => {
      expect(value).toBeCloseTo(tensor[i]!, 15);
    });
  });
});

/** One step of an arm through Rapier's public calls only. */
function publicStep(arm: ArmBodies, torques: ArrayLike<number>): void {
  DRIVEN.forEach((link, i) => {
    const body = arm.world.getRigidBody(arm.handles[link]!);
    const [x, y, z] = [torques[3 * i]!, torques[3 * i + 1]!, torques[3 * i + 2]!];
    body.resetTorques(false);
    body.addTorque({ x, y, z }, false);
  });
  arm.world.step();
}

function rawStep(rapier: Rapier, arm: ArmBodies, torques: ArrayLike<number>): void {
  arm.driven.forEach((body, i) => {
    const [x, y, z] = [torques[3 * i]!, torques[3 * i + 1]!, torques[3 * i + 2]!];
    body.drive(rapier.VectorOps.intoRaw({ x, y, z }));
  });
  arm.step();
}

describe("Rapier's raw calls", () => {
  it('give the same bits as the public ones', async () => {
    const rapier = await loadRapier();
    const q = Float64Array.of(0.3, -0.4, -0.8, 0.5, -0.6, 0.2);
    const [raw, official] = [
      buildArm(rapier, q, ballLoad(0.3)),
      buildArm(rapier, q, ballLoad(0.3)),
    ];
    const rotation = new Float32Array(4);
    const torques = new Float64Array(9);
    for (let i = 0; i < 600; i++) {
      for (let k = 0; k < 9; k++) torques[k] = 2 * Math.sin(0.01 * i * (k + 1));
      rawStep(rapier, raw, torques);
      publicStep(official, torques);
      for (const [k, link] of DRIVEN.entries()) {
        raw.driven[k]!.read(rotation);
        const { x, y, z, w } = official.world.getRigidBody(official.handles[link]!).rotation();
        expect([x, y, z, w]).toEqual(Array.from(rotation));
      }
    }
    expect(raw.world.takeSnapshot()).toEqual(official.world.takeSnapshot());
    raw.world.free();
    official.world.free();
  });

  it('read no clock, and leave that of the process as it is', async () => {
    const rapier = await loadRapier();
    const arm = buildArm(rapier, new Float64Array(6), ballLoad(0));
    const clock = vi.spyOn(performance, 'now');
    arm.step();
    arm.world.step();
    expect(clock).not.toHaveBeenCalled();
    clock.mockRestore();
    expect(performance.now()).toBeGreaterThan(0);
    expect(Object.getOwnPropertyDescriptor(globalThis, 'performance')).toMatchObject({
      configurable: true,
      enumerable: true,
    });
    arm.world.free();
  });

  it('use the gravity of the model', async () => {
    const rapier = await loadRapier();
    const arm = buildArm(rapier, new Float64Array(6), ballLoad(0));
    expect(arm.world.gravity.z).toBeCloseTo(-GRAVITY_M_S2, 6);
    arm.world.free();
  });
});
