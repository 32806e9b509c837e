/**
 * The WebGL renderer as the scene wants it, and the question whether a graphics processor is
 * behind it at all.
 */
import { Color, NeutralToneMapping, PCFShadowMap, VSMShadowMap, WebGLRenderer } from 'three';

/** What the scene costs: the dearest frame so far, and what the graphics memory holds now. */
export interface DrawCost {
  /** Draw calls and triangles, shadows included. */
  readonly calls: number;
  readonly triangles: number;
  readonly geometries: number;
  readonly textures: number;
}

/** True where WebGL is computed by the processor: in virtual machines and tests. */
export function drawsInSoftware(): boolean {
  const probe = document.createElement('canvas').getContext('webgl2');
  const name = probe?.getExtension('WEBGL_debug_renderer_info');
  const renderer = name ? String(probe?.getParameter(name.UNMASKED_RENDERER_WEBGL)) : '';
  probe?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(renderer);
}

/** A renderer over the page's background; without blurred shadows where `software` computes it. */
export function createRenderer(canvas: HTMLCanvasElement, software: boolean): WebGLRenderer {
  const renderer = new WebGLRenderer({ canvas, alpha: true, antialias: !software });
  renderer.toneMapping = NeutralToneMapping;
  renderer.toneMappingExposure = 1;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = software ? PCFShadowMap : VSMShadowMap;
  renderer.shadowMap.autoUpdate = false;
  renderer.info.autoReset = false;
  renderer.setClearColor(new Color(0x000000), 0);
  return renderer;
}
