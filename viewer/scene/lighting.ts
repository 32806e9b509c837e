/**
 * The lights of the scene: a key light that casts the shadow, a blue fill light, a hemisphere
 * light, and a studio environment for reflections. The canvas is transparent, so the background of
 * the page does not light the arm.
 */
import { DirectionalLight, Group, HemisphereLight, type Scene, type Texture } from 'three';
import type { Theme } from './palette.ts';
import { createStudio } from './studio.ts';

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
