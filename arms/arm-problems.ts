/** What is wrong with the content of a file `arm.json`, in sentences that name joint or link. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Arm, ArmCapsule, ArmJoint, ArmLink } from './arm.ts';
import schema from './arm-schema.json' with { type: 'json' };
import { AXES, arrangementProblems } from './arrangement.ts';
import { rigidBodyProblem } from './rigid-body.ts';

const TURN = 2 * Math.PI;
/** Allowance for limits of a whole turn (rad). */
const ROUNDING_RAD = 1e-9;
/** No joint of an arm turns farther; 360 is degrees (rad). */
export const FARTHEST_RAD = 6 * Math.PI;
/** No joint of an arm turns faster; 57 may be a radian in degrees (rad/s). */
export const FASTEST_RAD_S = 40;
/** No metal is denser (kg/m³: osmium). */
const DENSEST_KG_M3 = 22_600;
/** Longer parts are given in another unit than metres. */
const LONGEST_M = 5;
/** A mass is nearer to the centre of its link: 1 kg m² stands for unknown inertias of light links. */
const LONGEST_GYRATION_M = 25;

/** A gripper that opens by less does not open (steps). */
const GRIPPER_TRAVEL_TICKS = 60;

const degrees = (angle: number) => `${((360 * angle) / TURN).toFixed(1)}°`;

/** The joint or link that a JSON pointer names, for people; empty for other values. */
function partOf(path: string): string {
  const joint = /^\/(?:chain|motion|energy|drive|detection|thermal)\/\w+\/(\d)/.exec(path)?.[1];
  if (joint !== undefined) return ` (J${Number(joint) + 1})`;
  const link = /^\/links\/list\/(\d)/.exec(path)?.[1];
  return link === undefined ? '' : ` (link ${link})`;
}

function schemaProblem({ instancePath, message, params, keyword }: ErrorObject): string {
  if (instancePath === '' && keyword === 'required') {
    return `The group ${params['missingProperty']} is missing; begin with that of another arm.json`;
  }
  const detail = keyword === 'additionalProperties' ? `: ${params['additionalProperty']}` : '';
  const values = keyword === 'enum' ? `: ${params['allowedValues'].join(', ')}` : '';
  return `${instancePath || '/'}${partOf(instancePath)} ${message?.replace('NOT', 'not')}${detail}${values}`;
}

function limitProblems(joints: readonly ArmJoint[]): string[] {
  return joints.flatMap(({ software_limit_rad, mechanical_limit_rad }, joint) => {
    const [low, high] = software_limit_rad as [number, number];
    const [stop_low, stop_high] = mechanical_limit_rad as [number, number];
    const name = `J${joint + 1}`;
    if (!(low < high)) {
      return [
        `${name} has reversed limits: ${degrees(low)} to ${degrees(high)}; give the lower first`,
      ];
    }
    const range = high - low;
    if (Math.max(-low, high) > FARTHEST_RAD) {
      return [`${name} has the limits ${low} and ${high}, in radians; are they degrees?`];
    }
    if (range > TURN + ROUNDING_RAD) {
      return [`${name} turns by ${degrees(range)}; narrow its limits to a whole turn, 360°`];
    }
    if (low > 0 || high < 0) {
      return [`${name} does not reach its angle 0, at which the arm starts; move its zero`];
    }
    if (low < stop_low || high > stop_high) {
      return [`${name} has software limits beyond its mechanical ones; widen these`];
    }
    return [];
  });
}

/** Zero angles and speeds that are given in degrees. */
function angleProblems({ chain, motion }: Arm): string[] {
  return chain.joints.flatMap(({ zero_rad = 0 }, joint) => {
    const name = `J${joint + 1}`;
    const speed = motion.velocity_max_rad_s[joint]!;
    return [
      ...(Math.abs(zero_rad) > TURN
        ? [`${name} has its zero at ${zero_rad}, in radians; is it in degrees?`]
        : []),
      ...(speed > FASTEST_RAD_S
        ? [`${name} has a speed of ${speed}, in radians a second; is it in degrees?`]
        : []),
    ];
  });
}

/** Volume of a capsule (m³). */
function volumeOf({ from_m, to_m, radius_m }: ArmCapsule): number {
  const length_m = Math.hypot(...from_m.map((value, k) => value - to_m[k]!));
  return Math.PI * radius_m ** 2 * (length_m + (4 / 3) * radius_m);
}

/** Links that are together denser than any metal: their masses are in another unit than kilograms. */
export function densityProblems(
  masses_kg: readonly number[],
  capsules: readonly ArmCapsule[],
): string[] {
  const mass_kg = masses_kg.reduce((sum, mass) => sum + mass, 0);
  const volume_m3 = capsules.reduce((sum, capsule) => sum + volumeOf(capsule), 0);
  if (mass_kg <= DENSEST_KG_M3 * volume_m3) return [];
  const litres = `${(1000 * volume_m3).toPrecision(2)} litres`;
  const what = `${mass_kg.toPrecision(3)} kg within capsules of ${litres}`;
  return [`The links have ${what}: are their masses in grams?`];
}

function linkProblems(links: readonly ArmLink[]): string[] {
  return links.flatMap(({ mass_kg, inertia_kg_m2 }, link) => {
    const name = link === 0 ? 'The base' : `Link ${link} (moved by J${link})`;
    if (!(mass_kg > 0)) return [`${name} has no mass; give each link a mass above 0 kg`];
    const problem = rigidBodyProblem(inertia_kg_m2);
    return problem === null ? [] : [`${name} ${problem}`];
  });
}

/** Links whose mass would lie farther from their centre than any part: another unit than kg m². */
export function inertiaUnitProblems(links: readonly ArmLink[]): string[] {
  return links.flatMap(({ mass_kg, inertia_kg_m2 }, link) => {
    const gyration_m = Math.sqrt(Math.max(...inertia_kg_m2.slice(0, 3)) / mass_kg);
    if (gyration_m <= LONGEST_GYRATION_M) return [];
    const name = link === 0 ? 'The base' : `Link ${link} (moved by J${link})`;
    const where = `${gyration_m.toPrecision(3)} m from its centre`;
    return [`${name} has the inertia of a mass ${where}; inertias are in kg m²`];
  });
}

function sizeProblems({ chain, flange, collision, links }: Arm): string[] {
  const lengths: [string, readonly number[]][] = [
    ...chain.joints.map(({ offset_m }, j): [string, readonly number[]] => [`J${j + 1}`, offset_m]),
    ['The flange', flange.offset_m],
    ...collision.capsules.flatMap(
      ({ name, from_m, to_m, radius_m }): [string, readonly number[]][] => [
        [`Capsule ${name}`, [...from_m, ...to_m, radius_m]],
      ],
    ),
    ...links.list.map(({ com_m }, i): [string, readonly number[]] => [
      `The centre of link ${i}`,
      com_m,
    ]),
  ];
  return lengths.flatMap(([what, values]) => {
    const most = Math.max(...values.map(Math.abs));
    return most > LONGEST_M
      ? [`${what} has a length of ${Number(most.toPrecision(6))} m; lengths are in metres`]
      : [];
  });
}

function capsuleProblems({ capsules, self_pairs }: Arm['collision']): string[] {
  const unordered = capsules.findIndex(({ link }, i) => link < (capsules[i - 1]?.link ?? 0));
  const missing = [1, 2, 3, 4, 5, 6].filter((link) => !capsules.some((one) => one.link === link));
  const turned = self_pairs.filter(([a, b]) => !(a! + 1 < b!));
  return [
    ...(unordered < 0
      ? []
      : [`Capsule ${capsules[unordered]!.name} is not in the order of the links`]),
    ...missing.map((link) => `Link ${link} has no capsule`),
    ...turned.map(
      ([a, b]) => `Pair ${a}-${b} must name two links that are no neighbours, the lower first`,
    ),
  ];
}

function servoProblems(servos: Arm['servos']): string[] {
  if (servos === undefined) return [];
  const { gripper } = servos;
  const ids = [...servos.list, ...(gripper ? [gripper] : [])].map(({ id }) => id);
  const twice = ids.filter((id, i) => ids.indexOf(id) !== i);
  const bare = [0, 1, 2, 3, 4, 5].filter((joint) =>
    servos.list.every((servo) => servo.joint !== joint),
  );
  return [
    ...twice.map((id) => `Two servos have the id ${id}`),
    ...bare.map((joint) => `J${joint + 1} has no servo`),
    ...(gripper && Math.abs(gripper.open_ticks - gripper.closed_ticks) < GRIPPER_TRAVEL_TICKS
      ? ['The gripper has the same place open and shut: give its positions in steps']
      : []),
  ];
}

/** The problems of the content of an arm file; empty where it is an `Arm` that can be driven. */
export function armProblems(value: unknown): string[] {
  const joints: unknown = (value as Partial<Arm> | null)?.chain?.joints;
  if (Array.isArray(joints) && joints.length !== AXES.length)
    return arrangementProblems(joints, []);
  const check = new Ajv2020({ allErrors: true, strictTypes: false }).compile<Arm>(schema);
  if (!check(value)) return (check.errors ?? []).map(schemaProblem);
  const arm: Arm = value;
  return [
    ...arrangementProblems(arm.chain.joints, arm.flange.offset_m),
    ...limitProblems(arm.chain.joints),
    ...angleProblems(arm),
    ...linkProblems(arm.links.list),
    ...densityProblems(
      arm.links.list.map(({ mass_kg }) => arm.links.mass_scale * mass_kg),
      arm.collision.capsules,
    ),
    ...capsuleProblems(arm.collision),
    ...sizeProblems(arm),
    ...inertiaUnitProblems(arm.links.list),
    ...servoProblems(arm.servos),
  ];
}
