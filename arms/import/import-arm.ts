/** An arm from a robot description (URDF): checked, fitted, and completed where the file is silent. */
import { GRAVITY_M_S2 } from '../../physics/dynamics/gravity.ts';
import type { Arm, ArmCapsule, ArmJoint, ArmLink } from '../arm.ts';
import { armProblems, densityProblems, inertiaUnitProblems } from '../arm-problems.ts';
import defaultData from '../default/arm.json' with { type: 'json' };
import {
  anglesOf,
  axisReach,
  framesAt,
  jointLoads,
  linkPairs,
  type PosedArm,
} from './arm-poses.ts';
import { fitCapsules, namedCapsules, worstGap } from './capsule-fit.ts';
import { type Chain, type ChainEnds, calledJoint, chainOf } from './chain.ts';
import { estimatesOf } from './estimates.ts';
import { type FittedChain, fitArrangement } from './fit-arrangement.ts';
import { jointRange, STOP_BEYOND_RAD, speedProblem } from './joint-range.ts';
import { hasBaseMass, linkMasses } from './link-masses.ts';
import { linkSurfaces, type ReadMesh } from './link-surface.ts';
import type { Triangle } from './mesh-file.ts';
import {
  compose,
  IDENTITY,
  inverse,
  length,
  minus,
  normalised,
  type Transform,
  turned,
} from './transform.ts';
import { parseUrdf } from './urdf.ts';
import { UrdfError } from './urdf-error.ts';

export interface ArmDescription {
  /** The URDF. */
  readonly text: string;
  /** What the sources of the arm call it. */
  readonly source: string;
  readonly ends: ChainEnds;
  readonly read: ReadMesh;
  /** The most that the arm carries; estimated where it is not given. */
  readonly payload_kg?: number;
}

export interface ImportedArm {
  readonly arm: Arm;
  readonly base: string;
  readonly tip: string;
  /** The joints of the file, in order. */
  readonly joints: readonly string[];
  /** How far the tip of the twin is at most from that of the file (m, rad), over its range. */
  readonly deviation_m: number;
  readonly deviation_rad: number;
  /** By link, how far its capsules stand out from its surface (m); null without a surface. */
  readonly gaps_m: readonly (number | null)[];
  /** What was changed, estimated or left out. */
  readonly remarks: readonly string[];
}

const defaults = defaultData as Arm;

/** Radius of the capsule of a link without shapes (m). */
const BARE_RADIUS_M = 0.04;
/** Share of what J2 and J3 could lift, stretched, that counts as payload. */
const PAYLOAD_SHARE = 0.25;
const LEAST_PAYLOAD_KG = 0.05;
const POSES_COMPARED = 500;
/** Deviations below this are rounding of the computation. */
const EXACT = 1e-9;

function armJoints(chain: Chain, fitted: FittedChain, remarks: string[]): ArmJoint[] {
  const ranges = chain.joints.map(jointRange);
  const speeds = chain.joints.map(speedProblem);
  const problems = [...ranges.map(({ problem }) => problem), ...speeds].flatMap((one) => one ?? []);
  if (problems.length > 0) throw new UrdfError(...problems);
  remarks.push(...ranges.flatMap(({ remark }) => remark ?? []));
  return fitted.joints.map((joint, j) => {
    const [low, high] = ranges[j]!.range_rad!;
    return {
      ...joint,
      software_limit_rad: [low, high],
      mechanical_limit_rad: [low - STOP_BEYOND_RAD, high + STOP_BEYOND_RAD],
    };
  });
}

/** The angle of the turn between two frames (rad), exact for small ones. */
function turnBetween(a: Transform, b: Transform): number {
  const { rotation: r } = compose(inverse(a), b);
  const sine = Math.hypot(r[7]! - r[5]!, r[2]! - r[6]!, r[3]! - r[1]!) / 2;
  return Math.atan2(sine, (r[0]! + r[4]! + r[8]! - 1) / 2);
}

/** Where the file has its tip, in the frame of its base. */
function tipOfFile({ joints, tip_place }: Chain, q: readonly number[]): Transform {
  const last = joints.reduce(
    (at, joint, j) => compose(compose(at, joint.before), turned(normalised(joint.axis), q[j]!)),
    IDENTITY,
  );
  return compose(last, tip_place);
}

/** The largest distance and turn between the tip of the twin and that of the file. */
function deviationOf(chain: Chain, fitted: FittedChain, joints: readonly ArmJoint[]) {
  let [deviation_m, deviation_rad] = [0, 0];
  const toTip = { rotation: fitted.tip.rotation, shift_m: IDENTITY.shift_m };
  for (const q of anglesOf(joints, POSES_COMPARED)) {
    const flange = framesAt({ joints, flange_m: fitted.flange_m }, q)[7]!;
    const ours = compose(compose(fitted.frames[0]!, flange), toTip);
    const theirs = tipOfFile(chain, q);
    deviation_m = Math.max(deviation_m, length(minus(ours.shift_m, theirs.shift_m)));
    deviation_rad = Math.max(deviation_rad, turnBetween(ours, theirs));
  }
  return { deviation_m, deviation_rad };
}

/** A capsule for a link without a shape: from its joint to the next. */
function bareCapsule(link: number, { joints, flange_m }: FittedChain): ArmCapsule {
  const to_m = link < 6 ? joints[link]!.offset_m : flange_m;
  const [capsule] = namedCapsules(link, [
    { from_m: [0, 0, 0], to_m: [to_m[0]!, to_m[1]!, to_m[2]!], radius_m: BARE_RADIUS_M },
  ]);
  return capsule!;
}

interface FittedShapes {
  readonly capsules: ArmCapsule[];
  readonly gaps_m: (number | null)[];
}

/** The density of what has a shape: one without may stand for more than its capsule. */
function shownDensity(links: readonly ArmLink[], { capsules, gaps_m }: FittedShapes): string[] {
  const isShown = (link: number) => gaps_m[link] !== null;
  return densityProblems(
    links.filter((_, link) => isShown(link)).map(({ mass_kg }) => mass_kg),
    capsules.filter(({ link }) => isShown(link)),
  );
}

function fitShapes(
  fitted: FittedChain,
  surfaces: readonly (readonly Triangle[])[],
  remarks: string[],
): FittedShapes {
  const gaps_m: (number | null)[] = [];
  const capsules = surfaces.flatMap((surface, link) => {
    const fits = fitCapsules(surface);
    gaps_m.push(fits.length === 0 ? null : worstGap(fits, surface));
    if (fits.length > 0) return namedCapsules(link, fits);
    const name = link === 0 ? 'The base' : `Link ${link} (moved by J${link})`;
    remarks.push(`${name} has no shape; a capsule of ${1000 * BARE_RADIUS_M} mm stands for it.`);
    return [bareCapsule(link, fitted)];
  });
  return { capsules, gaps_m };
}

/** What is left of the effort of J2 and J3 over the stretched arm, in part. */
function estimatedPayload(chain: Chain, posed: PosedArm, reach_m: readonly number[]): number {
  const { holding_n_m } = jointLoads(posed, 0);
  const spare = [1, 2].map((j) => {
    const { effort } = chain.joints[j]!;
    const torque = effort > holding_n_m[j]! ? effort : 2 * holding_n_m[j]!;
    const capped = Math.min(torque, 4 * holding_n_m[j]!);
    return (capped - holding_n_m[j]!) / (GRAVITY_M_S2 * Math.max(reach_m[j]!, 0.05));
  });
  return Math.max(LEAST_PAYLOAD_KG, Number((PAYLOAD_SHARE * Math.min(...spare)).toPrecision(2)));
}

/** Inertias that no body inside of the capsules of its link has: numbers that stand for others. */
function placeholderRemarks(links: readonly ArmLink[], capsules: readonly ArmCapsule[]): string[] {
  return links.flatMap(({ mass_kg, com_m, inertia_kg_m2 }, i) => {
    const ends = capsules.filter(({ link }) => link === i);
    const farthest_m = Math.max(
      ...ends.flatMap(({ from_m, to_m, radius_m }) =>
        [from_m, to_m].map(
          (end) => radius_m + Math.hypot(...end.map((value, k) => value - com_m[k]!)),
        ),
      ),
    );
    const gyration_m = Math.sqrt(Math.max(...inertia_kg_m2.slice(0, 3)) / mass_kg);
    if (i === 0 || gyration_m <= farthest_m) return [];
    const size = `${(1000 * gyration_m).toFixed(0)} mm from its centre`;
    return [
      `Link ${i} (moved by J${i}) has the inertia of a mass ${size}, outside of its shape: ` +
        'a placeholder? Its accelerations are limited by it.',
    ];
  });
}

function placeRemarks(chain: Chain, { frames, tip }: FittedChain): string[] {
  const remarks: string[] = [];
  const [x, y] = frames[0]!.shift_m;
  if (Math.hypot(x, y) > EXACT) {
    const aside = [x, y].map((value) => `${(1000 * value).toFixed(2)} mm`).join(', ');
    remarks.push(`The robot frame stands on axis 1, at ${aside} in link ${chain.base}.`);
  }
  const turn = turnBetween(IDENTITY, { ...tip, shift_m: IDENTITY.shift_m });
  if (turn > 1e-3) {
    const degrees = `${((180 * turn) / Math.PI).toFixed(1)}°`;
    remarks.push(
      `The frame of ${chain.tip} is turned by ${degrees} to the flange, z along axis 6.`,
    );
  }
  return remarks;
}

/** Makes an arm of a robot description. Throws a `UrdfError` with what does not fit. */
export function importArm({ text, source, ends, read, payload_kg }: ArmDescription): ImportedArm {
  const urdf = parseUrdf(text);
  const chain = chainOf(urdf, ends);
  const fitted = fitArrangement(chain);
  const remarks = placeRemarks(chain, fitted);
  const joints = armJoints(chain, fitted, remarks);
  const links: ArmLink[] = linkMasses(chain, fitted.frames);
  if (!hasBaseMass(chain))
    remarks.push('The base has no mass; 1 kg is taken, which moves nothing.');
  const surfaces = linkSurfaces(chain, fitted.frames, read);
  const shapes = fitShapes(fitted, surfaces, remarks);
  const { capsules, gaps_m } = shapes;
  const units = [...shownDensity(links, shapes), ...inertiaUnitProblems(links)];
  if (units.length > 0) throw new UrdfError(...units);
  remarks.push(...placeholderRemarks(links, capsules));
  const { flange_m } = fitted;
  const posed: PosedArm = { joints, flange_m, links, capsules, payload: defaults.payload };
  const axis_reach_m = axisReach(posed);
  const reach_m = axis_reach_m.map((row) => row[6]!);
  const carries_kg = payload_kg ?? estimatedPayload(chain, posed, reach_m);
  if (payload_kg === undefined) {
    remarks.push(`A payload of ${carries_kg} kg is an estimate; give the maker's with --payload.`);
  }
  const { unchecked, ...pairs } = linkPairs(posed);
  if (unchecked.length > 0) {
    const names = unchecked.map(([a, b]) => `${a}-${b === 7 ? 'tool' : b}`).join(', ');
    remarks.push(`Links that meet at the zero angles, or always, are not checked: ${names}.`);
  }
  const loads = jointLoads(posed, carries_kg);
  const estimates = estimatesOf({ joints: chain.joints, loads, payload_kg: carries_kg });
  remarks.push(...estimates.remarks);
  const from = { mark: 'confirmed', sources: [source] } as const;
  const mass_kg = links.reduce((sum, link) => sum + link.mass_kg, 0);
  const arm: Arm = {
    about: `${urdf.name}, from ${source}. Joints: ${chain.joints.map(({ name }) => name).join(', ')}.`,
    chain: { ...from, joints },
    flange: { ...from, offset_m: flange_m },
    ratings: {
      mark: 'estimate',
      mass_kg: Number(mass_kg.toPrecision(4)),
      payload_max_kg: carries_kg,
      reach_m: reach_m[0]!,
      joint_speed_rad_s: Math.max(...estimates.groups.motion.velocity_max_rad_s),
    },
    links: { ...from, mass_scale: 1, list: links },
    collision: {
      mark: 'estimate',
      sources: [`Capsules fitted to the shapes of ${source}`],
      capsules,
      ...pairs,
      axis_reach_m,
      axis_reach_guard_m: defaults.collision.axis_reach_guard_m,
    },
    ...estimates.groups,
  };
  const called = chain.joints.map((joint, j) => calledJoint(j, joint));
  const problems = armProblems(arm).map((problem) =>
    problem.replace(/^J([1-6])\b/, (_, joint) => called[joint - 1]!),
  );
  if (problems.length > 0) throw new UrdfError(...problems);
  const { base, tip } = chain;
  return { arm, base, tip, joints: called, ...deviationOf(chain, fitted, joints), gaps_m, remarks };
}
