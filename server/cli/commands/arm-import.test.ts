/** `armtwin arm import`: files, meshes and packages, what is written, and that it is an arm. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { Arm } from '../../../arms/arm.ts';
import { armOfFolder } from '../../../arms/given-arm.ts';
import { anglesOf } from '../../../arms/import/arm-poses.ts';
import { chainOf } from '../../../arms/import/chain.ts';
import { fitArrangement } from '../../../arms/import/fit-arrangement.ts';
import { importArm } from '../../../arms/import/import-arm.ts';
import { parseUrdf } from '../../../arms/import/urdf.ts';
import {
  type Description,
  describe as described,
  urdfText,
} from '../../../arms/import/urdf-text.cases.ts';
import { randomArm } from '../../../arms/random-arm.cases.ts';
import { SHIPPED_ARMS } from '../../../arms/shipped-arms.ts';
import { flangeAt } from '../../../physics/kinematics/dense-search.cases.ts';
import { largestDifference } from '../../../physics/math/vector.ts';
import { type ArmImportFlags, runArmImport } from './arm-import.ts';

const root = mkdtempSync(join(tmpdir(), 'armtwin-import-'));
afterAll(() => rmSync(root, { recursive: true }));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** Twelve triangles of a box from 0 to its sides (mm), as a binary STL. */
function boxStl([x, y, z]: readonly [number, number, number]): Buffer {
  const corner = (i: number) => [i & 1 ? x : 0, i & 2 ? y : 0, i & 4 ? z : 0];
  const faces = [
    [0, 1, 3, 2],
    [4, 6, 7, 5],
    [0, 4, 5, 1],
    [2, 3, 7, 6],
    [0, 2, 6, 4],
    [1, 5, 7, 3],
  ];
  const triangles = faces.flatMap(([a, b, c, d]) => [
    [a!, b!, c!],
    [a!, c!, d!],
  ]);
  const bytes = Buffer.alloc(84 + 50 * triangles.length);
  bytes.writeUInt32LE(triangles.length, 80);
  triangles.forEach((corners, i) => {
    corners.flatMap(corner).forEach((value, k) => {
      bytes.writeFloatLE(value, 84 + 50 * i + 12 + 4 * k);
    });
  });
  return bytes;
}

/** A package with the ViperX, whose second link is a mesh of a box: its folder. */
function packageOf(name: string, change: (description: Description) => void = () => {}): string {
  const folder = join(root, name);
  mkdirSync(join(folder, 'urdf'), { recursive: true });
  mkdirSync(join(folder, 'meshes'));
  writeFileSync(join(folder, 'meshes', 'upper.stl'), boxStl([60, 40, 300]));
  const description = described(SHIPPED_ARMS['viperx-300']!);
  const mesh = `<mesh filename="package://${name}/meshes/upper.stl" scale="0.001 0.001 0.001"/>`;
  description.links[2]!.shapes = `<collision><geometry>${mesh}</geometry></collision>`;
  change(description);
  writeFileSync(join(folder, 'urdf', 'arm.urdf'), urdfText(description));
  return folder;
}

function run(file: string, flags: ArmImportFlags = {}) {
  const texts = { out: '', err: '' };
  const code = runArmImport(file, flags, {
    out: { write: (text) => (texts.out += text) },
    err: { write: (text) => (texts.err += text) },
  });
  return { code, ...texts };
}

/** The same robot in the frames of another program: those of pitch joints lie elsewhere on their axes. */
function otherFrames(text: Description, arm: Arm): Description {
  const slide = 0.037;
  text.joints.forEach((joint, j) => {
    // A joint of the pitch axes may have its origin anywhere along them.
    const isPitch = arm.chain.joints[j]!.axis.endsWith('y');
    const before = j > 0 && arm.chain.joints[j - 1]!.axis.endsWith('y');
    const [x = 0, y = 0, z = 0] = joint.xyz;
    joint.xyz = [x, y + (isPitch ? slide : 0) - (before ? slide : 0), z];
  });
  text.links.forEach((link, i) => {
    if (i === 0 || !arm.chain.joints[i - 1]!.axis.endsWith('y')) return;
    const [x = 0, y = 0, z = 0] = link.com_m;
    link.com_m = [x, y - slide, z];
    link.shapes = '';
  });
  return text;
}

describe('armtwin arm import', () => {
  it('keeps the forward kinematics of random arms to 1e-9', () => {
    for (let seed = 0; seed < 200; seed++) {
      const arm = randomArm(seed);
      const description = described(arm);
      // Ranges that hold the angle 0, and no shapes: they are not what is tested.
      for (const { limit } of description.joints) Object.assign(limit!, { lower: -3, upper: 3 });
      for (const link of description.links) link.shapes = '';
      const chain = chainOf(parseUrdf(urdfText(otherFrames(description, arm))), {});
      const { joints, flange_m } = fitArrangement(chain);
      const fitted: Arm = {
        ...arm,
        chain: {
          mark: 'own',
          joints: joints.map((one, j) => ({ ...arm.chain.joints[j]!, ...one })),
        },
        flange: { mark: 'own', offset_m: flange_m },
      };
      for (const q of anglesOf(arm.chain.joints, 20)) {
        expect(largestDifference(flangeAt(fitted, q), flangeAt(arm, q)), String(seed)).toBeLessThan(
          1e-9,
        );
      }
    }
  });

  it('writes a folder with an arm, and reports what it is', () => {
    const folder = packageOf('viper');
    const name = join(root, 'mine');
    const { code, out } = run(join(folder, 'urdf', 'arm.urdf'), { name, payload: 0.4 });
    expect(code).toBe(0);
    expect(out).toMatch(/^joint +range +moves +torque +capsules +stand out by\nJ1 \(axis_1\)/);
    expect(out).toContain('flange is where the file has it from link_base, to 1e-9');
    expect(out).toContain(`ok   ${name}; use it with --arm ${name}\n`);
    const arm = armOfFolder(name);
    expect(arm.ratings.payload_max_kg).toBe(0.4);
    expect(arm.chain).toMatchObject({ mark: 'confirmed', sources: ['arm.urdf'] });
    expect([arm.motion.mark, arm.drive.mark]).toEqual(['own', 'estimate']);
  });

  it('puts capsules around its meshes, and says how far they stand out', () => {
    const { arm, gaps_m } = importArm({
      text: readFileSync(join(packageOf('box'), 'urdf', 'arm.urdf'), 'utf8'),
      source: 'arm.urdf',
      ends: {},
      read: () => boxStl([60, 40, 300]),
    });
    const capsules = arm.collision.capsules.filter(({ link }) => link === 2);
    for (let corner = 0; corner < 8; corner++) {
      const at = [corner & 1 ? 0.06 : 0, corner & 2 ? 0.04 : 0, corner & 4 ? 0.3 : 0];
      const inside = capsules.some(({ from_m, to_m, radius_m }) => {
        const along = to_m.map((value, k) => value - from_m[k]!);
        const long = along.reduce((sum, value) => sum + value * value, 0);
        const to = at.map((value, k) => value - from_m[k]!);
        const share = to.reduce((sum, value, k) => sum + value * along[k]!, 0) / (long || 1);
        const clamped = Math.min(1, Math.max(0, share));
        return Math.hypot(...to.map((value, k) => value - clamped * along[k]!)) <= radius_m + 1e-9;
      });
      expect(inside, String(at)).toBe(true);
    }
    // A capsule around a box of 60 x 40 mm has a radius of 36 mm at least: 16 mm beyond its side.
    expect(gaps_m[2]).toBeGreaterThan(0.012);
    expect(gaps_m[2]).toBeLessThan(0.05);
  });

  it('gives an arm whose own URDF has the same joints', { timeout: 60_000 }, async () => {
    const name = join(root, 'exported');
    const file = join(packageOf('again'), 'urdf', 'arm.urdf');
    expect(run(file, { name }).code).toBe(0);
    vi.stubEnv('ARMTWIN_ARM', name);
    vi.resetModules();
    const { armAsUrdf } = await import('../../../physics/formats/urdf.ts');
    const back = importArm({ text: armAsUrdf(), source: 'out', ends: {}, read: () => null });
    expect(back.deviation_m).toBeLessThan(1e-9);
    const arm = armOfFolder(name);
    back.arm.chain.joints.forEach((joint, j) => {
      const given = arm.chain.joints[j]!;
      expect(joint.axis).toBe(given.axis);
      expect(joint.zero_rad).toBeCloseTo(given.zero_rad!, 12);
      expect(largestDifference(joint.offset_m, given.offset_m)).toBeLessThan(1e-12);
      expect(joint.software_limit_rad).toEqual(given.software_limit_rad);
    });
    back.arm.links.list.forEach(({ mass_kg }, i) => {
      expect(mass_kg).toBeCloseTo(arm.links.list[i]!.mass_kg, 12);
    });
  });

  it('refuses a robot of another arrangement with 1, and writes nothing', () => {
    const folder = packageOf('swapped', ({ joints }) =>
      Object.assign(joints[3]!, { axis: '0 1 0' }),
    );
    const name = join(root, 'nothing');
    const { code, err } = run(join(folder, 'urdf', 'arm.urdf'), { name });
    expect(code).toBe(1);
    expect(err).toContain(
      '  J4 (axis_4) must turn at a right angle to axis 3; it is 90.00° off.\n',
    );
    expect(() => armOfFolder(name)).toThrow('it does not exist');
  });

  it.each<[string, string, ArmImportFlags, string]>([
    ['a file that is not there', join(root, 'gone.urdf'), {}, 'does not exist'],
    [
      'the name of an arm of the program',
      'a.urdf',
      { name: 'widowx-250' },
      'comes with the program',
    ],
    ['a folder that is there', 'a.urdf', { name: root }, 'exists; choose another --name'],
  ])('refuses %s with 2', (_, file, flags, sentence) => {
    const { code, err } = run(file, flags);
    expect(code).toBe(2);
    expect(err).toContain(sentence);
  });
});
