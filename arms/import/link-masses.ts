/** Mass, centre and inertia of what each joint moves, in the frames of the twin. */
import type { ArmLink } from '../arm.ts';
import { isPositiveDefinite, rigidBodyProblem } from '../rigid-body.ts';
import { type Chain, calledJoint, type Member } from './chain.ts';
import {
  compose,
  dot,
  inverse,
  minus,
  moved,
  plus,
  scaled,
  type Transform,
  type Vector,
  ZERO,
} from './transform.ts';
import type { UrdfInertial } from './urdf.ts';
import { UrdfError } from './urdf-error.ts';

/** What a base has that the file gives no mass: it moves nothing. */
const BASE_MASS_KG = 1;
const BASE_INERTIA_KG_M2 = [0.01, 0.01, 0.01, 0, 0, 0];

interface Body {
  readonly mass_kg: number;
  readonly centre_m: Vector;
  /** Rows of the tensor about the centre. */
  readonly tensor: readonly Vector[];
}

const tensorOf = ([xx, yy, zz, xy, xz, yz]: readonly number[]): Vector[] => [
  [xx!, xy!, xz!],
  [xy!, yy!, yz!],
  [xz!, yz!, zz!],
];

/** The tensor of a body whose frame is turned. */
function turnedTensor({ rotation: r }: Transform, tensor: readonly Vector[]): Vector[] {
  const rows = [0, 1, 2].map((i): Vector => [r[3 * i]!, r[3 * i + 1]!, r[3 * i + 2]!]);
  return rows.map((row) => {
    const [x, y, z] = rows.map((other) =>
      dot(row, [dot(tensor[0]!, other), dot(tensor[1]!, other), dot(tensor[2]!, other)]),
    );
    return [x!, y!, z!];
  });
}

function bodyOf({ origin, mass_kg, inertia_kg_m2 }: UrdfInertial, place: Transform): Body {
  const frame = compose(place, origin);
  const tensor = turnedTensor(frame, tensorOf(inertia_kg_m2));
  return { mass_kg, centre_m: moved(frame, ZERO), tensor };
}

/** Several bodies as one: Steiner's rule. */
function together(bodies: readonly Body[]): Body {
  const mass_kg = bodies.reduce((sum, body) => sum + body.mass_kg, 0);
  const moment = bodies.reduce((sum, body) => plus(sum, scaled(body.centre_m, body.mass_kg)), ZERO);
  const centre_m = scaled(moment, 1 / mass_kg);
  const element = (i: number, k: number) =>
    bodies.reduce((sum, body) => {
      const d = minus(body.centre_m, centre_m);
      const shift = (i === k ? dot(d, d) : 0) - d[i]! * d[k]!;
      return sum + body.tensor[i]![k]! + body.mass_kg * shift;
    }, 0);
  const tensor = [0, 1, 2].map((i): Vector => [element(i, 0), element(i, 1), element(i, 2)]);
  return { mass_kg, centre_m, tensor };
}

const elementsOf = ([x, y, z]: readonly Vector[]) => [x![0], y![1], z![2], x![1], x![2], y![2]];

/** Who a link of the file is moved by. */
function movedBy({ joints }: Chain, i: number): string {
  return i === 0 ? 'rigid with the base' : `moved by ${calledJoint(i - 1, joints[i - 1]!)}`;
}

function inertialProblems(chain: Chain): string[] {
  return chain.members.flatMap((members, i) => {
    const weighty = members.filter(({ link }) => (link.inertial?.mass_kg ?? 0) !== 0);
    const problems = weighty.flatMap(({ link }) => {
      const { mass_kg, inertia_kg_m2 } = link.inertial!;
      const named = `Link ${link.name} (${movedBy(chain, i)})`;
      if (mass_kg < 0) return [`${named} has a mass below 0: ${mass_kg} kg.`];
      if (isPositiveDefinite(inertia_kg_m2)) return [];
      const moments = inertia_kg_m2.slice(0, 3).join(', ');
      return [
        `${named} has an inertia that is not positive definite (ixx, iyy, izz: ${moments}); ` +
          'give it that of its mass and shape.',
      ];
    });
    if (i === 0 || weighty.length > 0) return problems;
    const names = members.map(({ link }) => link.name).join(', ');
    const joint = calledJoint(i - 1, chain.joints[i - 1]!);
    return [`${joint} moves links without mass: ${names}; give one an <inertial> with its mass.`];
  });
}

function bodyOfMembers(members: readonly Member[], frame: Transform): Body | null {
  const back = inverse(frame);
  const bodies = members.flatMap(({ link: { inertial }, place }) =>
    inertial && inertial.mass_kg > 0 ? [bodyOf(inertial, compose(back, place))] : [],
  );
  return bodies.length === 0 ? null : together(bodies);
}

/** Base and links 1 to 6. Throws a `UrdfError` with the link and the joint that moves it. */
export function linkMasses(chain: Chain, frames: readonly Transform[]): ArmLink[] {
  const problems = inertialProblems(chain);
  if (problems.length > 0) throw new UrdfError(...problems);
  const links = chain.members.map((members, i): ArmLink => {
    const body = bodyOfMembers(members, frames[i]!);
    const name = i === 0 ? 'base' : String(i);
    if (body === null) {
      return { name, mass_kg: BASE_MASS_KG, com_m: ZERO, inertia_kg_m2: BASE_INERTIA_KG_M2 };
    }
    const { mass_kg, centre_m, tensor } = body;
    return { name, mass_kg, com_m: centre_m, inertia_kg_m2: elementsOf(tensor) };
  });
  const impossible = links.flatMap(({ inertia_kg_m2 }, i) => {
    const problem = rigidBodyProblem(inertia_kg_m2);
    return problem === null ? [] : [`What is ${movedBy(chain, i)} ${problem}.`];
  });
  if (impossible.length > 0) throw new UrdfError(...impossible);
  return links;
}

/** Whether the file gives the base a mass. */
export const hasBaseMass = ({ members }: Chain): boolean =>
  members[0]!.some(({ link }) => (link.inertial?.mass_kg ?? 0) > 0);
