/**
 * The lights of the scene: a key light that casts the shadow, a blue fill light, a hemisphere
 * light, and a studio environment for reflections. The canvas is transparent, so the page's
 * background does not light the arm.
 * The environment (graded dome, soft box above, two strips) is written into the mip levels of a
 * cube texture by summing over each level's reflection lobe. This equals three's PMREM generator
 * but needs none of its five shaders, which are slow to compile. Also: what draws them, when it has
 * done so, and with which quality.
 */
import {
  Color,
  CompressedCubeTexture,
  DataUtils,
  DirectionalLight,
  Group,
  HalfFloatType,
  HemisphereLight,
  LinearFilter,
  LinearMipmapLinearFilter,
  RGBAFormat,
  type Scene,
  type Texture,
  type WebGLRenderer,
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

export interface Lighting {
  readonly object: Group;
  readonly key: DirectionalLight;
  /** Makes the shadow map smaller and keeps its blur on the ground the same. */
  reduceShadowMap(size_px: number): void;
  /** Sets intensities and environment for a theme. */
  apply(scene: Scene, theme: Theme): void;
}

const LEVELS = {
  light: { key: 1.5, fill: 0.15, sky: 0.22 },
  dark: { key: 1.7, fill: 0.35, sky: 0.32 },
} as const;
const ENVIRONMENT = 0.62;
const SHADOW_PX = 2048;
const SHADOW_RADIUS = 9;

function keyLight(): DirectionalLight {
  const key = new DirectionalLight(0xffffff, LEVELS.light.key);
  key.position.set(0.75, -0.95, 1.7);
  key.target.position.set(0, 0, 0.3);
  key.castShadow = true;
  key.shadow.mapSize.set(SHADOW_PX, SHADOW_PX);
  key.shadow.radius = SHADOW_RADIUS;
  key.shadow.blurSamples = 12;
  key.shadow.normalBias = 0.012;
  key.shadow.bias = -0.0004;
  const camera = key.shadow.camera;
  camera.left = camera.bottom = -0.95;
  camera.right = camera.top = 0.95;
  camera.near = 0.5;
  camera.far = 4;
  return key;
}

/** Creates the lights. */
export function createLighting(): Lighting {
  const object = new Group();
  const key = keyLight();
  const fill = new DirectionalLight(0xbfd4ff, LEVELS.light.fill);
  fill.position.set(-1.2, 1, 0.7);
  const sky = new HemisphereLight(0xffffff, 0xb9b6b0, LEVELS.light.sky);
  sky.position.set(0, 0, 1);
  object.add(key, key.target, fill, sky);
  const studios = new Map<Theme, Texture>();
  return {
    object,
    key,
    reduceShadowMap(size_px) {
      const { shadow } = key;
      shadow.mapSize.set(size_px, size_px);
      shadow.radius = (SHADOW_RADIUS * size_px) / SHADOW_PX;
      shadow.blurSamples = 6;
      shadow.map?.dispose();
      shadow.map = null;
      shadow.mapPass?.dispose();
      shadow.mapPass = null;
    },
    apply(scene, theme) {
      const level = LEVELS[theme];
      key.intensity = level.key;
      fill.intensity = level.fill;
      sky.intensity = level.sky;
      const studio = studios.get(theme) ?? createStudio(theme);
      studios.set(theme, studio);
      scene.environment = studio;
      scene.environmentIntensity = ENVIRONMENT;
    },
  };
}

/** Whether WebGL runs on the CPU, as in virtual machines and tests; null without WebGL 2. */
export function isSoftwareRendered(): boolean | null {
  const probe = document.createElement('canvas').getContext('webgl2');
  if (!probe) return null;
  const name = probe.getExtension('WEBGL_debug_renderer_info');
  const renderer = name ? String(probe.getParameter(name.UNMASKED_RENDERER_WEBGL)) : '';
  probe.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(renderer);
}

/** Reports when the graphics have drawn a frame: before that, a resize of the canvas waits. */
export function createFence(renderer: WebGLRenderer) {
  const gl = renderer.getContext() as WebGL2RenderingContext;
  let fence: WebGLSync | null = null;
  return {
    set(): void {
      gl.deleteSync(fence);
      fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
      gl.flush();
    },
    isPassed: () => !fence || gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.UNSIGNALED,
  };
}

/**
 * 0: full quality; 1: one pixel per CSS pixel; 2: smaller shadow map; 3: small shadow map with hard
 * edges.
 */
export type QualityLevel = 0 | 1 | 2 | 3;

const SLOW_MS = 28;
const SLOW_TOTAL_MS = 30 * SLOW_MS;
/** A longer gap means that the page was paused, not that the frame was slow. */
export const PAUSE_MS = 2000;
const LAST: QualityLevel = 3;

export interface QualityController {
  /** Adds the duration of a frame drawn directly after another; returns the current level. */
  addFrame(duration_ms: number): QualityLevel;
}

/**
 * Creates a controller that starts at a known level. Slow frames in a row, as long in total as 30
 * barely slow ones, lower the quality by one level. It never rises again, so that the picture does
 * not flicker.
 */
export function createQualityController(start: QualityLevel = 0): QualityController {
  let slow_ms = 0;
  let quality = start;
  return {
    addFrame(duration_ms) {
      if (duration_ms > PAUSE_MS) return quality;
      slow_ms = duration_ms > SLOW_MS ? slow_ms + duration_ms : 0;
      if (slow_ms >= SLOW_TOTAL_MS && quality < LAST) {
        quality = (quality + 1) as QualityLevel;
        slow_ms = 0;
      }
      return quality;
    },
  };
}

const PIXEL_RATIO_MAX = 2;

/** Device pixels per CSS pixel. */
export function pixelRatio(quality: QualityLevel): number {
  return quality > 0 ? 1 : Math.min(devicePixelRatio, PIXEL_RATIO_MAX);
}
