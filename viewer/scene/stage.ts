/**
 * The 3D scene on its canvas. Draws on demand, updates shadows only when a pose changes, and
 * lowers quality when frames are slow. Does not know the API.
 */

import { type Raycaster, Vector3 } from 'three';
import { REACH_M } from '../../physics/arm/arm-model.ts';
import { FLANGE_TOOL, type Tool } from '../../physics/kinematics/tool.ts';
import type { Arm } from './arm.ts';
import { type HeadLight, lightColour } from './head-light.ts';
import { createLabels, type Label } from './labels.ts';
import { readPalette, type Theme } from './palette.ts';
import {
  createQualityController,
  pixelRatio,
  type QualityController,
  type QualityLevel,
} from './quality.ts';
import { type DrawCost, type SceneRenderer, startRenderer } from './renderer.ts';
import type { SceneLayer } from './scene-layer.ts';
import { createParts, startMeshing } from './stage-parts.ts';
import { createTipTracer, tipOfFrames } from './tip-tracer.ts';
import {
  createViewpoint,
  type Insets,
  NO_INSETS,
  type PointerPlace,
  pointerRay,
  type StandardView,
  screenAxes,
  type Viewpoint,
} from './viewpoint.ts';
import type { DrawnZone } from './zones.ts';

/** Parts of the scene that the user can hide. */
export interface LiveLayers {
  readonly trail: boolean;
  readonly zones: boolean;
  readonly labels: boolean;
}

export interface StageOptions {
  /**
   * Joint angles (rad) to draw now; `moving` keeps the frames coming. One of the past draws no trail.
   */
  readonly pose: (now_ms: number) => {
    readonly joints: Float64Array;
    readonly moving: boolean;
    readonly isPast?: boolean;
  };
  /** How much of the arm's time passes in a second: none while its clock stands; by default one. */
  readonly pace?: () => number;
  /** Called after every drawn frame. */
  readonly onFrame: () => void;
  /** Called when no frame comes: WebGL 2 is missing, or the page shown has no scene. */
  readonly onNoFrame: () => void;
}

const REACH_LABEL: Label = {
  text: `${Math.round(1000 * REACH_M)} mm reach`,
  at: new Vector3(0.975 * REACH_M, (0.133 / 0.6) * REACH_M, 0),
  kind: 'note',
};
/** Insets that grow by less of the frame's height do not move the camera. */
const SEEN_SHARE = 0.01;

/** The scene with its camera, drawn on demand; put `element` into the page. */
export class Stage {
  readonly element = document.createElement('div');
  readonly canvas = document.createElement('canvas');
  readonly arm: Arm;
  private readonly options: StageOptions;
  private readonly parts = createParts();
  private drawing: SceneRenderer | null = null;
  private started = false;
  private readonly labels = createLabels();
  private readonly view: Viewpoint;
  private rate: QualityController = createQualityController();
  private readonly tracer: ReturnType<typeof createTipTracer>;
  private theme: Theme = 'light';
  private light: HeadLight = 'off';
  private layers: LiveLayers = { trail: true, zones: true, labels: true };
  private layer: SceneLayer | null = null;
  private overlays: readonly SceneLayer[] = [];
  private tool: Tool = FLANGE_TOOL;
  private drawnJoints: Float64Array | null = null;
  /** True while the viewpoint of a link stands. */
  private pinned = false;
  private count = 0;
  private dirty = true;
  private moving = false;
  /** Last known size; null while the canvas is not visible. */
  private size: { readonly width: number; readonly height: number } | null = null;
  private scheduled = false;
  private quality: QualityLevel = 0;
  private last_ms: number | null = null;
  private extent: readonly Vector3[] = [];
  private insets = NO_INSETS;
  /** Whether a button of the pointer is down, and a fit of the view waits for its release. */
  private isPressed = false;
  private needsFrame = false;
  /** The insets of the view that was shown last. */
  private shownInsets = NO_INSETS;

  constructor(options: StageOptions) {
    this.options = options;
    this.arm = this.parts.arm;
    this.tracer = createTipTracer(options.pose, this.parts.trail, () => this.pace());
    this.view = createViewpoint(this.canvas, () => this.requestRender());
    this.element.className = 'stage';
    this.canvas.className = 'stage-canvas';
    this.element.append(this.canvas, this.labels.element);
    this.canvas.addEventListener('dblclick', (event) => this.pickPivot(event));
    for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const) {
      addEventListener(type, (event) => this.notePress(event), { capture: true, passive: true });
    }
    new ResizeObserver(() => this.resize()).observe(this.element);
    startMeshing(this.arm, () => this.updateShadows());
    this.setLayers({ trail: true, zones: true, labels: true });
  }

  private pace(): number {
    return this.options.pace?.() ?? 1;
  }

  /** Starts rendering after the page has been painted; further calls do nothing. */
  start(): void {
    if (this.started) return;
    this.started = true;
    // A separate task runs after the paint of the current frame.
    setTimeout(() => void this.startRendering());
  }

  setTool(tool: Tool): void {
    this.tool = tool;
    this.arm.setTool(tool);
    this.updateShadows();
  }

  setLight(light: HeadLight): void {
    this.light = light;
    this.arm.setLight(lightColour(light, this.theme));
    this.requestRender();
  }

  setZones(zones: readonly DrawnZone[]): void {
    this.parts.zones.set(zones);
    this.updateLabels();
  }

  setLayers(layers: LiveLayers): void {
    this.layers = layers;
    this.parts.trail.setVisible(layers.trail && !this.layer);
    this.parts.zones.object.visible = layers.zones && !this.layer;
    this.updateLabels();
  }

  setTheme(theme: Theme): void {
    const { scene, ground, lighting, trail, zones } = this.parts;
    this.theme = theme;
    const palette = readPalette(theme);
    this.arm.paint(palette);
    ground.paint(palette);
    zones.paint(palette);
    trail.paint(palette.accent);
    lighting.apply(scene, theme);
    for (const layer of this.activeLayers()) layer.applyPalette(palette);
    this.setLight(this.light);
  }

  /** Shows a page's layer in place of trail and zones; null restores them. */
  setLayer(layer: SceneLayer | null): void {
    if (this.layer) this.parts.scene.remove(this.layer.object);
    if (layer) this.add(layer);
    this.layer = layer;
    layer?.applyPalette(readPalette(this.theme));
    this.setLayers(this.layers);
    this.fit(layer);
  }

  /** Shows or hides a layer in addition to all others. */
  setOverlay(overlay: SceneLayer, shown: boolean): void {
    const others = this.overlays.filter((each) => each !== overlay);
    this.overlays = shown ? [...others, overlay] : others;
    if (shown) this.add(overlay);
    else this.parts.scene.remove(overlay.object);
    if (shown) overlay.applyPalette(readPalette(this.theme));
    this.fit(shown ? overlay : null);
  }

  /** Gives a layer the known size; a new one of the scene comes with its layout. */
  private fit(layer: SceneLayer | null): void {
    if (this.size) layer?.resize(this.size.width, this.size.height);
    this.requestRender();
  }

  /** The ray from the camera through a pointer event on the canvas. */
  ray(event: PointerPlace): Raycaster {
    return pointerRay(event, this.canvas, this.view.camera);
  }

  /** Shows or hides the arm. */
  setArmShown(shown: boolean): void {
    this.arm.object.visible = shown;
    this.updateShadows();
  }

  showView(view: StandardView): void {
    this.pinned = false;
    const tops = this.arm.links.map(({ matrix }) => new Vector3().setFromMatrixPosition(matrix));
    const more = this.activeLayers().flatMap((layer) => layer.boundingPoints());
    const tip = tipOfFrames(this.arm.frames, this.tool);
    this.view.show(view, [...tops, tip, ...this.extent, ...more], this.insets);
    this.shownInsets = this.insets;
  }

  /** Sets what lies over the scene: standard views show the arm beside it. The start view follows
   * when more is covered, until the user moves the camera; when less is, it waits for `reframe`, so
   * that a line which comes and goes does not rock the picture.
   */
  setInsets(insets: Insets): void {
    this.insets = insets;
    const { top, bottom, left } = this.shownInsets;
    const higher = Math.max(insets.top - top, insets.bottom - bottom);
    const grown = Math.max(higher, insets.left - left);
    if (grown > SEEN_SHARE) this.reframe();
  }

  /** Points that the start view includes on every page, such as those of the loaded toolpath. */
  setExtent(points: readonly Vector3[]): void {
    this.extent = points;
  }

  /** Whether frames are dear, as with software graphics. */
  isSlow(): boolean {
    return this.quality > 1;
  }

  /** Shows the start view, unless a link has set the viewpoint. */
  frame(): void {
    if (!this.pinned) this.showView('start');
  }

  /** Fits the start view again while it stands as it was shown. */
  reframe(): void {
    this.needsFrame = this.isPressed;
    if (!this.isPressed && this.view.isStart()) this.frame();
  }

  /** What is dragged must not move under the pointer: the view is fitted after the release. */
  private notePress({ buttons }: PointerEvent): void {
    this.isPressed = buttons !== 0;
    if (!this.isPressed && this.needsFrame) this.reframe();
  }

  /** Position and target of the camera (m), for a link. */
  viewpoint(): readonly number[] {
    return this.view.numbers();
  }

  setViewpoint(numbers: readonly number[]): void {
    this.pinned = this.view.setNumbers(numbers);
  }

  /** Turns to a point and comes close to it. */
  lookAt(point: Vector3): void {
    this.view.lookAt(point);
  }

  /** Polls the pose source from the next frame on; draws if the pose has changed. */
  requestUpdate(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame((now_ms) => this.onAnimationFrame(now_ms));
  }

  /** Number of frames drawn so far. */
  frames(): number {
    return this.count;
  }

  /** Whether the arm or the camera moves, or a frame with a change is due. */
  isMoving(): boolean {
    return this.moving || this.dirty;
  }

  cost(): DrawCost {
    return this.drawing?.cost() ?? { calls: 0, triangles: 0, geometries: 0, textures: 0 };
  }

  /** Where a point of the scene is drawn in the window (px). */
  pixelOf(point: Vector3): readonly [number, number] {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const { x, y } = point.clone().project(this.view.camera);
    return [left + ((x + 1) / 2) * width, top + ((1 - y) / 2) * height];
  }

  /** Screen directions of the world's axes, for the compass. */
  axes(): readonly (readonly [number, number, number])[] {
    return screenAxes(this.view.camera);
  }

  /** PNG of the current frame. */
  screenshot(): Promise<Blob | null> {
    this.drawing?.draw();
    return new Promise((resolve) => this.canvas.toBlob(resolve));
  }

  /** Its shaders compile before it has anything to draw: the first frame with it need not wait. */
  private add(layer: SceneLayer): void {
    this.parts.scene.add(layer.object);
    this.drawing?.prepare(layer.object);
  }

  /** Requests a redraw. */
  requestRender(): void {
    this.dirty = true;
    this.requestUpdate();
  }

  private activeLayers(): readonly SceneLayer[] {
    return this.layer ? [this.layer, ...this.overlays] : this.overlays;
  }

  private async startRendering(): Promise<void> {
    const { canvas, view, parts } = this;
    const isBusy = () => this.moving || this.activeLayers().some((layer) => layer.isBusy?.());
    this.drawing = await startRenderer({ ...parts, canvas, camera: view.camera, isBusy });
    if (!this.drawing) this.options.onNoFrame();
    this.quality = this.drawing?.quality ?? 0;
    this.rate = createQualityController(this.quality);
    this.resize();
  }

  /** Redraws with new shadows. */
  private updateShadows(): void {
    this.drawing?.updateShadows();
    this.requestRender();
  }

  private onAnimationFrame(now_ms: number): void {
    this.scheduled = false;
    const { joints, moving, isPast = false } = this.options.pose(now_ms);
    if (!this.drawnJoints || joints.some((angle, j) => angle !== this.drawnJoints![j])) {
      this.drawnJoints = Float64Array.from(joints);
      this.arm.setPose(joints);
      this.drawing?.updateShadows();
      this.dirty = true;
    }
    if (isPast) this.tracer.restart(now_ms);
    else if (this.tracer.advance(now_ms, this.tool)) this.dirty = true;
    for (const layer of this.activeLayers()) {
      if (!layer.update()) continue;
      this.dirty = true;
      if (layer.castsShadow) this.drawing?.updateShadows();
    }
    this.moving = moving || this.view.advance(now_ms);
    const due = this.dirty && this.size !== null;
    if (due && this.drawing?.isReady()) this.draw(this.drawing, now_ms);
    const isFading = this.parts.trail.object.visible && this.pace() > 0;
    if (this.moving || (due && this.dirty) || isFading) this.requestUpdate();
    else this.last_ms = null;
  }

  private draw(drawing: SceneRenderer, now_ms: number): void {
    this.dirty = false;
    drawing.draw();
    const { width, height } = this.size!;
    this.labels.place(this.view.camera, width, height);
    for (const layer of this.activeLayers()) layer.placeLabels(this.view.camera, width, height);
    this.count++;
    if (this.last_ms !== null) this.setQuality(this.rate.addFrame(now_ms - this.last_ms));
    this.last_ms = now_ms;
    this.options.onFrame();
  }

  private setQuality(quality: QualityLevel): void {
    if (quality === this.quality) return;
    this.quality = quality;
    if (quality === 2 || quality === 3) this.drawing?.reduceShadows(quality);
    this.resize();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    this.size = width > 0 && height > 0 ? { width, height } : null;
    if (!this.size) {
      this.options.onNoFrame();
      return;
    }
    this.drawing?.resize(width, height, pixelRatio(this.quality));
    this.parts.trail.resize(width, height);
    for (const layer of this.activeLayers()) layer.resize(width, height);
    this.view.resize(width, height);
    this.requestRender();
  }

  private updateLabels(): void {
    const tops = this.parts.zones.tops();
    const names = tops.map(({ name, at }): Label => ({ text: name, at, kind: 'zone' }));
    const shown = [REACH_LABEL, ...(this.layers.zones && !this.layer ? names : [])];
    this.labels.set(this.layers.labels ? shown : []);
    this.requestRender();
  }

  private pickPivot(event: MouseEvent): void {
    const objects = [this.arm.object, this.parts.ground.object];
    const [hit] = this.ray(event).intersectObjects(objects);
    if (hit) this.view.pivot(hit.point);
  }
}
