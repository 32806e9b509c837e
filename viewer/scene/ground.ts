/**
 * The ground: 100 mm and 500 mm grid lines and the dashed reach circle in one shader, the shadow of
 * the key light, and the contact shadow of the base.
 */

import {
  CanvasTexture,
  Color,
  Group,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  ShaderMaterial,
  ShadowMaterial,
} from 'three';
import { REACH_M } from '../../physics/arm/arm-model.ts';
import type { Palette } from './palette.ts';

const VERTEX = `varying vec2 at; void main() { at = (modelMatrix * vec4(position, 1.0)).xy;
  gl_Position = projectionMatrix * viewMatrix * modelMatrix * vec4(position, 1.0); }`;

const FRAGMENT = `
varying vec2 at;
uniform vec3 line;
uniform vec3 reach;
uniform float strength;
float grid(vec2 p, float step, float width) {
  vec2 q = p / step;
  vec2 w = fwidth(q);
  vec2 d = abs(fract(q - 0.5) - 0.5) / w;
  vec2 shown = clamp(1.0 - smoothstep(width * 0.5, width * 0.5 + 1.0, d), 0.0, 1.0);
  vec2 dense = smoothstep(0.9, 0.35, w);
  return max(shown.x * dense.x, shown.y * dense.y);
}
void main() {
  float r = length(at);
  float fade = 1.0 - smoothstep(0.35, 1.55, r);
  float fine = grid(at, 0.1, 0.6) * 0.42;
  float coarse = grid(at, 0.5, 1.0);
  float a = max(fine, coarse) * fade * strength;
  float dr = abs(r - ${REACH_M.toFixed(4)}) / fwidth(r);
  float turn = atan(at.y, at.x) * ${REACH_M.toFixed(4)} / 0.032;
  float dash = step(fract(turn), 0.58);
  float ring = (1.0 - smoothstep(0.35, 1.35, dr)) * dash * 0.6;
  float alpha = max(a, ring);
  if (alpha < 0.003) discard;
  gl_FragColor = vec4(ring > a ? reach : line, alpha);
  #include <colorspace_fragment>
}`;

const LEVELS = {
  light: { line: 0xa4a6a8, reach: 0x8a8f94, strength: 0.8, shadow: 0.26, blob: 0.34 },
  dark: { line: 0x6b747d, reach: 0x4f575f, strength: 0.3, shadow: 0.55, blob: 0.6 },
} as const;

export interface Ground {
  readonly object: Group;
  paint(palette: Palette): void;
}

function blobTexture(): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 128;
  const context = canvas.getContext('2d');
  if (context) {
    const shade = context.createRadialGradient(64, 64, 20, 64, 64, 64);
    shade.addColorStop(0, 'rgba(0,0,0,1)');
    shade.addColorStop(0.35, 'rgba(0,0,0,.55)');
    shade.addColorStop(0.7, 'rgba(0,0,0,.12)');
    shade.addColorStop(1, 'rgba(0,0,0,0)');
    context.fillStyle = shade;
    context.fillRect(0, 0, 128, 128);
  }
  return new CanvasTexture(canvas);
}

/** Creates the ground; call `paint` before drawing it. */
export function createGround(): Ground {
  const lines = new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    uniforms: {
      line: { value: new Color() },
      reach: { value: new Color() },
      strength: { value: 1 },
    },
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
  });
  const shade = new ShadowMaterial({ depthWrite: false });
  const blob = new MeshBasicMaterial({ map: blobTexture(), transparent: true, depthWrite: false });
  const plane = new Mesh(new PlaneGeometry(4, 4), lines);
  const shadow = new Mesh(new PlaneGeometry(4, 4), shade);
  const contact = new Mesh(new PlaneGeometry(0.36, 0.36), blob);
  shadow.receiveShadow = true;
  [contact, shadow, plane].forEach((mesh, i) => {
    mesh.position.z = -0.0006 + i * 0.0002;
    mesh.renderOrder = -3 + i;
  });
  const object = new Group();
  object.add(contact, shadow, plane);
  return {
    object,
    paint(palette) {
      const level = LEVELS[palette.theme];
      lines.uniforms['line']!.value.set(level.line);
      lines.uniforms['reach']!.value.set(level.reach);
      lines.uniforms['strength']!.value = level.strength;
      shade.opacity = level.shadow;
      blob.opacity = level.blob;
    },
  };
}
