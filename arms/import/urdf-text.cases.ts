/** Robot descriptions as other programs write them, for tests: of an arm, or with a change. */
import type { Arm, ArmJoint } from '../arm.ts';

const AXES = { '+z': '0 0 1', '-z': '0 0 -1', '+y': '0 1 0', '-y': '0 -1 0' } as const;

export interface DescribedJoint {
  name: string;
  type: string;
  xyz: readonly number[];
  rpy: readonly number[];
  axis: string;
  /** Attributes of its limit; null: none. */
  limit: Record<string, number> | null;
}

export interface DescribedLink {
  name: string;
  mass_kg: number;
  /** The content of its inertia. */
  inertia_kg_m2: readonly number[];
  com_m: readonly number[];
  /** Elements of its shapes. */
  shapes: string;
}

export interface Description {
  links: DescribedLink[];
  joints: DescribedJoint[];
  flange_m: readonly number[];
  /** More elements of the robot. */
  more: string;
}

const zeroTurn = ({ axis, zero_rad = 0 }: ArmJoint): number[] => {
  const angle = axis.startsWith('-') ? -zero_rad : zero_rad;
  return axis.endsWith('z') ? [0, 0, angle] : [0, angle, 0];
};

/** The description of an arm, with frames as the twin has them. */
export function describe(arm: Arm): Description {
  const links = arm.links.list.map(({ name, mass_kg, inertia_kg_m2, com_m }, i) => ({
    name: `link_${name}`,
    mass_kg: mass_kg * arm.links.mass_scale,
    inertia_kg_m2: inertia_kg_m2.map((value) => value * arm.links.mass_scale),
    com_m,
    shapes: arm.collision.capsules
      .filter(({ link }) => link === i)
      .flatMap(({ from_m, to_m, radius_m }) =>
        [from_m, to_m].map(
          (centre) =>
            `<collision><origin xyz="${centre.join(' ')}"/><geometry><sphere radius="${radius_m}"/></geometry></collision>`,
        ),
      )
      .join(''),
  }));
  const joints = arm.chain.joints.map((joint, j) => ({
    name: `axis_${j + 1}`,
    type: 'revolute',
    xyz: joint.offset_m,
    rpy: zeroTurn(joint),
    axis: AXES[joint.axis],
    limit: {
      lower: joint.software_limit_rad[0]!,
      upper: joint.software_limit_rad[1]!,
      velocity: arm.motion.velocity_max_rad_s[j]!,
      effort: arm.drive.torque_max_n_m[j]!,
    },
  }));
  return { links, joints, flange_m: arm.flange.offset_m, more: '' };
}

function linkText({ name, mass_kg, inertia_kg_m2, com_m, shapes }: DescribedLink): string {
  const names = ['ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz'];
  const tensor = names.map((one, i) => `${one}="${inertia_kg_m2[i]}"`).join(' ');
  const inertial = `<inertial><origin xyz="${com_m.join(' ')}"/><mass value="${mass_kg}"/><inertia ${tensor}/></inertial>`;
  return `<link name="${name}">${inertial}${shapes}</link>`;
}

/** The text of a description. */
export function urdfText({ links, joints, flange_m, more }: Description): string {
  const moving = joints.map(({ name, type, xyz, rpy, axis, limit }, j) => {
    const values = Object.entries(limit ?? {}).map(([key, value]) => `${key}="${value}"`);
    return `<joint name="${name}" type="${type}">
  <parent link="${links[j]!.name}"/><child link="${links[j + 1]!.name}"/>
  <origin xyz="${xyz.join(' ')}" rpy="${rpy.join(' ')}"/><axis xyz="${axis}"/>
  ${limit ? `<limit ${values.join(' ')}/>` : ''}
</joint>`;
  });
  const flange = `<link name="flange"/><joint name="flange_joint" type="fixed">
  <parent link="${links.at(-1)!.name}"/><child link="flange"/><origin xyz="${flange_m.join(' ')}"/>
</joint>`;
  return `<?xml version="1.0"?>
<!-- An arm, for tests. -->
<robot name="tested">
${[...links.map(linkText), ...moving, flange, more].join('\n')}
</robot>
`;
}
