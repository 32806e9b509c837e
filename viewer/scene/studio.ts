/**
 * The studio environment for reflections: a graded dome, a soft box above and two strips, written
 * into the mip levels of a cube texture.
 */

import {
  Color,
  CompressedCubeTexture,
  DataUtils,
  HalfFloatType,
  LinearFilter,
  LinearMipmapLinearFilter,
  RGBAFormat,
  type Texture,
} from 'three';
import type { Theme } from './palette.ts';

/** Side length of the first cube level (px), and the number of levels after it. */
const SIZE_PX = 128;
const MIP_LEVELS = 4;
/** First level that is filled; no material of the scene is smooth enough to read a lower one. */
const FIRST_LEVEL = 2;
const SAMPLES = 160;
const GOLDEN_ANGLE_RAD = Math.PI * (3 - Math.sqrt(5));

const DOME = {
  light: { top: 0xf4f6f8, bottom: 0xb2b0ac, softBox: 4.5 },
  dark: { top: 0x8f99a4, bottom: 0x2b2c2e, softBox: 5.5 },
} as const;

type Direction = readonly [x: number, y: number, z: number];

/** Light from a direction as red, green and blue, written into `out`. */
type Light = (x: number, y: number, z: number, out: number[]) => void;

function isWithin(value: number, middle: number, half: number): boolean {
  return Math.abs(value - middle) < half;
}

/** The studio of a theme, as seen from the arm (m). */
function studioOf(theme: Theme): Light {
  const { softBox, ...dome } = DOME[theme];
  const top = new Color(dome.top).toArray();
  const bottom = new Color(dome.bottom).toArray();
  return (x, y, z, out) => {
    const t = Math.min(Math.max((z + 0.5) / 1.4, 0), 1);
    const share = t * t * (3 - 2 * t);
    for (let k = 0; k < 3; k++) out[k] = bottom[k]! + share * (top[k]! - bottom[k]!);
    const up = 5.95 / z;
    const side = 4.95 / Math.abs(x);
    if (z > 0 && isWithin(x * up, 0.5, 2.5) && isWithin(y * up, -1, 1.5)) out.fill(softBox);
    else if (!isWithin(z * side, 2.5, 2.5)) return;
    else if (x < 0 && isWithin(y * side, -3, 0.3)) out.fill(5);
    else if (x > 0 && isWithin(y * side, 2, 0.25)) out.fill(3.5);
  };
}

/** Directions of the lobe about z that a roughness reflects; z is also their weight. */
function lobeOf(roughness: number): readonly Direction[] {
  const alpha = roughness * roughness;
  const directions: Direction[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    const share = (i + 0.5) / SAMPLES;
    const q = 1 - share + alpha * alpha * share;
    const along = (1 - share - alpha * alpha * share) / q;
    if (along <= 0) continue;
    const across = (2 * alpha * Math.sqrt(share * (1 - share))) / q;
    const angle_rad = i * GOLDEN_ANGLE_RAD;
    directions.push([across * Math.cos(angle_rad), across * Math.sin(angle_rad), along]);
  }
  return directions;
}

/** Weighted mean of the light over a lobe about `n`. */
function meanOver(lobe: readonly Direction[], [nx, ny, nz]: Direction, light: Light): number[] {
  // Orthonormal frame whose third axis is the normal.
  const sign = nz < 0 ? -1 : 1;
  const a = -1 / (sign + nz);
  const b = nx * ny * a;
  const [tx, ty, tz] = [1 + sign * nx * nx * a, sign * b, -sign * nx];
  const [bx, by, bz] = [b, sign + ny * ny * a, -ny];
  const sum = [0, 0, 0];
  const seen = [0, 0, 0];
  let weight = 0;
  for (const [u, v, w] of lobe) {
    light(tx * u + bx * v + nx * w, ty * u + by * v + ny * w, tz * u + bz * v + nz * w, seen);
    for (let k = 0; k < 3; k++) sum[k]! += seen[k]! * w;
    weight += w;
  }
  return sum.map((part) => part / weight);
}

/** Directions of the six cube sides in three's convention. */
const SIDES: readonly ((u: number, v: number) => Direction)[] = [
  (u, v) => [-1, -v, -u],
  (u, v) => [1, -v, u],
  (u, v) => [-u, 1, v],
  (u, v) => [-u, -1, -v],
  (u, v) => [-u, -v, 1],
  (u, v) => [u, -v, -1],
];

function fill(data: Uint16Array, size: number, colourAt: (u: number, v: number) => number[]): void {
  for (let at = 0; at < size * size; at++) {
    const u = (2 * (at % size) + 1) / size - 1;
    const v = (2 * Math.floor(at / size) + 1) / size - 1;
    const colour = [...colourAt(u, v), 1];
    for (const [k, part] of colour.entries()) data[4 * at + k] = DataUtils.toHalfFloat(part);
  }
}

function unit([x, y, z]: Direction): Direction {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/** Environment texture of a theme; roughness rises with the level. */
export function createStudio(theme: Theme): Texture {
  const light = studioOf(theme);
  const sizes = Array.from({ length: MIP_LEVELS + 1 }, (_, level) => SIZE_PX >> level);
  const lobes = sizes.map((_, level) => lobeOf(1 - Math.sqrt(1 - level / MIP_LEVELS)));
  const sides = SIDES.map((side) => {
    const mipmaps = sizes.map((size, level) => {
      const data = new Uint16Array(4 * size * size);
      const lobe = lobes[level]!;
      if (level >= FIRST_LEVEL) fill(data, size, (u, v) => meanOver(lobe, unit(side(u, v)), light));
      return { data, width: size, height: size };
    });
    return { mipmaps, width: SIZE_PX, height: SIZE_PX };
  });
  // CompressedCubeTexture accepts explicit mip levels with any content.
  const texture: Texture = new CompressedCubeTexture(sides, undefined, HalfFloatType);
  texture.format = RGBAFormat;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.magFilter = LinearFilter;
  texture.isPMREMTexture = true;
  texture.needsUpdate = true;
  return texture;
}
