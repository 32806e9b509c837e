/**
 * The studio around the arm: an environment drawn in code (graded dome, soft box, two strips), a
 * key light that casts the shadow, a blue fill and a hemisphere. The page's background never
 * lights the arm: the canvas is transparent.
 */
import {
  BackSide,
  BoxGeometry,
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  PMREMGenerator,
  Scene,
  ShaderMaterial,
  SphereGeometry,
  type Texture,
  type WebGLRenderer,
} from 'three';
import type { Theme } from './palette.ts';

export interface Lighting {
  readonly object: Group;
  readonly key: DirectionalLight;
  /** Makes the shadow map smaller, its blur the same on the ground. */
  soften(size_px: number): void;
  /** Sets intensities for a theme and lights the scene's environment with it. */
  apply(scene: Scene, theme: Theme): void;
}

const LEVELS = {
  light: { key: 1.5, fill: 0.15, sky: 0.22 },
  dark: { key: 1.7, fill: 0.35, sky: 0.32 },
} as const;
const ENVIRONMENT = 0.62;
const SHADOW_PX = 2048;
const SHADOW_RADIUS = 9;

const DOME_COLOURS = {
  light: { top: 0xf4f6f8, bottom: 0xb2b0ac },
  dark: { top: 0x8f99a4, bottom: 0x2b2c2e },
} as const;

function dome(theme: Theme): Mesh {
  const { top, bottom } = DOME_COLOURS[theme];
  return new Mesh(
    new SphereGeometry(20, 32, 16),
    new ShaderMaterial({
      side: BackSide,
      uniforms: { top: { value: new Color(top) }, bottom: { value: new Color(bottom) } },
      vertexShader: `varying vec3 at; void main() { at = normalize(position);
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
      fragmentShader: `varying vec3 at; uniform vec3 top; uniform vec3 bottom;
        void main() { float t = smoothstep(-0.5, 0.9, at.z);
          gl_FragColor = vec4(mix(bottom, top, t), 1.0); }`,
    }),
  );
}

function panel(size: readonly [number, number, number], level: number): Mesh {
  const material = new MeshBasicMaterial({ color: new Color(level, level, level) });
  return new Mesh(new BoxGeometry(...size), material);
}

function studio(theme: Theme): Scene {
  const scene = new Scene();
  const softBox = panel([5, 3, 0.1], theme === 'light' ? 4.5 : 5.5);
  softBox.position.set(0.5, -1, 6);
  const left = panel([0.1, 0.6, 5], 5);
  left.position.set(-5, -3, 2.5);
  const right = panel([0.1, 0.5, 5], 3.5);
  right.position.set(5, 2, 2.5);
  scene.add(dome(theme), softBox, left, right);
  return scene;
}

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

/** Lights for `renderer`; environments are made once per theme. */
export function createLighting(renderer: WebGLRenderer): Lighting {
  const object = new Group();
  const key = keyLight();
  const fill = new DirectionalLight(0xbfd4ff, LEVELS.light.fill);
  fill.position.set(-1.2, 1, 0.7);
  const sky = new HemisphereLight(0xffffff, 0xb9b6b0, LEVELS.light.sky);
  sky.position.set(0, 0, 1);
  object.add(key, key.target, fill, sky);
  const made = new Map<Theme, Texture>();
  const environment = (theme: Theme): Texture => {
    const old = made.get(theme);
    if (old) return old;
    const generator = new PMREMGenerator(renderer);
    const texture = generator.fromScene(studio(theme), 0.03).texture;
    generator.dispose();
    made.set(theme, texture);
    return texture;
  };
  return {
    object,
    key,
    soften(size_px) {
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
      scene.environment = environment(theme);
      scene.environmentIntensity = ENVIRONMENT;
    },
  };
}
