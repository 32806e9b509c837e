/**
 * Places the turned parts of the arm: by link and material, in joint frames and millimetres. The
 * cast shells are in arm-shells.ts.
 */
import type { BufferGeometry } from 'three';
import type { MaterialName } from './materials.ts';
import { band, box, disc, lathe, placePart, plug } from './part-geometry.ts';

export interface ArmPart {
  /** Index of the frame: 0 base, 1 to 6 links. */
  readonly link: number;
  readonly material: MaterialName;
  readonly geometry: BufferGeometry;
}

type Place = readonly [number, number, number];

const BASE_OUTLINE = lathe([
  [0, 0],
  [89, 0, 1.5],
  [89, 18.5, 3.5],
  [76.5, 18.5, 5],
  [74, 30, 8],
  [67, 145, 3.5],
  [58, 145],
]);

function baseParts(): ArmPart[] {
  const screws = [45, 135, 225, 315].flatMap((angle_deg) => {
    const angle = (angle_deg * Math.PI) / 180;
    const at: Place = [81.5 * Math.cos(angle), 81.5 * Math.sin(angle), 18.4];
    return [placePart(plug(4.2, 1.2), '+z', at), placePart(plug(2.2, 1.6, 6), '+z', at)];
  });
  const plugs = [-30, -10, 10, 30].map((y) => placePart(plug(7, 8), '-x', [-89, y, 62]));
  return [
    { link: 0, material: 'shell', geometry: BASE_OUTLINE },
    ...screws.map((geometry): ArmPart => ({ link: 0, material: 'metal', geometry })),
    { link: 0, material: 'cap', geometry: box(24, 86, 44).translate(-0.0745, 0, 0.062) },
    ...plugs.map((geometry): ArmPart => ({ link: 0, material: 'gap', geometry })),
  ];
}

/** Dark lid of a joint's motor with its accent ring, facing -y or +y. */
function motorLid(link: number, radius: number, axis: '+y' | '-y', at: Place): ArmPart[] {
  const dark = lathe([
    [radius - 0.4, -2],
    [radius - 0.4, 0.7, 0.4],
    [radius * 0.22, 0.5, 0.2],
    [radius * 0.2, 1.1, 0.3],
    [0, 1.1],
  ]);
  return [
    { link, material: 'cap', geometry: placePart(dark, axis, at) },
    {
      link,
      material: 'ring',
      geometry: placePart(band(radius - 0.5, radius + 1.7, -1.5, 0.9), axis, at),
    },
  ];
}

/** Dark filler between two shells, about y or z, from `from` to `to` along that axis. */
function gap(link: number, radius: number, axis: 'y' | 'z', [from, to, at]: GapPlace): ArmPart {
  const middle = (from + to) / 2;
  const centre: Place = axis === 'y' ? [at[0], middle, at[1]] : [at[0], at[1], middle];
  const geometry = placePart(plug(radius, to - from), axis === 'y' ? '+y' : '+z', centre);
  return { link, material: 'gap', geometry };
}
type GapPlace = readonly [from: number, to: number, at: readonly [number, number]];

function headParts(): ArmPart[] {
  return [
    { link: 5, material: 'gap', geometry: placePart(band(30, 33.9, 51, 55.5), '+z', [-65, 0, 0]) },
    { link: 5, material: 'gap', geometry: placePart(plug(26, 6), '+z', [-65, 0, 71]) },
    { link: 5, material: 'cap', geometry: placePart(disc(8.5, 1.6), '-x', [-98.2, 0, 30]) },
    ...motorLid(5, 23.5, '+y', [0, 49.1, 0]),
  ];
}

function flangeParts(): ArmPart[] {
  const flange = lathe([
    [26, -1],
    [26.5, 8, 1],
    [31.5, 9.5, 1],
    [31.5, 25.39, 1],
    [12.4, 25.39, 0.8],
    [12.4, 18],
    [0, 18],
  ]);
  const holes = [45, 135, 225, 315].map((angle_deg): ArmPart => {
    const angle = (angle_deg * Math.PI) / 180;
    const at: Place = [20 * Math.cos(angle), 20 * Math.sin(angle), 25.3];
    return { link: 6, material: 'gap', geometry: placePart(plug(3, 0.4), '+z', at) };
  });
  return [{ link: 6, material: 'metal', geometry: flange }, ...holes];
}

/** All turned parts of the arm except the LED ring of the head and the tool. */
export function armParts(): ArmPart[] {
  return [
    ...baseParts(),
    gap(0, 61, 'z', [140, 154.2, [0, 0]]),
    { link: 0, material: 'ring', geometry: band(60, 65.2, 146.6, 149) },
    ...motorLid(1, 40, '-y', [56, -73.4, 132.3]),
    gap(1, 54, 'y', [-8, 10, [56, 132.3]]),
    ...motorLid(3, 33, '-y', [0, -66.4, 0]),
    gap(3, 45, 'y', [-8, 10, [0, 0]]),
    gap(3, 42.5, 'z', [85, 100, [-56, 0]]),
    { link: 3, material: 'ring', geometry: placePart(band(40, 44.4, 91, 93.4), '+z', [-56, 0, 0]) },
    ...motorLid(4, 18.5, '-y', [0, -47.1, 196.6]),
    gap(4, 26.5, 'y', [-8, 10, [0, 196.6]]),
    ...headParts(),
    ...flangeParts(),
  ];
}

/** LED ring of the head, in the frame of link 5. */
export function lightRing(): BufferGeometry {
  return placePart(band(31, 34.6, 56, 61), '+z', [-65, 0, 0]);
}

/** Cylinder of the tool as planning checks it, from the flange face up to `length` (mm). */
export function toolCylinder(radius: number, length: number): BufferGeometry {
  const outline = lathe([
    [0, 0.2],
    [radius, 0.2, 0.5],
    [radius, length, Math.min(1.5, radius / 3)],
    [0, length],
  ]);
  return outline;
}
