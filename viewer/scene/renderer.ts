/**
 * The WebGL renderer of the scene: detects software rendering, compiles shaders without blocking
 * the page, and lowers the quality level when frames are slow. Also: the interfaces of stage and
 * layers.
 */
import type { Object3D, PerspectiveCamera, Raycaster, Vector3 } from 'three';
import {
  type Camera,
  Color,
  NeutralToneMapping,
  PCFShadowMap,
  type Scene,
  VSMShadowMap,
  WebGLRenderer,
} from 'three';
import type { Tool } from '../../physics/kinematics/forward.ts';
import { element } from '../panels/element.ts';
import type { Arm } from './arm.ts';
import { createFence, isSoftwareRendered, type Lighting } from './lighting.ts';
import type { HeadLight, Palette, Theme } from './palette.ts';
import type { StandardView } from './viewpoint.ts';
import type { DrawnZone } from './zones.ts';

/** Interfaces of the 3D stage and of the layers that pages add to it. */

/** A page's content in the scene. */
export interface SceneLayer {
  readonly object: Object3D;
  /** Whether what it draws casts shadows that change with it. */
  readonly castsShadow?: boolean;
  /** Updates the layer before a frame; returns true if the picture has changed. */
  update(): boolean;
  /** Whether the page builds or plays: a sharp frame would slow it down. */
  isBusy?(): boolean;
  /** Points that the start view must include. */
  boundingPoints(): readonly Vector3[];
  applyPalette(palette: Palette): void;
  resize(width: number, height: number): void;
  /** Positions page elements over their 3D points after a drawn frame. */
  placeLabels(camera: PerspectiveCamera, width: number, height: number): void;
}

/** Parts of the scene that the user can hide. */
export interface LiveLayers {
  readonly trail: boolean;
  readonly zones: boolean;
  readonly labels: boolean;
}

export interface Stage {
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly arm: Arm;
  /** Starts rendering after the page has been painted; further calls do nothing. */
  start(): void;
  setTool(tool: Tool): void;
  setLight(light: HeadLight): void;
  setZones(zones: readonly DrawnZone[]): void;
  setLayers(layers: LiveLayers): void;
  setTheme(theme: Theme): void;
  /** Shows a page's layer in place of trail and zones; null restores them. */
  setLayer(layer: SceneLayer | null): void;
  /** Shows or hides a layer in addition to all others. */
  setOverlay(overlay: SceneLayer, shown: boolean): void;
  /** The ray from the camera through a pointer event on the canvas. */
  ray(event: MouseEvent): Raycaster;
  /** Shows or hides the arm. */
  setArmShown(shown: boolean): void;
  showView(view: StandardView): void;
  /** Points that the start view includes on every page, such as those of the loaded toolpath. */
  setExtent(points: readonly Vector3[]): void;
  /** Whether frames are dear, as with software graphics. */
  isSlow(): boolean;
  /** Shows the start view, unless a link has set the viewpoint. */
  frame(): void;
  /** Position and target of the camera (m), for a link. */
  viewpoint(): readonly number[];
  setViewpoint(numbers: readonly number[]): void;
  /** Turns to a point and comes close to it. */
  lookAt(point: Vector3): void;
  /** Polls the pose source from the next frame on; draws if the pose has changed. */
  requestUpdate(): void;
  /** Requests a redraw. */
  requestRender(): void;
  /** Number of frames drawn so far. */
  frames(): number;
  cost(): DrawCost;
  /** Screen directions of the world's axes, for the compass. */
  axes(): readonly (readonly [x: number, y: number, depth: number])[];
  /** PNG of the current frame. */
  screenshot(): Promise<Blob | null>;
}

export interface StageOptions {
  /** Joint angles (rad) to draw now; `moving` keeps the frames coming. */
  readonly pose: (now_ms: number) => { readonly joints: Float64Array; readonly moving: boolean };
  /** Called after every drawn frame. */
  readonly onFrame: () => void;
}

/**
 * 0: full quality; 1: one pixel per CSS pixel; 2: smaller shadow map; 3: small shadow map with hard
 * edges.
 */
export type QualityLevel = 0 | 1 | 2 | 3;

const SLOW_MS = 28;
const SLOW_TOTAL_MS = 30 * SLOW_MS;
/** A longer gap means that the page was paused, not that the frame was slow. */
const PAUSE_MS = 2000;
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

/** Cost of the scene: the most expensive frame so far, and the current graphics memory. */
export interface DrawCost {
  /** Draw calls and triangles, including shadows. */
  readonly calls: number;
  readonly triangles: number;
  readonly geometries: number;
  readonly textures: number;
}

/** Shown in place of the scene if WebGL 2 is missing. */
const NO_WEBGL =
  'This browser cannot draw the 3D scene: WebGL 2 is missing. Turn on hardware acceleration ' +
  'or use another browser. The rest of the page works.';

/**
 * Creates a transparent renderer; with `software` it has no antialiasing and no blurred shadows.
 */
function createRenderer(canvas: HTMLCanvasElement, software: boolean): WebGLRenderer {
  const renderer = new WebGLRenderer({ canvas, alpha: true, antialias: !software });
  renderer.toneMapping = NeutralToneMapping;
  renderer.toneMappingExposure = 1;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = software ? PCFShadowMap : VSMShadowMap;
  renderer.shadowMap.autoUpdate = false;
  renderer.info.autoReset = false;
  // Checking would block on every shader program in turn.
  renderer.debug.checkShaderErrors = false;
  renderer.setClearColor(new Color(0x000000), 0);
  return renderer;
}

const PIXEL_RATIO_MAX = 2;

/** Device pixels per CSS pixel. */
export function pixelRatio(quality: QualityLevel): number {
  return quality > 0 ? 1 : Math.min(devicePixelRatio, PIXEL_RATIO_MAX);
}

/** Pixels per CSS pixel of the one sharp frame of a scene at rest, without antialiasing. */
const REST_PIXEL_RATIO = 2;
/** A scene that has not changed for this time, and twice that of a frame, is at rest (ms). */
const REST_MS = 220;

/** Size of the shadow map by quality level. */
const SHADOW_PX = { 2: 1024, 3: 512 } as const;

export interface SceneRenderer {
  /** Initial quality level: the lowest with software rendering. */
  readonly quality: QualityLevel;
  /** Whether a frame can be drawn without waiting for the sharp one. */
  isReady(): boolean;
  /** Draws a frame; without antialiasing, a sharp one follows when the scene is at rest. */
  draw(): void;
  /** Updates the shadows with the next frame. */
  updateShadows(): void;
  /** Uses cheaper shadows from now on. */
  reduceShadows(quality: 2 | 3): void;
  resize(width: number, height: number, ratio: number): void;
  cost(): DrawCost;
}

/** What the renderer draws, and where. */
export interface RenderTargets {
  readonly canvas: HTMLCanvasElement;
  readonly scene: Scene;
  readonly camera: Camera;
  readonly lighting: Lighting;
  /** Whether more frames are about to come. */
  readonly isBusy: () => boolean;
}

/** Sizes the canvas; on software graphics draws the scene once at twice the size, at rest. */
function createSizing(renderer: WebGLRenderer, { scene, camera, isBusy }: RenderTargets) {
  const fence = createFence(renderer);
  let size = { width: 0, height: 0, ratio: 0 };
  let isSharp = false;
  let rest: ReturnType<typeof setTimeout> | undefined;
  let drawn_ms = 0;
  function resize(width: number, height: number, ratio: number): void {
    const same = size.width === width && size.height === height && size.ratio === ratio;
    if (same && !isSharp) return;
    size = { width, height, ratio };
    isSharp = false;
    renderer.setDrawingBufferSize(width, height, ratio);
  }
  /** Draws as soon as nothing else has to be drawn. */
  function drawSharply(): void {
    if (document.hidden || size.width === 0) return;
    if (isBusy() || !fence.isPassed()) {
      rest = setTimeout(drawSharply, REST_MS);
      return;
    }
    isSharp = true;
    renderer.setDrawingBufferSize(size.width, size.height, REST_PIXEL_RATIO);
    renderer.render(scene, camera);
    fence.set();
  }
  return {
    resize,
    isReady: () => !isSharp || fence.isPassed(),
    /** Must be called before a frame. */
    begin(): void {
      clearTimeout(rest);
      if (isSharp) resize(size.width, size.height, size.ratio);
    },
    /** Must be called after a frame that a sharp one may follow. */
    end(): void {
      fence.set();
      const frame_ms = performance.now() - drawn_ms;
      drawn_ms += frame_ms;
      // Waits longer where frames are slow: the next one of a motion is only late.
      rest = setTimeout(drawSharply, Math.max(REST_MS, frame_ms < PAUSE_MS ? 2 * frame_ms : 0));
    },
  };
}

/**
 * Creates the renderer and compiles the scene's shaders in parallel with other work; resolves when
 * it can draw. Without WebGL 2 it shows a message beside the canvas and resolves to null.
 */
export async function startRenderer(sight: RenderTargets): Promise<SceneRenderer | null> {
  const { canvas, scene, camera, lighting } = sight;
  const software = isSoftwareRendered();
  if (software === null) {
    canvas.after(element('p', { class: 'stage-none', role: 'status' }, NO_WEBGL));
    return null;
  }
  const renderer = createRenderer(canvas, software);
  if (software) lighting.reduceShadowMap(SHADOW_PX[3]);
  const quality = software ? 3 : 0;
  const { resize, isReady, begin, end } = createSizing(renderer, sight);
  resize(canvas.clientWidth, canvas.clientHeight, pixelRatio(quality));
  // Without parallel compilation the first frame compiles the shaders.
  const beside = renderer.extensions.has('KHR_parallel_shader_compile');
  if (beside) await renderer.compileAsync(scene, camera);
  let mostExpensive = { calls: 0, triangles: 0 };
  const { info, shadowMap } = renderer;
  shadowMap.needsUpdate = true;
  return {
    quality,
    isReady,
    draw() {
      begin();
      info.reset();
      renderer.render(scene, camera);
      if (software) end();
      const { calls, triangles } = info.render;
      if (triangles > mostExpensive.triangles) mostExpensive = { calls, triangles };
    },
    updateShadows() {
      shadowMap.needsUpdate = true;
    },
    reduceShadows(quality) {
      lighting.reduceShadowMap(SHADOW_PX[quality]);
      shadowMap.needsUpdate = true;
    },
    resize,
    cost: () => ({ ...mostExpensive, ...info.memory }),
  };
}
