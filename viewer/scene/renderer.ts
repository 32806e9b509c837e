/**
 * The drawing of the scene: the WebGL renderer as the scene wants it, the question whether a
 * graphics processor is behind it at all, and what frames cost. Apart from the stage because it
 * begins later: its shaders take longer to make than all panels together.
 */
import {
  type Camera,
  Color,
  NeutralToneMapping,
  PCFShadowMap,
  type Scene,
  VSMShadowMap,
  WebGLRenderer,
} from 'three';
import { element } from '../panels/element.ts';
import type { Thrift } from './frame-rate.ts';
import type { Lighting } from './lighting.ts';

/** What the scene costs: the dearest frame so far, and what the graphics memory holds now. */
export interface DrawCost {
  /** Draw calls and triangles, shadows included. */
  readonly calls: number;
  readonly triangles: number;
  readonly geometries: number;
  readonly textures: number;
}

/** Stands in the scene's place where nothing can be drawn. */
const NO_WEBGL =
  'This browser draws no 3D here: it has no WebGL 2. Turn its graphics acceleration on, or take ' +
  'another browser. Everything else on the page works.';

/** True where WebGL is computed by the processor: in virtual machines and tests; null without. */
function drawsInSoftware(): boolean | null {
  const probe = document.createElement('canvas').getContext('webgl2');
  if (!probe) return null;
  const name = probe.getExtension('WEBGL_debug_renderer_info');
  const renderer = name ? String(probe.getParameter(name.UNMASKED_RENDERER_WEBGL)) : '';
  probe.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(renderer);
}

/** A renderer over the page's background; without blurred shadows where `software` computes it. */
function createRenderer(canvas: HTMLCanvasElement, software: boolean): WebGLRenderer {
  const renderer = new WebGLRenderer({ canvas, alpha: true, antialias: !software });
  renderer.toneMapping = NeutralToneMapping;
  renderer.toneMappingExposure = 1;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = software ? PCFShadowMap : VSMShadowMap;
  renderer.shadowMap.autoUpdate = false;
  renderer.info.autoReset = false;
  // Asking would wait for every program in turn.
  renderer.debug.checkShaderErrors = false;
  renderer.setClearColor(new Color(0x000000), 0);
  return renderer;
}

const PIXEL_RATIO_MAX = 2;

/** Pixels drawn for one of the page. */
export function pixelRatio(thrift: Thrift): number {
  return thrift > 0 ? 1 : Math.min(devicePixelRatio, PIXEL_RATIO_MAX);
}

/** Sizes of the shadow map by what the scene may cost. */
const SHADOW_PX = { 2: 1024, 3: 512 } as const;

export interface Drawing {
  /** What it may cost from the start: little where the processor computes it. */
  readonly thrift: Thrift;
  /** Draws a frame. */
  draw(): void;
  /** Draws the next frame with new shadows. */
  reshade(): void;
  /** Draws shadows that cost less from now on. */
  soften(thrift: 2 | 3): void;
  resize(width: number, height: number, ratio: number): void;
  cost(): DrawCost;
}

/** What is drawn, and where from. */
export interface Sight {
  readonly canvas: HTMLCanvasElement;
  readonly scene: Scene;
  readonly camera: Camera;
  readonly lighting: Lighting;
}

/**
 * Makes the shaders of the scene, other work going on beside; resolves when it can draw. Where
 * there is no WebGL it says so beside the canvas and resolves to null.
 */
export async function startDrawing(sight: Sight): Promise<Drawing | null> {
  const { canvas, scene, camera, lighting } = sight;
  const software = drawsInSoftware();
  if (software === null) {
    canvas.after(element('p', { class: 'stage-none', role: 'status' }, NO_WEBGL));
    return null;
  }
  const renderer = createRenderer(canvas, software);
  if (software) lighting.soften(SHADOW_PX[3]);
  const thrift = software ? 3 : 0;
  let size = '';
  function resize(width: number, height: number, ratio: number): void {
    if (size === `${width} ${height} ${ratio}`) return;
    size = `${width} ${height} ${ratio}`;
    renderer.setPixelRatio(ratio);
    renderer.setSize(width, height, false);
  }
  resize(canvas.clientWidth, canvas.clientHeight, pixelRatio(thrift));
  // Where shaders cannot be made beside other work, the first frame makes them.
  const beside = renderer.extensions.has('KHR_parallel_shader_compile');
  if (beside) await renderer.compileAsync(scene, camera);
  let dearest = { calls: 0, triangles: 0 };
  const { info, shadowMap } = renderer;
  shadowMap.needsUpdate = true;
  return {
    thrift,
    draw() {
      info.reset();
      renderer.render(scene, camera);
      const { calls, triangles } = info.render;
      if (triangles > dearest.triangles) dearest = { calls, triangles };
    },
    reshade() {
      shadowMap.needsUpdate = true;
    },
    soften(thrift) {
      lighting.soften(SHADOW_PX[thrift]);
      shadowMap.needsUpdate = true;
    },
    resize,
    cost: () => ({ ...dearest, ...info.memory }),
  };
}
