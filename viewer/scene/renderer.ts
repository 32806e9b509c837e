/**
 * Draws the scene with WebGL: creates the renderer, follows the size of the canvas, and measures
 * what a frame costs.
 */
import {
  type Camera,
  Color,
  NeutralToneMapping,
  type Object3D,
  PCFShadowMap,
  type Scene,
  VSMShadowMap,
  WebGLRenderer,
} from 'three';
import type { Lighting } from './lighting.ts';
import { PAUSE_MS, pixelRatio, type QualityLevel } from './quality.ts';

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

function noWebglMessage(): HTMLElement {
  const message = document.createElement('p');
  message.className = 'stage-none';
  message.setAttribute('role', 'status');
  message.textContent = NO_WEBGL;
  return message;
}

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

/** Pixels per CSS pixel of the one sharp frame of a scene at rest, without antialiasing. */
const REST_PIXEL_RATIO = 2;
/** A scene that has not changed for this time, and twice that of a frame, is at rest (ms). */
const REST_MS = 220;
/** Time between two looks whether the graphics have drawn a frame (ms). */
const FENCE_MS = 40;

/** Size of the shadow map by quality level. */
const SHADOW_PX = { 2: 1024, 3: 512 } as const;

export interface SceneRenderer {
  /** Initial quality level: the lowest with software rendering. */
  readonly quality: QualityLevel;
  /** Whether a frame can be drawn without waiting for the sharp one. */
  isReady(): boolean;
  /** Draws a frame; without antialiasing, a sharp one follows when the scene is at rest. */
  draw(): void;
  /** Has the shaders of an object of the scene compiled, shown or not; waits for none of them. */
  prepare(object: Object3D): void;
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
  /** One timer for all frames of a motion. */
  let isWaiting = false;
  let isFenced = false;
  let drawn_ms = 0;
  let wait_ms = REST_MS;
  function resize(width: number, height: number, ratio: number): void {
    const isSame = size.width === width && size.height === height && size.ratio === ratio;
    if (isSame && !isSharp) return;
    size = { width, height, ratio };
    isSharp = false;
    renderer.setDrawingBufferSize(width, height, ratio);
  }
  /** Time until the scene is at rest and its last frame is on the screen; 0: it is (ms). */
  function restIn_ms(): number {
    const left_ms = drawn_ms + wait_ms - performance.now();
    if (left_ms > 0) return left_ms;
    if (isBusy()) return REST_MS;
    if (!isFenced) fence.set();
    isFenced = true;
    return fence.isPassed() ? 0 : FENCE_MS;
  }
  function wait(time_ms: number): void {
    isWaiting = true;
    setTimeout(drawSharply, time_ms);
  }
  /** Draws as soon as nothing else has to be drawn. */
  function drawSharply(): void {
    isWaiting = false;
    if (document.hidden || size.width === 0) return;
    const left_ms = restIn_ms();
    if (left_ms > 0) wait(left_ms);
    else isSharp = true;
    if (!isSharp) return;
    renderer.setDrawingBufferSize(size.width, size.height, REST_PIXEL_RATIO);
    renderer.render(scene, camera);
    fence.set();
  }
  return {
    resize,
    isReady: () => !isSharp || fence.isPassed(),
    /** Must be called before a frame. */
    begin(): void {
      if (isSharp) resize(size.width, size.height, size.ratio);
    },
    /** Must be called after a frame that a sharp one may follow. */
    end(): void {
      const frame_ms = performance.now() - drawn_ms;
      drawn_ms += frame_ms;
      isFenced = false;
      // Waits longer where frames are slow: the next one of a motion is only late.
      wait_ms = Math.max(REST_MS, frame_ms < PAUSE_MS ? 2 * frame_ms : 0);
      if (!isWaiting) wait(wait_ms);
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
    canvas.after(noWebglMessage());
    return null;
  }
  if (software) document.documentElement.dataset['graphics'] = 'software';
  const renderer = createRenderer(canvas, software);
  if (software) lighting.reduceShadowMap(SHADOW_PX[3]);
  const quality = software ? 3 : 0;
  const { resize, isReady, begin, end } = createSizing(renderer, sight);
  resize(canvas.clientWidth, canvas.clientHeight, pixelRatio(quality));
  await renderer.compileAsync(scene, camera);
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
    prepare(object) {
      renderer.compile(object, camera, scene);
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
