/** Robot descriptions become arms, or are refused with the joint and the amount that does not fit. */
import { DOMParser } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { largestDifference } from '../../physics/math/vector.ts';
import { armProblems } from '../arm-problems.ts';
import { SHIPPED_ARMS } from '../shipped-arms.ts';
import { importArm } from './import-arm.ts';
import type { ReadMesh } from './link-surface.ts';
import { UrdfError } from './urdf-error.ts';
import { type Description, describe as described, urdfText } from './urdf-text.cases.ts';
import { parseXml, type XmlElement } from './xml.ts';

const DEFAULT = SHIPPED_ARMS['default']!;
const noMesh: ReadMesh = () => null;

function imported(text: string, read = noMesh, ends = {}) {
  return importArm({ text, source: 'tested.urdf', ends, read });
}

/** The description of the default arm with a change. */
function changed(change: (description: Description) => void): string {
  const description = structuredClone(described(DEFAULT));
  change(description);
  return urdfText(description);
}

function problemsOf(text: string, read = noMesh, ends = {}): readonly string[] {
  try {
    imported(text, read, ends);
  } catch (error) {
    if (error instanceof UrdfError) return error.problems;
    throw error;
  }
  return [];
}

describe('the description of an arm', () => {
  it.each(Object.entries(SHIPPED_ARMS))('of %s gives the arm back', (_, arm) => {
    const { arm: back, deviation_m, deviation_rad, tip } = imported(urdfText(described(arm)));
    expect(armProblems(back)).toEqual([]);
    expect(tip).toBe('flange');
    expect([deviation_m, deviation_rad]).toEqual([expect.closeTo(0, 9), expect.closeTo(0, 9)]);
    back.chain.joints.forEach((joint, j) => {
      const given = arm.chain.joints[j]!;
      expect(joint.axis).toBe(given.axis);
      expect(joint.zero_rad).toBeCloseTo(given.zero_rad ?? 0, 12);
      expect(joint.software_limit_rad).toEqual(given.software_limit_rad);
      expect(largestDifference(joint.offset_m, given.offset_m)).toBeLessThan(1e-12);
    });
    back.links.list.forEach((link, i) => {
      const { mass_scale, list } = arm.links;
      const { mass_kg, com_m, inertia_kg_m2 } = list[i]!;
      expect(link.mass_kg).toBeCloseTo(mass_scale * mass_kg, 12);
      expect(largestDifference(link.com_m, com_m)).toBeLessThan(1e-12);
      const scaled = inertia_kg_m2.map((value) => mass_scale * value);
      expect(largestDifference(link.inertia_kg_m2, scaled)).toBeLessThan(1e-12);
    });
  });

  it('counts angles from where its joints do, in their directions', () => {
    const text = changed(({ joints }) => {
      joints[1]!.rpy = [0, 0.4, 0];
      joints[3]!.axis = '0 0 -2';
    });
    const { joints } = imported(text).arm.chain;
    // The default arm counts J2 about -y.
    expect(joints[1]!.zero_rad).toBeCloseTo(-0.4, 12);
    expect(joints[3]!.axis).toBe('-z');
  });

  it('may round its quarter turns, and says how far the tip is off', () => {
    const { deviation_m } = imported(changed(({ joints }) => (joints[1]!.rpy = [1e-4, 0, 0])));
    expect(deviation_m).toBeGreaterThan(1e-5);
    expect(deviation_m).toBeLessThan(1e-3);
  });

  it('joins links that are rigid with each other', () => {
    const tool = `<link name="tool"><inertial><origin xyz="0 0 0.1"/><mass value="0.5"/>
      <inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="tool_joint" type="fixed"><parent link="link_6"/><child link="tool"/></joint>`;
    const text = changed((description) => Object.assign(description, { more: tool }));
    const { list } = imported(text, noMesh, { tip: 'flange' }).arm.links;
    const alone = DEFAULT.links.list[6]!;
    const alone_kg = alone.mass_kg * DEFAULT.links.mass_scale;
    expect(list[6]!.mass_kg).toBeCloseTo(alone_kg + 0.5, 12);
    const centre_m = (alone_kg * alone.com_m[2]! + 0.05) / (alone_kg + 0.5);
    expect(list[6]!.com_m[2]).toBeCloseTo(centre_m, 12);
    expect(problemsOf(text)).toEqual([
      'The arm ends in several links: flange, tool; name the one at its flange with --tip.',
    ]);
  });
});

describe('a description', () => {
  it.each<[string, (description: Description) => void, RegExp]>([
    [
      'five joints',
      ({ joints, links }) => [joints.pop(), links.pop()],
      /^It has 5 joints from link_base to flange: axis_1, .* An arm has six turning joints/,
    ],
    [
      'seven joints',
      ({ joints, links }) => {
        joints.push({ ...joints[5]!, name: 'axis_7' });
        links.push({ ...links[6]!, name: 'link_7' });
      },
      /^It has 7 joints from link_base to flange: .*axis_7\. If what comes after axis_6 is a gripper, --tip link_6 leaves it out\. An arm has/,
    ],
    [
      'a base that floats',
      (description) => {
        description.more =
          '<link name="world"/><joint name="free" type="floating"><parent link="world"/><child link="link_base"/></joint>';
      },
      /^It has 7 joints from world to flange: free, .*axis_6\. --base link_base begins with axis_1\. An arm has/,
    ],
    [
      'offsets in millimetres',
      ({ joints }) => {
        for (const joint of joints) joint.xyz = joint.xyz.map((value) => 1000 * value);
      },
      /^J5 \(axis_5\) has a length of 196\.6 m; lengths are in metres$/,
    ],
    [
      'a prismatic joint',
      ({ joints }) => Object.assign(joints[2]!, { type: 'prismatic' }),
      /^J3 \(axis_3\) is prismatic; an arm has turning joints only\.$/,
    ],
    [
      'swapped axes',
      ({ joints }) => Object.assign(joints[3]!, { axis: '0 1 0' }),
      /^J4 \(axis_4\) must turn at a right angle to axis 3; it is 90\.00° off\.$/,
    ],
    [
      'an axis that leans',
      ({ joints }) => Object.assign(joints[2]!, { rpy: [0.01, 0, 0] }),
      /^J3 \(axis_3\) must turn parallel to axis 2; it is 0\.57° off\.$/,
    ],
    [
      'a forearm beside the plane',
      ({ joints }) => Object.assign(joints[3]!, { xyz: [-0.056, 0.0125, 0.09401] }),
      /^J4 \(axis_4\) lies beside the plane of the arm by 12\.500 mm along y of the upright arm\.$/,
    ],
    [
      'axes 4 and 5 that do not meet',
      ({ joints }) => Object.assign(joints[4]!, { xyz: [0.002, 0, 0.1966] }),
      /^J5 \(axis_5\) lies beside axis 4 by 2\.000 mm along x of the upright arm\.$/,
    ],
    [
      'a tip beside axis 6',
      (description) => Object.assign(description, { flange_m: [0.02, 0, 0.02] }),
      /^The tip \(flange\) lies beside axis 6 by 20\.000 mm along x/,
    ],
    [
      'a link without mass',
      ({ links }) => Object.assign(links[4]!, { mass_kg: 0 }),
      /^J4 \(axis_4\) moves links without mass: link_4; give one an <inertial> with its mass\.$/,
    ],
    [
      'an inertia that is not positive definite',
      ({ links }) => Object.assign(links[2]!, { inertia_kg_m2: [1, 1, 1, 2, 0, 0] }),
      /^Link link_2 \(moved by J2 \(axis_2\)\) has an inertia that is not positive definite \(ixx, iyy, izz: 1, 1, 1\); give it that of its mass and shape\.$/,
    ],
    [
      'a range beside its angle 0',
      ({ joints }) => Object.assign(joints[4]!.limit!, { lower: 0.2, upper: 2 }),
      /^J5 \(axis_5\) does not reach its angle 0, .*: 11\.5° to 114\.6°; turn the <origin> of the joint/,
    ],
    [
      'a shape of millimetres at a small link',
      ({ links }) =>
        Object.assign(links[6]!, {
          shapes: '<collision><geometry><box size="4 3 2"/></geometry></collision>',
        }),
      /^Link link_6 \(J6 \(axis_6\)\): a box is 4\.00 m long: it seems to be in millimetres/,
    ],
    [
      'an inertia that no body has',
      ({ links }) => Object.assign(links[2]!, { inertia_kg_m2: [1, 1, 3, 0, 0, 0] }),
      /^What is moved by J2 \(axis_2\) has an inertia that no body has/,
    ],
    [
      'reversed limits',
      ({ joints }) => Object.assign(joints[4]!.limit!, { lower: 0.2, upper: -2 }),
      /^J5 \(axis_5\) has reversed limits: 11\.5° to -114\.6°; lower must be lower\.$/,
    ],
    [
      'limits in degrees',
      ({ joints }) => Object.assign(joints[0]!.limit!, { lower: -170, upper: 170 }),
      /^J1 \(axis_1\) has the limits -170 and 170, in radians; are they degrees\?$/,
    ],
    [
      'no limits',
      ({ joints }) => Object.assign(joints[0]!, { limit: null }),
      /^J1 \(axis_1\) has no <limit> with lower and upper; add its range\.$/,
    ],
    [
      'no upper arm',
      ({ joints }) => Object.assign(joints[2]!, { xyz: [0, 0, 0] }),
      /^J3 \(axis_3\) has the axis of J2: no upper arm\.$/,
    ],
    [
      'speeds in degrees',
      ({ joints }) => Object.assign(joints[3]!.limit!, { velocity: 180 }),
      /^J4 \(axis_4\) has a velocity of 180, in radians a second; is it in degrees\?$/,
    ],
    [
      'masses in grams',
      ({ links }) => {
        for (const link of links) link.mass_kg *= 1000;
      },
      /^The links have .* kg within capsules of .* litres: are their masses in grams\?$/,
    ],
    [
      'inertias in kilograms and square millimetres',
      ({ links }) => {
        for (const link of links) link.inertia_kg_m2 = link.inertia_kg_m2.map((it) => 1e6 * it);
      },
      /^Link 2 \(moved by J2\) has the inertia of a mass .* m from its centre; inertias are in kg m²$/,
    ],
    [
      'two joints of one name',
      ({ joints }) => Object.assign(joints[2]!, { name: 'axis_2' }),
      /^There are two joints axis_2\.$/,
    ],
    [
      'a shape of a size below 0',
      ({ links }) =>
        Object.assign(links[3]!, {
          shapes: '<collision><geometry><box size="0.1 -0.1 0.1"/></geometry></collision>',
        }),
      /^Line \d+, <box>: a size is below 0: -0\.1\.$/,
    ],
    [
      'a branch before its wrist',
      (description) => {
        description.more =
          '<link name="rod"/><joint name="balance" type="revolute"><parent link="link_2"/><child link="rod"/></joint>';
      },
      /^Several joints go on from link link_2: axis_3, balance; name the link at the flange with --tip\.$/,
    ],
    [
      'a mesh that is not there',
      ({ links }) =>
        Object.assign(links[3]!, {
          shapes: '<collision><geometry><mesh filename="gone.stl"/></geometry></collision>',
        }),
      /^Link link_3 \(J3 \(axis_3\)\): the mesh gone\.stl is not found; its path is from the folder of the description\.$/,
    ],
    [
      'a mesh of a package that is not there',
      ({ links }) =>
        Object.assign(links[3]!, {
          shapes:
            '<visual><geometry><mesh filename="package://none/gone.stl"/></geometry></visual>',
        }),
      /: the mesh package:\/\/none\/gone\.stl is not found; --meshes gives the folder of its package\.$/,
    ],
  ])('with %s is refused', (_, change, problem) => {
    expect(problemsOf(changed(change))).toContainEqual(expect.stringMatching(problem));
  });

  it('whose meshes are in millimetres is refused with the scale that they need', () => {
    const mesh = (scale: string) => {
      const geometry = `<geometry><mesh filename="a.stl"${scale}/></geometry>`;
      return changed(({ links }) =>
        Object.assign(links[2]!, { shapes: `<collision>${geometry}</collision>` }),
      );
    };
    const facet = 'facet\nouter loop\nvertex 0 0 0\nvertex 250 0 0\nvertex 0 6000 9\nendloop\n';
    const read: ReadMesh = () =>
      new TextEncoder().encode(`solid a\n${facet}endfacet\nendsolid a\n`);
    expect(problemsOf(mesh(''), read)).toEqual([
      expect.stringMatching(
        /^Link link_2 \(J2 \(axis_2\)\): a\.stl is 6\.00e\+3 m long: it seems to be in millimetres/,
      ),
    ]);
    expect(problemsOf(mesh(' scale="0.00005 0.00005 0.00005"'), read)).toEqual([]);
  });

  it('may keep values of xacro that nothing uses', () => {
    expect(
      problemsOf(changed((all) => (all.more = '<xacro:property name="a" value="&#36;{pi}"/>'))),
    ).toEqual([]);
  });

  it('narrows ranges of more than a turn, and says so', () => {
    const text = changed(({ joints }) =>
      Object.assign(joints[3]!.limit!, { lower: -6.28, upper: 6.28 }),
    );
    const { arm, remarks } = imported(text);
    expect(arm.chain.joints[3]!.software_limit_rad).toEqual([-Math.PI, Math.PI]);
    expect(remarks).toContain(
      'J4 (axis_4) turns by 719.6°; its range is a turn, -180.0° to 180.0°.',
    );
  });
});

describe('the text of a description', () => {
  it.each([
    ['<robot><link name="a">', '<link> of line 1 has no end.'],
    ['<robot>\n</link>', 'Line 2: </link> ends no element; <robot> is open.'],
    ['<!DOCTYPE a [<!ENTITY b "c">]><robot/>', 'Line 1: a robot description has no document type'],
    ['<robot>\n<link name="\u001b[31m"/></robot>', 'Line 2: it holds "\\u001b", which is no'],
    ['<robot><link name="&#27;[31m"/></robot>', 'Line 1: “&#27;” is no character of XML'],
    ['<robot><link name="&b;"/></robot>', 'Line 1: “&b;” is no character of XML'],
    ['<robot><link name="a" name="b"/></robot>', 'Line 1: the attribute name is given twice.'],
    ['<robot><link/></robot>', 'Line 1, <link>: the attribute name is missing.'],
    ['<robot/><robot/>', 'The file must hold one element <robot>.'],
    ['{"robot": 1}', 'Line 1: there is text outside of the document.'],
    ['<mujoco/>', 'The file holds <mujoco>; a robot description holds <robot>.'],
    ['<robot><xacro:include filename="a"/></robot>', 'expand the file with xacro first'],
    [
      '<robot><link name="a"/><link name="b"/><joint name="c" type="fixed">\n<parent link="a"/><child link="b"/><origin xyz="0 1"/></joint></robot>',
      'Line 2, <origin>: xyz="0 1" must be three numbers with spaces between them.',
    ],
    [
      '<robot><link name="a">\n<collision><origin xyz="0, 0, 1"/><geometry/></collision></link></robot>',
      'Line 2, <origin>: xyz="0, 0, 1" must be three numbers with spaces between them.',
    ],
    [
      '<robot><link name="a">\n<xacro:inertia mass="1"/></link></robot>',
      'Line 2, <xacro:inertia>: expand the file with xacro first (xacro FILE > arm.urdf',
    ],
    [
      '<robot><link name="a">\n<inertial><mass value="&#36;{m}"/></inertial></link></robot>',
      '{m}" is no number; expand the file with xacro first',
    ],
  ])('%s is refused with its line', (text, problem) => {
    expect(problemsOf(text).join()).toContain(problem);
  });

  it('reads as another reader of XML reads it', () => {
    const text = `<?xml version='1.0'?>\n<!-- <a/> --><robot a='"' b="&lt;&amp;&#65;&#x42; c">
      <one:two x . = ""/><![CDATA[<no/>]]>text<deep><er y='1'></er></deep></robot>`.replace(
      ' x .',
      ' x.',
    );
    const ours = (element: XmlElement): unknown => [
      element.name,
      element.attributes,
      element.children.map(ours),
    ];
    const theirs = (element: Element | null): unknown => [
      element?.tagName,
      Object.fromEntries(Array.from(element?.attributes ?? [], ({ name, value }) => [name, value])),
      Array.from(element?.children ?? [], theirs),
    ];
    const document = new DOMParser().parseFromString(text, 'text/xml');
    expect(ours(parseXml(text))).toEqual(theirs(document.querySelector('robot')));
  });
});
