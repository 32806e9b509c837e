/** The six joints of a robot description between a base and a tip, and what moves with each. */
import { ARRANGEMENT, AXES } from '../arrangement.ts';
import { compose, IDENTITY, length, type Transform } from './transform.ts';
import type { Urdf, UrdfJoint, UrdfLink } from './urdf.ts';
import { UrdfError } from './urdf-error.ts';

export interface ChainJoint extends UrdfJoint {
  /** Its frame in that of the joint before, or of the base, with that one at its angle 0. */
  readonly before: Transform;
}

/** A link with its frame in that of the joint that moves it, or of the base. */
export interface Member {
  readonly link: UrdfLink;
  readonly place: Transform;
}

export interface Chain {
  readonly base: string;
  readonly tip: string;
  readonly joints: readonly ChainJoint[];
  /** The frame of the tip in that of the last joint. */
  readonly tip_place: Transform;
  /** What is rigid with the base, and what moves with each joint; other joints are at their 0. */
  readonly members: readonly (readonly Member[])[];
}

/** The ends of the chain, as the names of links. */
export interface ChainEnds {
  readonly base?: string;
  readonly tip?: string;
}

/** How texts call a joint: as the page does, with its name in the file. */
export const calledJoint = (j: number, { name }: Pick<UrdfJoint, 'name'>) => `J${j + 1} (${name})`;

const isFixed = (joint: UrdfJoint) => joint.type === 'fixed';
const turns = ({ type }: UrdfJoint) => type === 'revolute' || type === 'continuous';

/** The links that are rigid with a link, and the joints that move others from there. */
function rigidGroup(urdf: Urdf, link: string): { links: string[]; moving: UrdfJoint[] } {
  const links = [link];
  const moving: UrdfJoint[] = [];
  for (const at of links) {
    for (const joint of urdf.joints) {
      if (joint.parent !== at) continue;
      if (isFixed(joint)) links.push(joint.child);
      else moving.push(joint);
    }
  }
  return { links, moving };
}

function rootOf(urdf: Urdf): string {
  const children = new Set(urdf.joints.map(({ child }) => child));
  const roots = [...urdf.links.keys()].filter((name) => !children.has(name));
  if (roots.length === 1) return roots[0]!;
  const names = roots.join(', ') || 'none: its joints are a ring';
  throw new UrdfError(`The file has several roots (${names}); name the base with --base.`);
}

function requireLink(urdf: Urdf, flag: string, name: string): string {
  if (urdf.links.has(name)) return name;
  const names = [...urdf.links.keys()].join(', ');
  throw new UrdfError(`${flag} ${name}: the file has no such link; it has ${names}.`);
}

/** The end of a chain that goes on as long as one joint alone moves the rest. */
function defaultTip(urdf: Urdf, base: string): string {
  let group = rigidGroup(urdf, base);
  let count = 0;
  while (group.moving.length === 1 && count <= urdf.joints.length) {
    group = rigidGroup(urdf, group.moving[0]!.child);
    count++;
  }
  if (group.moving.length > 1 && count < AXES.length) {
    const names = group.moving.map(({ name }) => name).join(', ');
    throw new UrdfError(
      `Several joints go on from link ${group.links[0]}: ${names}; name the link at the flange with --tip.`,
    );
  }
  const ends = group.links.filter(
    (link) => !urdf.joints.some((joint) => isFixed(joint) && joint.parent === link),
  );
  // The name that the descriptions of ROS-Industrial have for it.
  if (ends.includes('tool0')) return 'tool0';
  if (ends.length === 1 || count !== AXES.length) return ends[0]!;
  throw new UrdfError(
    `The arm ends in several links: ${ends.join(', ')}; name the one at its flange with --tip.`,
  );
}

function pathTo(urdf: Urdf, base: string, tip: string): UrdfJoint[] {
  const path: UrdfJoint[] = [];
  for (let link = tip; link !== base; ) {
    const joint = urdf.joints.find(({ child }) => child === link);
    if (!joint || path.length > urdf.joints.length) {
      throw new UrdfError(`There is no chain of joints from ${base} to ${tip}.`);
    }
    path.unshift(joint);
    link = joint.parent;
  }
  return path;
}

function jointProblems(joints: readonly UrdfJoint[], { base, tip }: Required<ChainEnds>): string[] {
  const problems = joints.flatMap((joint, j) => {
    const name = calledJoint(j, joint);
    if (!turns(joint)) {
      return [`${name} is ${joint.type}; an arm has turning joints only.`];
    }
    if (joint.mimics !== null) return [`${name} follows ${joint.mimics}; it must move by itself.`];
    if (!(length(joint.axis) > 0)) return [`${name} has an axis without a direction.`];
    return [];
  });
  if (joints.length === AXES.length) return problems;
  const names = joints.map(({ name }) => name).join(', ') || 'none';
  return [
    ...problems,
    `It has ${joints.length} joints from ${base} to ${tip}: ${names}.${endsHint(joints)} ${ARRANGEMENT}`,
  ];
}

/** The flag that takes six joints out of more: what comes before turning ones, or after six. */
function endsHint(joints: readonly UrdfJoint[]): string {
  if (joints.length <= AXES.length) return '';
  const [first, last] = [joints.findIndex(turns), joints.slice(0, AXES.length).at(-1)!];
  if (first > 0) return ` --base ${joints[first]!.parent} begins with ${joints[first]!.name}.`;
  return ` If what comes after ${last.name} is a gripper, --tip ${last.child} leaves it out.`;
}

function membersOf(urdf: Urdf, base: string, chain: readonly UrdfJoint[]): Member[][] {
  const members: Member[][] = Array.from({ length: chain.length + 1 }, () => []);
  const open = [{ name: base, at: 0, place: IDENTITY }];
  for (const { name, at, place } of open) {
    members[at]!.push({ link: urdf.links.get(name)!, place });
    for (const joint of urdf.joints) {
      if (joint.parent !== name) continue;
      const moved = chain.indexOf(joint);
      const next = moved < 0 ? compose(place, joint.origin) : IDENTITY;
      open.push({ name: joint.child, at: moved < 0 ? at : moved + 1, place: next });
    }
  }
  return members;
}

/** Finds the chain of an arm. Throws a `UrdfError` where there are not six joints that turn. */
export function chainOf(urdf: Urdf, ends: ChainEnds): Chain {
  const base = ends.base === undefined ? rootOf(urdf) : requireLink(urdf, '--base', ends.base);
  const tip =
    ends.tip === undefined ? defaultTip(urdf, base) : requireLink(urdf, '--tip', ends.tip);
  const joints: ChainJoint[] = [];
  let place = IDENTITY;
  for (const joint of pathTo(urdf, base, tip)) {
    place = compose(place, joint.origin);
    if (isFixed(joint)) continue;
    joints.push({ ...joint, before: place });
    place = IDENTITY;
  }
  const problems = jointProblems(joints, { base, tip });
  if (problems.length > 0) throw new UrdfError(...problems);
  const inFile = joints.map(({ name }) => urdf.joints.find((joint) => joint.name === name)!);
  return { base, tip, joints, tip_place: place, members: membersOf(urdf, base, inFile) };
}
