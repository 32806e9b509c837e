/**
 * Links and joints of a robot description (URDF). Metres, kilograms, radians. What has no meaning
 * for an arm (materials, transmissions, simulators' elements) is not read.
 */
import { placed, type Transform, type Vector, ZERO } from './transform.ts';
import { UrdfError } from './urdf-error.ts';
import { parseXml, type XmlElement } from './xml.ts';

export interface UrdfInertial {
  /** The frame of the inertia in that of the link: its origin is the centre of mass. */
  readonly origin: Transform;
  readonly mass_kg: number;
  /** Ixx, Iyy, Izz, Ixy, Ixz, Iyz as tensor elements. */
  readonly inertia_kg_m2: readonly number[];
}

export type UrdfSolid =
  | { readonly kind: 'mesh'; readonly file: string; readonly scale: Vector }
  | { readonly kind: 'box'; readonly size_m: Vector }
  | { readonly kind: 'cylinder'; readonly radius_m: number; readonly length_m: number }
  | { readonly kind: 'sphere'; readonly radius_m: number };

export interface UrdfShape {
  readonly origin: Transform;
  readonly solid: UrdfSolid;
}

export interface UrdfLink {
  readonly name: string;
  readonly inertial: UrdfInertial | null;
  readonly collision: readonly UrdfShape[];
  readonly visual: readonly UrdfShape[];
}

export interface UrdfJoint {
  readonly name: string;
  readonly type: string;
  readonly parent: string;
  readonly child: string;
  readonly origin: Transform;
  /** In the frame of the joint; not always of length 1. */
  readonly axis: Vector;
  /** Null where the file has none. */
  readonly range_rad: readonly [number, number] | null;
  /** Speed and torque limits; 0 where the file has none. */
  readonly velocity: number;
  readonly effort: number;
  readonly damping: number;
  readonly friction: number;
  readonly mimics: string | null;
}

export interface Urdf {
  readonly name: string;
  readonly links: ReadonlyMap<string, UrdfLink>;
  readonly joints: readonly UrdfJoint[];
}

const TYPES = ['revolute', 'continuous', 'prismatic', 'fixed', 'floating', 'planar'];

const childOf = (element: XmlElement | undefined, name: string) =>
  element?.children.find((child) => child.name === name);

const at = ({ line, name }: XmlElement) => `Line ${line}, <${name}>`;

function attribute(element: XmlElement, name: string): string {
  const value = element.attributes[name]?.trim();
  if (value) return value;
  throw new UrdfError(`${at(element)}: the attribute ${name} is missing.`);
}

/** How a description that is a program becomes one. */
const EXPAND = 'expand the file with xacro first (xacro FILE > arm.urdf; it comes with ROS)';

/** Why the text of an attribute is not what it must be. */
function attributeError(element: XmlElement, name: string, text: string, what: string): UrdfError {
  const hint = /\$\{|\$\(/.test(text) ? `; ${EXPAND}` : '';
  return new UrdfError(`${at(element)}: ${name}="${text}" ${what}${hint}.`);
}

function numberOf(element: XmlElement, name: string, text: string): number {
  const value = Number(text);
  if (text !== '' && Number.isFinite(value)) return value;
  throw attributeError(element, name, text, 'is no number');
}

/** A number of an element that may be absent; `without` where it or its attribute is. */
function amountOf(element: XmlElement | undefined, name: string, without: number): number {
  const text = element?.attributes[name]?.trim();
  return element === undefined || text === undefined ? without : numberOf(element, name, text);
}

function vectorOf(element: XmlElement | undefined, name: string, without: Vector): Vector {
  const text = element?.attributes[name]?.trim();
  if (element === undefined || text === undefined) return without;
  const [x, y, z, ...more] = text.split(/\s+/).map(Number);
  const isVector = [x, y, z].every(Number.isFinite) && more.length === 0;
  if (isVector) return [x!, y!, z!];
  throw attributeError(element, name, text, 'must be three numbers with spaces between them');
}

function originOf(element: XmlElement | undefined): Transform {
  const origin = childOf(element, 'origin');
  return placed(vectorOf(origin, 'xyz', ZERO), vectorOf(origin, 'rpy', ZERO));
}

/** Sizes of a shape; 0 is a point, which descriptions put where a link has none. */
function sized(solid: XmlElement, size_m: number): number {
  if (size_m >= 0) return size_m;
  throw new UrdfError(`${at(solid)}: a size is below 0: ${size_m}.`);
}

function boxOf(box: XmlElement): Vector {
  const [x, y, z] = vectorOf(box, 'size', ZERO);
  return [sized(box, x), sized(box, y), sized(box, z)];
}

function solidOf(geometry: XmlElement): UrdfSolid {
  const [solid] = geometry.children;
  const size = (name: string) => sized(solid!, numberOf(solid!, name, attribute(solid!, name)));
  switch (solid?.name) {
    case 'mesh':
      return {
        kind: 'mesh',
        file: attribute(solid, 'filename'),
        scale: vectorOf(solid, 'scale', [1, 1, 1]),
      };
    case 'box':
      return { kind: 'box', size_m: boxOf(solid) };
    case 'cylinder':
      return { kind: 'cylinder', radius_m: size('radius'), length_m: size('length') };
    case 'sphere':
      return { kind: 'sphere', radius_m: size('radius') };
    default:
      throw new UrdfError(
        `${at(geometry)}: a shape must be a mesh, box, cylinder or sphere, not ${solid?.name}.`,
      );
  }
}

function shapesOf(link: XmlElement, use: string): UrdfShape[] {
  return link.children
    .filter(({ name }) => name === use)
    .map((shape) => {
      const geometry = childOf(shape, 'geometry');
      if (!geometry) throw new UrdfError(`${at(shape)}: it has no geometry.`);
      return { origin: originOf(shape), solid: solidOf(geometry) };
    });
}

function inertialOf(link: XmlElement): UrdfInertial | null {
  const inertial = childOf(link, 'inertial');
  if (!inertial) return null;
  const inertia = childOf(inertial, 'inertia');
  return {
    origin: originOf(inertial),
    mass_kg: amountOf(childOf(inertial, 'mass'), 'value', 0),
    inertia_kg_m2: ['ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz'].map((name) =>
      amountOf(inertia, name, 0),
    ),
  };
}

function linkOf(element: XmlElement): UrdfLink {
  return {
    name: attribute(element, 'name'),
    inertial: inertialOf(element),
    collision: shapesOf(element, 'collision'),
    visual: shapesOf(element, 'visual'),
  };
}

function rangeOf(limit: XmlElement | undefined): readonly [number, number] | null {
  if (limit?.attributes['lower'] === undefined && limit?.attributes['upper'] === undefined) {
    return null;
  }
  return [amountOf(limit, 'lower', 0), amountOf(limit, 'upper', 0)];
}

function jointOf(element: XmlElement): UrdfJoint {
  const end = (name: string): string => {
    const link = childOf(element, name);
    if (!link) throw new UrdfError(`${at(element)}: it names no ${name} link.`);
    return attribute(link, 'link');
  };
  const limit = childOf(element, 'limit');
  const dynamics = childOf(element, 'dynamics');
  const type = attribute(element, 'type');
  if (!TYPES.includes(type)) {
    throw new UrdfError(`${at(element)}: type="${type}" must be one of ${TYPES.join(', ')}.`);
  }
  return {
    name: attribute(element, 'name'),
    type,
    parent: end('parent'),
    child: end('child'),
    origin: originOf(element),
    axis: vectorOf(childOf(element, 'axis'), 'xyz', [1, 0, 0]),
    range_rad: rangeOf(limit),
    velocity: amountOf(limit, 'velocity', 0),
    effort: amountOf(limit, 'effort', 0),
    damping: amountOf(dynamics, 'damping', 0),
    friction: amountOf(dynamics, 'friction', 0),
    mimics: childOf(element, 'mimic')?.attributes['joint'] ?? null,
  };
}

/** The names that stand more than once in a list. */
const twiceIn = (names: readonly string[]) => names.filter((name, i) => names.indexOf(name) !== i);

/** Why links and joints are no tree. */
function treeProblems(links: readonly UrdfLink[], joints: readonly UrdfJoint[]): string[] {
  const names = links.map(({ name }) => name);
  const unknown = joints.flatMap(({ name, parent, child }) =>
    [parent, child]
      .filter((link) => !names.includes(link))
      .map((link) => `Joint ${name} names the link ${link}, which the file does not have.`),
  );
  return [
    ...twiceIn(names).map((name) => `There are two links ${name}.`),
    ...twiceIn(joints.map(({ name }) => name)).map((name) => `There are two joints ${name}.`),
    ...unknown,
    ...twiceIn(joints.map(({ child }) => child)).map(
      (name) => `Link ${name} is the child of two joints.`,
    ),
  ];
}

/** What stays of xacro in files that need it no more: values, which nothing uses. */
const XACRO_VALUES = ['xacro:property', 'xacro:arg'];

/** The first element that xacro would replace, at any depth. */
function xacroIn(element: XmlElement): XmlElement | undefined {
  for (const child of element.children) {
    const isLeft = child.name.startsWith('xacro:') && !XACRO_VALUES.includes(child.name);
    const found = isLeft ? child : xacroIn(child);
    if (found) return found;
  }
  return undefined;
}

/** Reads a robot description. Throws a `UrdfError` that says where it is wrong. */
export function parseUrdf(text: string): Urdf {
  const robot = parseXml(text);
  if (robot.name !== 'robot') {
    throw new UrdfError(`The file holds <${robot.name}>; a robot description holds <robot>.`);
  }
  const xacro = xacroIn(robot);
  if (xacro) throw new UrdfError(`${at(xacro)}: ${EXPAND}.`);
  const of = (name: string) => robot.children.filter((child) => child.name === name);
  const links = of('link').map(linkOf);
  const joints = of('joint').map(jointOf);
  const problems = treeProblems(links, joints);
  if (links.length === 0) problems.push('The file has no links.');
  if (problems.length > 0) throw new UrdfError(...problems);
  return {
    name: robot.attributes['name'] ?? 'robot',
    links: new Map(links.map((link) => [link.name, link])),
    joints,
  };
}
