/** Random arms of the arrangement, for tests: other lengths, offsets, zero poses and directions. */
import { createPrng } from '../physics/math/prng.ts';
import type { Arm, ArmJoint, JointAxis } from './arm.ts';
import defaultArm from './default/arm.json' with { type: 'json' };

const TURN = 2 * Math.PI;

/** The arm with this number: the default one with another chain. Offsets beside axes are often 0. */
export function randomArm(seed: number): Arm {
  const random = createPrng(seed);
  const between = (low: number, high: number) => low + (high - low) * random();
  const aside = (share: number) =>
    random() < share ? 0 : (random() < 0.5 ? -1 : 1) * between(2e-4, 0.12);
  const offsets_m = [
    [0, 0, between(0.05, 0.3)],
    [aside(0.3), 0, between(-0.05, 0.3)],
    [0, 0, between(0.1, 0.5)],
    [aside(0.3), 0, between(-0.05, 0.2)],
    [0, 0, between(0.1, 0.35)],
    [aside(0.5), 0, between(-0.02, 0.1)],
  ];
  const joints = offsets_m.map((offset_m, j): ArmJoint => {
    const letter = j === 1 || j === 2 || j === 4 ? 'y' : 'z';
    const axis = `${random() < 0.5 ? '+' : '-'}${letter}` as JointAxis;
    const zero_rad = random() < 0.3 ? 0 : between(-Math.PI, Math.PI);
    const low = between(0.2 - TURN, 0);
    // Each range has the angle 0, at which an arm starts.
    const high = Math.max(low + between(1, TURN), 0.1);
    const limit = random() < 0.5 ? [-3.1, 3.1] : [low, high];
    return { offset_m, axis, zero_rad, software_limit_rad: limit, mechanical_limit_rad: limit };
  });
  return {
    ...(defaultArm as Arm),
    chain: { mark: 'own', joints },
    flange: { mark: 'own', offset_m: [0, 0, between(0.005, 0.1)] },
  };
}
