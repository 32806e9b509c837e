/** Arms as data: what a file may say, which arm a process has, and which files are of it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Arm } from './arm.ts';
import { otherArmProblem } from './arm-mark.ts';
import { armProblems } from './arm-problems.ts';
import { ARRANGEMENT } from './arrangement.ts';
import { ArmError, armFingerprint, armOfFolder, armReference } from './given-arm.ts';
import { SHIPPED_ARMS } from './shipped-arms.ts';

type Writable<Part> = Part extends object
  ? { -readonly [Name in keyof Part]: Writable<Part[Name]> }
  : Part;

/** The default arm with a change. */
function changed(change: (arm: Writable<Arm>) => void): Arm {
  const arm = structuredClone(SHIPPED_ARMS['default']!) as Writable<Arm>;
  change(arm);
  return arm as Arm;
}

function folderOf(content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-arm-'));
  writeFileSync(join(folder, 'arm.json'), JSON.stringify(content));
  return folder;
}

const SERVOS = { mark: 'own', family: 'dynamixel' };
const LIST = [0, 1, 2, 3, 4, 5].map((joint) => ({ id: joint + 1, joint, model: 'XM430-W350' }));
const GRIPPER = {
  ...{ id: 9, model: 'XM430-W350', open_ticks: 2700, closed_ticks: 2048, opening_m: [0, 0.1] },
  ...{ grip_share: 0.3, output: 'ee_d0', part_present_input: 'ee_d0' },
};
const TOO_MANY = { id: 7, joint: 5, model: 'XM430-W350' };

describe('the content of an arm', () => {
  it.each(Object.entries(SHIPPED_ARMS))('is right in %s', (_, arm) => {
    expect(armProblems(arm)).toEqual([]);
  });

  it.each<[string, (arm: Writable<Arm>) => void, RegExp]>([
    ['five joints', (arm) => arm.chain.joints.pop(), /^It has 5 joints\. An arm has six/],
    ['seven joints', (arm) => arm.chain.joints.push(arm.chain.joints[0]!), /^It has 7 joints/],
    [
      'swapped axes',
      (arm) => Object.assign(arm.chain.joints[3]!, { axis: '-y' }),
      /^J4 turns about y, not about z$/,
    ],
    [
      'a shoulder beside the plane',
      (arm) => Object.assign(arm.chain.joints[1]!, { offset_m: [0.05, 0.01, 0.1] }),
      /^J2 lies beside the plane of the arm by 10\.000 mm along y$/,
    ],
    [
      'a wrist offset near zero',
      (arm) => Object.assign(arm.chain.joints[5]!, { offset_m: [1e-5, 0, 0.07] }),
      /^J6 lies 0\.010 mm beside the axis before it; make it 0 or at least 0\.1 mm$/,
    ],
    [
      'reversed limits',
      (arm) => arm.chain.joints[4]!.software_limit_rad.reverse(),
      /^J5 has reversed limits: 10\.0° to -155\.0°; give the lower first$/,
    ],
    [
      'a range of more than a turn',
      (arm) => Object.assign(arm.chain.joints[0]!, { software_limit_rad: [-4, 4] }),
      /^J1 turns by 458\.4°; narrow its limits to a whole turn, 360°$/,
    ],
    [
      'an angle 0 out of reach',
      (arm) => Object.assign(arm.chain.joints[0]!, { software_limit_rad: [1, 2] }),
      /^J1 does not reach its angle 0, at which the arm starts; move its zero$/,
    ],
    [
      'a link without mass',
      (arm) => Object.assign(arm.links.list[3]!, { mass_kg: 0 }),
      /^\/links\/list\/3\/mass_kg \(link 3\) must be > 0$/,
    ],
    [
      'an inertia that is not positive definite',
      (arm) => Object.assign(arm.links.list[2]!, { inertia_kg_m2: [1, 1, 1, 2, 0, 0] }),
      /^Link 2 \(moved by J2\) has an inertia that is not positive definite$/,
    ],
    [
      'an inertia that no body has',
      (arm) => Object.assign(arm.links.list[2]!, { inertia_kg_m2: [1, 1, 3, 0, 0, 0] }),
      /^Link 2 \(moved by J2\) has an inertia that no body has/,
    ],
    [
      'millimetres',
      (arm) => Object.assign(arm.collision.capsules[0]!, { to_m: [0, 0, 250] }),
      /^Capsule B0 has a length of 250 m; lengths are in metres$/,
    ],
    [
      'limits in degrees',
      (arm) => Object.assign(arm.chain.joints[0]!, { software_limit_rad: [-170, 170] }),
      /^J1 has the limits -170 and 170, in radians; are they degrees\?$/,
    ],
    [
      'a zero in degrees',
      (arm) => Object.assign(arm.chain.joints[1]!, { zero_rad: 11 }),
      /^J2 has its zero at 11, in radians; is it in degrees\?$/,
    ],
    [
      'speeds in degrees',
      (arm) => Object.assign(arm.motion, { velocity_max_rad_s: [2, 2, 2, 180, 2, 2] }),
      /^J4 has a speed of 180, in radians a second; is it in degrees\?$/,
    ],
    [
      'a speed of 0',
      (arm) => Object.assign(arm.motion, { velocity_max_rad_s: [2, 2, 2, 0, 2, 2] }),
      /^\/motion\/velocity_max_rad_s\/3 \(J4\) must be > 0$/,
    ],
    [
      'masses in grams',
      (arm) => Object.assign(arm.links, { mass_scale: 1000 }),
      /^The links have .* kg within capsules of .* litres: are their masses in grams\?$/,
    ],
    [
      'a group left out',
      (arm) => Reflect.deleteProperty(arm, 'drive'),
      /^The group drive is missing; begin with that of another arm\.json$/,
    ],
    [
      'an inertia in other units',
      (arm) => Object.assign(arm.links.list[3]!, { inertia_kg_m2: [9e4, 9e4, 9e4, 0, 0, 0] }),
      /^Link 3 \(moved by J3\) has the inertia of a mass .* m from its centre; inertias are in kg m²$/,
    ],
    [
      'two servos with one id',
      (arm) => Object.assign(arm, { servos: { ...SERVOS, list: [...LIST, LIST[0]] } }),
      /^Two servos have the id 1$/,
    ],
    [
      'a gripper with the id of a joint',
      (arm) =>
        Object.assign(arm, { servos: { ...SERVOS, list: LIST, gripper: { ...GRIPPER, id: 2 } } }),
      /^Two servos have the id 2$/,
    ],
    [
      'a gripper that does not open',
      (arm) =>
        Object.assign(arm, {
          servos: { ...SERVOS, list: LIST, gripper: { ...GRIPPER, closed_ticks: 2700 } },
        }),
      /^The gripper has the same place open and shut/,
    ],
    [
      'a joint without a servo',
      (arm) => Object.assign(arm, { servos: { ...SERVOS, list: [...LIST.slice(1), TOO_MANY] } }),
      /^J1 has no servo$/,
    ],
    [
      'a field that there is not',
      (arm) => Object.assign(arm.chain, { joint: [] }),
      /^\/chain must not have additional properties: joint$/,
    ],
  ])('is refused with %s', (_, change, problem) => {
    expect(armProblems(changed(change))).toContainEqual(expect.stringMatching(problem));
  });

  it('says the arrangement where a joint does not fit it', () => {
    const turned = changed((arm) => Object.assign(arm.chain.joints[1]!, { axis: '+z' }));
    expect(armProblems(turned)).toContain(ARRANGEMENT);
  });
});

describe('the arm of a process', () => {
  it('is told from others by its numbers, wherever they are', () => {
    const same = armOfFolder(folderOf(SHIPPED_ARMS['default']));
    expect(armFingerprint(same)).toBe('');
    const other = changed((arm) => Object.assign(arm.flange, { offset_m: [0, 0, 0.03] }));
    expect(armFingerprint(other)).toMatch(/^[0-9a-f]{16}$/);
  });

  it('stays the same with other remarks, and with its fields in another order', () => {
    const { chain, about, ...rest } = SHIPPED_ARMS['viperx-300']!;
    const noted = { $schema: '../arm-schema.json', ...rest, about: `${about} Mine.` };
    const arm: Arm = { ...noted, chain: { joints: chain.joints, mark: 'own' } };
    expect(armFingerprint(arm)).toBe(armFingerprint(SHIPPED_ARMS['viperx-300']!));
    expect(armFingerprint(changed((one) => Object.assign(one, { about: 'Mine.' })))).toBe('');
  });

  it('is named with the problems of its file', () => {
    const folder = folderOf(changed((arm) => arm.chain.joints.pop()));
    expect(() => armOfFolder(folder)).toThrow(ArmError);
    expect(() => armOfFolder(folder)).toThrow('arm.json is no arm of this program:\n  It has 5');
    expect(() => armOfFolder(join(folder, 'gone'))).toThrow(/it does not exist.*default/);
  });

  it('is a name, or a folder that is the same from everywhere', () => {
    expect(armReference('default')).toBe('default');
    expect(armReference('./default')).toBe(join(process.cwd(), 'default'));
  });

  it('is bound before the physics loads', async () => {
    const other = changed((arm) => {
      Object.assign(arm.flange, { offset_m: [0, 0, 0.1] });
      Object.assign(arm.ratings, { payload_max_kg: 2 });
    });
    const root = new URL('..', import.meta.url).href;
    const program = `
      const { FLANGE_M, PHYSICS_FINGERPRINT } = await import('${root}physics/arm/arm-model.ts');
      const { limits } = await import('${root}contract/limits.ts');
      console.log(FLANGE_M, limits.payload_max_kg, PHYSICS_FINGERPRINT);
    `;
    const folder = folderOf(other);
    const env = { ...process.env, ARMTWIN_ARM: folder };
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    const line = `0.1 2 c848c672-c32ec9b3-${armFingerprint(other)}`;
    expect(stdout.trim()).toBe(line);
  });
});

describe('a file of an arm', () => {
  it('is of the default arm where it names none', () => {
    expect(otherArmProblem(undefined)).toBeNull();
  });

  it('is refused by another arm', () => {
    expect(otherArmProblem({ name: 'long', fingerprint: '0123456789abcdef' })).toBe(
      'is of the arm “long”, but this process has “default”; start it with --arm long',
    );
    expect(otherArmProblem({ name: 'default', fingerprint: '01' })).toMatch(/with other numbers/);
    expect(otherArmProblem('long')).toBe('names no arm with its fingerprint');
  });
});
