/**
 * The scene on its canvas: draws only when something changed, keeps shadows until a pose changes
 * and spends less when frames come slowly. Knows nothing of the API.
 */
import { Color, Raycaster, Scene, Vector2, Vector3 } from 'three';
import {
  createFrames,
  FLANGE_FRAME,
  FRAME_SIZE,
  forward,
} from '../../physics/kinematics/forward.ts';
import { type Arm, createArm, type DrawnTool } from './arm.ts';
import { createFrameRate, type Thrift } from './frame-rate.ts';
import { createGround } from './ground.ts';
import { createLabels, type Label } from './labels.ts';
import { createLighting } from './lighting.ts';
import type { ShellMesh } from './mesh-worker.ts';
import { readPalette, type Theme } from './palette.ts';
import { createRenderer, drawsInSoftware } from './renderer.ts';
import { createTrail } from './trail.ts';
import { createViewpoint, type StandardView } from './viewpoint.ts';
import { createZones, type DrawnZone } from './zones.ts';

/** What the light ring of the head shows (facts of the real arm: white idle, green running). */
export type HeadLight = 'white' | 'green' | 'yellow' | 'off';

/** Parts of the scene that the user may hide. */
export interface Layers {
  readonly trail: boolean;
  readonly zones: boolean;
  readonly labels: boolean;
}

export interface Stage {
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly arm: Arm;
  setTool(tool: DrawnTool | null): void;
  setLight(light: HeadLight): void;
  setZones(zones: readonly DrawnZone[]): void;
  setLayers(layers: Layers): void;
  setTheme(theme: Theme): void;
  show(view: StandardView): void;
  /** Asks the pose source again from the next frame on; draws if the pose has changed. */
  follow(): void;
  /** Frames drawn so far. */
  frames(): number;
  /** Draw calls and triangles of the last frame, shadows included. */
  cost(): { readonly calls: number; readonly triangles: number };
  /** Screen directions of the world's axes, for the compass. */
  axes(): readonly (readonly [x: number, y: number, depth: number])[];
  /** A PNG of the frame as it stands. */
  picture(): Promise<Blob | null>;
}

export interface StageOptions {
  /** Joint angles (rad) to draw now; `moving` keeps the frames coming. */
  readonly pose: (now_ms: number) => { readonly joints: Float64Array; readonly moving: boolean };
  /** Called after every drawn frame. */
  readonly drawn: () => void;
}

const LIGHTS: Record<HeadLight, number> = {
  white: 0xf4f8ff,
  green: 0x2fd08a,
  yellow: 0xffb020,
  off: 0x2b2f33,
};
/** In the light theme a glowing green would vanish on white: the ring is drawn deeper. */
const GREEN_ON_LIGHT = 0x1fae74;
const PIXEL_RATIO_MAX = 2;
const TRAIL_STEP_MS = 20;
const TRAIL_BACK_MS = 600;
const REACH_LABEL: Label = { text: '600 mm reach', at: new Vector3(0.585, 0.133, 0), kind: 'note' };

/** Where the tool tip is (m): the flange frame, `length` further along its z. */
function tipOf(frames: Float64Array, length_m: number): [number, number, number] {
  const f = FLANGE_FRAME * FRAME_SIZE;
  return [
    frames[f + 9]! + frames[f + 2]! * length_m,
    frames[f + 10]! + frames[f + 5]! * length_m,
    frames[f + 11]! + frames[f + 8]! * length_m,
  ];
}

function startMeshing(arm: Arm, done: () => void): void {
  const worker = new Worker(new URL('./mesh-worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', (event: MessageEvent<ShellMesh[]>) => {
    arm.setShells(event.data);
    done();
  });
}

/** Creates the scene with its own elements; put `element` where it shall be. */
export function createStage(options: StageOptions): Stage {
  const element = document.createElement('div');
  element.className = 'stage';
  const canvas = document.createElement('canvas');
  canvas.className = 'stage-canvas';
  const labels = createLabels();
  element.append(canvas, labels.element);
  const software = drawsInSoftware();
  const renderer = createRenderer(canvas, software);
  const scene = new Scene();
  const arm = createArm();
  const ground = createGround();
  const lighting = createLighting(renderer);
  if (software) lighting.soften(512);
  const trail = createTrail();
  const zones = createZones();
  scene.add(arm.object, ground.object, lighting.object, trail.object, zones.object);
  const rate = createFrameRate(software ? 3 : 0);
  const view = createViewpoint(canvas, wake);
  let theme: Theme = 'light';
  let light: HeadLight = 'off';
  let layers: Layers = { trail: true, zones: true, labels: true };
  let tool: DrawnTool | null = null;
  let drawnJoints: Float64Array | null = null;
  let frames = 0;
  let dirty = true;
  let scheduled = false;
  let thrift: Thrift = software ? 3 : 0;
  let last_ms: number | null = null;
  let trailed_ms = 0;
  const trailFrames = createFrames();

  function wake(): void {
    dirty = true;
    schedule();
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(tick);
  }

  function tick(now_ms: number): void {
    scheduled = false;
    const { joints, moving } = options.pose(now_ms);
    if (!drawnJoints || joints.some((angle, j) => angle !== drawnJoints![j])) {
      drawnJoints = Float64Array.from(joints);
      arm.setPose(joints);
      renderer.shadowMap.needsUpdate = true;
      dirty = true;
    }
    if (leaveTrail(now_ms)) dirty = true;
    const turning = view.advance(now_ms);
    if (dirty) draw(now_ms);
    if (moving || turning || trail.object.visible) schedule();
    else last_ms = null;
  }

  /** Adds the tip's way since the last frame, however long ago that was. */
  function leaveTrail(now_ms: number): boolean {
    let changed = false;
    for (let at_ms = Math.max(trailed_ms, now_ms - TRAIL_BACK_MS); at_ms < now_ms; ) {
      at_ms = Math.min(at_ms + TRAIL_STEP_MS, now_ms);
      forward(options.pose(at_ms).joints, trailFrames);
      changed = trail.add(tipOf(trailFrames, tool?.length_m ?? 0), at_ms) || changed;
    }
    trailed_ms = now_ms;
    return changed;
  }

  function draw(now_ms: number): void {
    dirty = false;
    renderer.info.reset();
    renderer.render(scene, view.camera);
    labels.place(view.camera, element.clientWidth, element.clientHeight);
    frames++;
    if (last_ms !== null) spend(rate.frame(now_ms - last_ms));
    last_ms = now_ms;
    options.drawn();
  }

  function spend(next: Thrift): void {
    if (next === thrift) return;
    thrift = next;
    if (thrift > 1) {
      lighting.soften(thrift === 2 ? 1024 : 512);
      renderer.shadowMap.needsUpdate = true;
    }
    resize();
  }

  function resize(): void {
    const width = element.clientWidth;
    const height = element.clientHeight;
    if (width === 0 || height === 0) return;
    renderer.setPixelRatio(thrift > 0 ? 1 : Math.min(devicePixelRatio, PIXEL_RATIO_MAX));
    renderer.setSize(width, height, false);
    trail.resize(width, height);
    view.resize(width, height);
    wake();
  }

  function relabel(): void {
    const names = zones.tops().map(({ name, at }): Label => ({ text: name, at, kind: 'zone' }));
    labels.set(layers.labels ? [REACH_LABEL, ...(layers.zones ? names : [])] : []);
    wake();
  }

  function shine(): void {
    const green = theme === 'light' && light === 'green';
    arm.setLight(new Color(green ? GREEN_ON_LIGHT : LIGHTS[light]));
    wake();
  }

  function pickPivot(event: MouseEvent): void {
    const { width, height, left, top } = canvas.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * 2 - 1;
    const y = 1 - ((event.clientY - top) / height) * 2;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(x, y), view.camera);
    const hit = ray.intersectObjects([arm.object, ground.object])[0];
    if (hit) view.pivot(hit.point);
  }

  canvas.addEventListener('dblclick', pickPivot);
  new ResizeObserver(resize).observe(element);
  startMeshing(arm, () => {
    renderer.shadowMap.needsUpdate = true;
    wake();
  });

  return {
    element,
    canvas,
    arm,
    setTool(next) {
      tool = next;
      arm.setTool(next);
      renderer.shadowMap.needsUpdate = true;
      wake();
    },
    setLight(next) {
      light = next;
      shine();
    },
    setZones(list) {
      zones.set(list);
      relabel();
    },
    setLayers(next) {
      layers = next;
      trail.setVisible(next.trail);
      zones.object.visible = next.zones;
      relabel();
    },
    setTheme(next) {
      theme = next;
      const palette = readPalette(next);
      arm.paint(palette);
      ground.paint(palette);
      zones.paint(palette);
      trail.paint(palette.accent);
      lighting.apply(scene, next);
      shine();
    },
    show: (next) => view.show(next, performance.now()),
    follow: schedule,
    frames: () => frames,
    cost: () => ({ calls: renderer.info.render.calls, triangles: renderer.info.render.triangles }),
    axes() {
      const inverse = view.camera.quaternion.clone().invert();
      return [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].map((axis) => {
        axis.applyQuaternion(inverse);
        return [axis.x, axis.y, axis.z] as const;
      });
    },
    picture() {
      renderer.render(scene, view.camera);
      return new Promise((resolve) => canvas.toBlob(resolve));
    },
  };
}
