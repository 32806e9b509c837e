/**
 * The 3D scene on its canvas. Draws on demand, updates shadows only when a pose changes, and lowers
 * quality when frames are slow. Does not know the API.
 */
import { type Raycaster, Vector3 } from 'three';
import { FLANGE_TOOL, type Tool } from '../../physics/kinematics/forward.ts';
import type { Arm } from './arm.ts';
import { createLabels, type Label } from './labels.ts';
import {
  createQualityController,
  pixelRatio,
  type QualityController,
  type QualityLevel,
} from './lighting.ts';
import { type HeadLight, lightColour, readPalette, type Theme } from './palette.ts';
import type { LiveLayers, SceneLayer, Stage, StageOptions } from './renderer.ts';
import { type DrawCost, type SceneRenderer, startRenderer } from './renderer.ts';
import { createParts, createTipTracer, startMeshing, tipOfFrames } from './stage-parts.ts';
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

const REACH_LABEL: Label = { text: '600 mm reach', at: new Vector3(0.585, 0.133, 0), kind: 'note' };
/** Insets that grow by less of the frame's height do not move the camera. */
const SEEN_SHARE = 0.01;

class ArmStage implements Stage {
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
    this.tracer = createTipTracer(options.pose, this.parts.trail);
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
  }

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

  setLayer(layer: SceneLayer | null): void {
    if (this.layer) this.parts.scene.remove(this.layer.object);
    if (layer) this.add(layer);
    this.layer = layer;
    layer?.applyPalette(readPalette(this.theme));
    this.setLayers(this.layers);
    this.resize();
  }

  setOverlay(overlay: SceneLayer, shown: boolean): void {
    const others = this.overlays.filter((each) => each !== overlay);
    this.overlays = shown ? [...others, overlay] : others;
    if (shown) this.add(overlay);
    else this.parts.scene.remove(overlay.object);
    if (shown) overlay.applyPalette(readPalette(this.theme));
    this.resize();
  }

  ray(event: PointerPlace): Raycaster {
    return pointerRay(event, this.canvas, this.view.camera);
  }

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

  setInsets(insets: Insets): void {
    this.insets = insets;
    const { top, bottom, left } = this.shownInsets;
    const higher = Math.max(insets.top - top, insets.bottom - bottom);
    const grown = Math.max(higher, insets.left - left);
    if (grown > SEEN_SHARE) this.reframe();
  }

  setExtent(points: readonly Vector3[]): void {
    this.extent = points;
  }

  isSlow(): boolean {
    return this.quality > 1;
  }

  frame(): void {
    if (!this.pinned) this.showView('start');
  }

  reframe(): void {
    this.needsFrame = this.isPressed;
    if (!this.isPressed && this.view.isStart()) this.frame();
  }

  /** What is dragged must not move under the pointer: the view is fitted after the release. */
  private notePress({ buttons }: PointerEvent): void {
    this.isPressed = buttons !== 0;
    if (!this.isPressed && this.needsFrame) this.reframe();
  }

  viewpoint(): readonly number[] {
    return this.view.numbers();
  }

  setViewpoint(numbers: readonly number[]): void {
    this.pinned = this.view.setNumbers(numbers);
  }

  lookAt(point: Vector3): void {
    this.view.lookAt(point);
  }

  requestUpdate(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame((now_ms) => this.onAnimationFrame(now_ms));
  }

  frames(): number {
    return this.count;
  }

  isMoving(): boolean {
    return this.moving || this.dirty;
  }

  cost(): DrawCost {
    return this.drawing?.cost() ?? { calls: 0, triangles: 0, geometries: 0, textures: 0 };
  }

  pixelOf(point: Vector3): readonly [number, number] {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const { x, y } = point.clone().project(this.view.camera);
    return [left + ((x + 1) / 2) * width, top + ((1 - y) / 2) * height];
  }

  axes(): readonly (readonly [number, number, number])[] {
    return screenAxes(this.view.camera);
  }

  screenshot(): Promise<Blob | null> {
    this.drawing?.draw();
    return new Promise((resolve) => this.canvas.toBlob(resolve));
  }

  /** Its shaders compile before it has anything to draw: the first frame with it need not wait. */
  private add(layer: SceneLayer): void {
    this.parts.scene.add(layer.object);
    this.drawing?.prepare(layer.object);
  }

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
    const { joints, moving } = this.options.pose(now_ms);
    if (!this.drawnJoints || joints.some((angle, j) => angle !== this.drawnJoints![j])) {
      this.drawnJoints = Float64Array.from(joints);
      this.arm.setPose(joints);
      this.drawing?.updateShadows();
      this.dirty = true;
    }
    if (this.tracer.advance(now_ms, this.tool)) this.dirty = true;
    for (const layer of this.activeLayers()) {
      if (!layer.update()) continue;
      this.dirty = true;
      if (layer.castsShadow) this.drawing?.updateShadows();
    }
    this.moving = moving || this.view.advance(now_ms);
    const due = this.dirty && this.size !== null;
    if (due && this.drawing?.isReady()) this.draw(this.drawing, now_ms);
    if (this.moving || (due && this.dirty) || this.parts.trail.object.visible) this.requestUpdate();
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

/** Creates the scene; put `element` into the page. */
export function createStage(options: StageOptions): Stage {
  const stage = new ArmStage(options);
  stage.setLayers({ trail: true, zones: true, labels: true });
  return stage;
}
