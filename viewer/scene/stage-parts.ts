/**
 * Creates all fixed parts of the scene and the ground. Also: the measured path of the tool tip over
 * the last 2.5 s, as a line in the accent colour. The tip is sampled in even steps of time between
 * frames, so that slow frames leave no corners.
 */
import {
  Box3,
  CanvasTexture,
  Color,
  DynamicDrawUsage,
  Group,
  type InterleavedBufferAttribute,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  ShadowMaterial,
  Sphere,
  Vector3,
} from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import type { Toolpath } from '../../contract/types.ts';
import {
  createPoseReader,
  createTool,
  POSE_SIZE,
  type Tool,
  toolPose,
} from '../../physics/kinematics/forward.ts';
import { startMeshWorker } from '../workers.ts';
import { type Arm, createArm } from './arm.ts';
import { createLighting, type Lighting } from './lighting.ts';
import type { ShellMesh } from './mesh-worker.ts';
import type { Palette } from './palette.ts';
import { createZones, type Zones } from './zones.ts';

const LENGTH_MS = 2500;
const STEP_M = 0.0015;
const POINTS_MAX = 512;

export interface Trail {
  readonly object: Line2;
  /** Adds a tip position (m) at a time; returns true if the line changed. */
  add(tip: readonly [number, number, number], now_ms: number): boolean;
  setVisible(visible: boolean): void;
  paint(colour: Color): void;
  resize(width: number, height: number): void;
}

interface TrailPoint {
  readonly tip: readonly [number, number, number];
  readonly at_ms: number;
}

/** Coordinates of a part of the line: its start and its end. */
const SEGMENT = 6;
const bounds = new Box3();

/** Creates an empty trail. */
export function createTrail(): Trail {
  const material = new LineMaterial({ linewidth: 2.4, transparent: true, toneMapped: false });
  const geometry = new LineGeometry();
  geometry.setPositions(new Float32Array(3 * (POINTS_MAX + 1)));
  // The buffer stays: a new one for each frame costs more than the rest of the frame's lines.
  const { data } = geometry.getAttribute('instanceStart') as InterleavedBufferAttribute;
  data.setUsage(DynamicDrawUsage);
  geometry.boundingSphere = new Sphere();
  const object = new Line2(geometry, material);
  object.frustumCulled = false;
  object.visible = false;
  let points: TrailPoint[] = [];
  let wanted = true;

  function draw(): void {
    object.visible = wanted && points.length > 1;
    if (!object.visible) return;
    const count = points.length - 1;
    for (let i = 0; i < count; i++) {
      data.set(points[i]!.tip, SEGMENT * i);
      data.set(points[i + 1]!.tip, SEGMENT * i + 3);
    }
    data.clearUpdateRanges();
    data.addUpdateRange(0, SEGMENT * count);
    data.needsUpdate = true;
    geometry.instanceCount = count;
    // Lines are sorted by the centre.
    bounds.setFromArray(data.array.subarray(0, SEGMENT * count));
    bounds.getBoundingSphere(geometry.boundingSphere!);
  }

  return {
    object,
    add(tip, now_ms) {
      const before = points.length;
      points = points.filter((point) => now_ms - point.at_ms < LENGTH_MS).slice(-POINTS_MAX);
      const last = points.at(-1)?.tip;
      const far = !last || Math.hypot(...tip.map((value, i) => value - last[i]!)) > STEP_M;
      if (far) points.push({ tip: [...tip], at_ms: now_ms });
      const changed = (far && points.length > 1) || points.length < before;
      if (changed) draw();
      return changed;
    },
    setVisible(visible) {
      wanted = visible;
      draw();
    },
    paint: (colour) => material.color.copy(colour),
    resize: (width, height) => material.resolution.set(width, height),
  };
}

const STEP_MS = 20;
const BACK_MS = 600;

/** Joint angles (rad) as drawn at a time. */
type PoseAt = (now_ms: number) => { readonly joints: Float64Array };

interface TipTracer {
  /** Adds the tip positions since the last frame; returns true if the trail changed. */
  advance(now_ms: number, tool: Tool): boolean;
}

const pose = new Float64Array(POSE_SIZE);

/** Tool tip (m) at the pose of `frames` (layout of `forward`). */
export function tipOfFrames(frames: Float64Array, tool: Tool): Vector3 {
  toolPose(frames, tool, pose);
  return new Vector3(pose[9], pose[10], pose[11]);
}

/** Creates a tracer for the arm whose poses `poseAt` returns. */
export function createTipTracer(poseAt: PoseAt, trail: Trail): TipTracer {
  const readPose = createPoseReader();
  let traced_ms = 0;
  return {
    advance(now_ms, tool) {
      let changed = false;
      for (let at_ms = Math.max(traced_ms, now_ms - BACK_MS); at_ms < now_ms; ) {
        at_ms = Math.min(at_ms + STEP_MS, now_ms);
        const at = readPose(poseAt(at_ms).joints, tool);
        changed = trail.add([at[9]!, at[10]!, at[11]!], at_ms) || changed;
      }
      traced_ms = now_ms;
      return changed;
    },
  };
}

/**
 * The ground: 100 mm and 500 mm grid lines and the dashed reach circle in one shader, the shadow of
 * the key light, and the contact shadow of the base.
 */

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
  float dr = abs(r - 0.6) / fwidth(r);
  float turn = atan(at.y, at.x) * 0.6 / 0.032;
  float dash = step(fract(turn), 0.58);
  float ring = (1.0 - smoothstep(0.35, 1.35, dr)) * dash * 0.6;
  float alpha = max(a, ring);
  if (alpha < 0.003) discard;
  gl_FragColor = vec4(ring > a ? reach : line, alpha);
  #include <colorspace_fragment>
}`;

const LEVELS = {
  light: { line: 0xa4a6a8, strength: 0.8, shadow: 0.26, blob: 0.34 },
  dark: { line: 0x6b747d, strength: 0.3, shadow: 0.55, blob: 0.6 },
} as const;

interface Ground {
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
function createGround(): Ground {
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
      lines.uniforms['reach']!.value.copy(palette.text2);
      lines.uniforms['strength']!.value = level.strength;
      shade.opacity = level.shadow;
      blob.opacity = level.blob;
    },
  };
}

interface StageParts {
  readonly scene: Scene;
  readonly arm: Arm;
  readonly ground: Ground;
  readonly lighting: Lighting;
  readonly trail: Trail;
  readonly zones: Zones;
}

/** Meshes the arm's shells in a worker; calls `done` each time finer shells are in place. */
export function startMeshing(arm: Arm, done: () => void): void {
  const worker = startMeshWorker();
  worker.addEventListener('message', (event: MessageEvent<ShellMesh[]>) => {
    arm.setShells(event.data);
    done();
  });
}

/** Creates the parts and adds them to a scene. */
export function createParts(): StageParts {
  const scene = new Scene();
  const parts = {
    scene,
    arm: createArm(),
    ground: createGround(),
    lighting: createLighting(),
    trail: createTrail(),
    zones: createZones(),
  };
  const { arm, ground, lighting, trail, zones } = parts;
  scene.add(arm.object, ground.object, lighting.object, trail.object, zones.object);
  return parts;
}

/** Tool tips at the waypoints of a toolpath (m): what the camera has to show of it. */
export function waypointTips({ metadata, waypoints }: Toolpath): Vector3[] {
  const tool = createTool(metadata.tcp_config);
  const readPose = createPoseReader();
  return waypoints.map(({ joints }) => new Vector3().fromArray(readPose(joints, tool), 9));
}
