/**
 * The scene on its canvas: draws only when something changed, keeps shadows until a pose changes
 * and spends less when frames come slowly. Knows nothing of the API.
 */
import { Vector3 } from 'three';
import { FLANGE_TOOL, type Tool } from '../../physics/kinematics/tool.ts';
import type { Arm } from './arm.ts';
import { createFrameRate, type FrameRate, type Thrift } from './frame-rate.ts';
import { type HeadLight, lightColour } from './head-light.ts';
import { createLabels, type Label } from './labels.ts';
import { readPalette, type Theme } from './palette.ts';
import { pointUnder } from './picking.ts';
import { type DrawCost, type Drawing, pixelRatio, startDrawing } from './renderer.ts';
import type { SceneLayer } from './scene-layer.ts';
import { createParts, type StageParts, startMeshing } from './stage-parts.ts';
import { createTipTrace, type TipTrace, tipOf } from './tip-trace.ts';
import { createViewpoint, type StandardView, screenAxes, type Viewpoint } from './viewpoint.ts';
import type { DrawnZone } from './zones.ts';

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
  /** Begins to draw once the page around the scene has been painted; again it does nothing. */
  start(): void;
  setTool(tool: Tool): void;
  setLight(light: HeadLight): void;
  setZones(zones: readonly DrawnZone[]): void;
  setLayers(layers: Layers): void;
  setTheme(theme: Theme): void;
  /** Draws a page's layer in place of trail and zones; null puts these back. */
  setLayer(layer: SceneLayer | null): void;
  /** Draws a layer besides whatever else is drawn; false takes it out again. */
  setOverlay(overlay: SceneLayer, shown: boolean): void;
  /** The point of the ground under the pointer; null where there is none. */
  groundUnder(event: MouseEvent): Vector3 | null;
  /** Shows or hides the arm itself. */
  setArmShown(shown: boolean): void;
  show(view: StandardView): void;
  /** Asks the pose source again from the next frame on; draws if the pose has changed. */
  follow(): void;
  /** Draws a frame soon. */
  wake(): void;
  /** Frames drawn so far. */
  frames(): number;
  cost(): DrawCost;
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

const REACH_LABEL: Label = { text: '600 mm reach', at: new Vector3(0.585, 0.133, 0), kind: 'note' };

class ArmStage implements Stage {
  readonly element = document.createElement('div');
  readonly canvas = document.createElement('canvas');
  readonly arm: Arm;
  private readonly options: StageOptions;
  private readonly parts: StageParts = createParts();
  private drawing: Drawing | null = null;
  private started = false;
  private readonly labels = createLabels();
  private readonly view: Viewpoint;
  private rate: FrameRate = createFrameRate();
  private readonly trace: TipTrace;
  private theme: Theme = 'light';
  private light: HeadLight = 'off';
  private layers: Layers = { trail: true, zones: true, labels: true };
  private layer: SceneLayer | null = null;
  private overlays: readonly SceneLayer[] = [];
  private tool: Tool = FLANGE_TOOL;
  private drawnJoints: Float64Array | null = null;
  private count = 0;
  private dirty = true;
  /** As last told; null while nothing can be seen. */
  private size: { readonly width: number; readonly height: number } | null = null;
  private scheduled = false;
  private thrift: Thrift = 0;
  private last_ms: number | null = null;

  constructor(options: StageOptions) {
    this.options = options;
    this.arm = this.parts.arm;
    this.trace = createTipTrace(options.pose, this.parts.trail);
    this.view = createViewpoint(this.canvas, () => this.wake());
    this.element.className = 'stage';
    this.canvas.className = 'stage-canvas';
    this.element.append(this.canvas, this.labels.element);
    this.canvas.addEventListener('dblclick', (event) => this.pickPivot(event));
    new ResizeObserver(() => this.resize()).observe(this.element);
    startMeshing(this.arm, () => this.reshade());
  }

  start(): void {
    if (this.started) return;
    this.started = true;
    // A task of its own comes after the paint of the frame that asks.
    setTimeout(() => void this.begin());
  }

  setTool(tool: Tool): void {
    this.tool = tool;
    this.arm.setTool(tool);
    this.reshade();
  }

  setLight(light: HeadLight): void {
    this.light = light;
    this.arm.setLight(lightColour(light, this.theme));
    this.wake();
  }

  setZones(zones: readonly DrawnZone[]): void {
    this.parts.zones.set(zones);
    this.relabel();
  }

  setLayers(layers: Layers): void {
    this.layers = layers;
    this.parts.trail.setVisible(layers.trail && !this.layer);
    this.parts.zones.object.visible = layers.zones && !this.layer;
    this.relabel();
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
    for (const layer of this.added()) layer.paint(palette);
    this.setLight(this.light);
  }

  setLayer(layer: SceneLayer | null): void {
    if (this.layer) this.parts.scene.remove(this.layer.object);
    if (layer) this.parts.scene.add(layer.object);
    this.layer = layer;
    layer?.paint(readPalette(this.theme));
    this.setLayers(this.layers);
    this.resize();
  }

  setOverlay(overlay: SceneLayer, shown: boolean): void {
    const others = this.overlays.filter((each) => each !== overlay);
    this.overlays = shown ? [...others, overlay] : others;
    if (shown) this.parts.scene.add(overlay.object);
    else this.parts.scene.remove(overlay.object);
    if (shown) overlay.paint(readPalette(this.theme));
    this.resize();
  }

  groundUnder(event: MouseEvent): Vector3 | null {
    const objects = [this.parts.ground.object];
    return pointUnder(event, { canvas: this.canvas, camera: this.view.camera, objects });
  }

  setArmShown(shown: boolean): void {
    this.arm.object.visible = shown;
    this.reshade();
  }

  show(view: StandardView): void {
    const tops = this.arm.links.map(({ matrix }) => new Vector3().setFromMatrixPosition(matrix));
    const more = this.added().flatMap((layer) => layer.extent());
    this.view.show(view, [...tops, tipOf(this.arm.frames, this.tool), ...more]);
  }

  follow(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame((now_ms) => this.tick(now_ms));
  }

  frames(): number {
    return this.count;
  }

  cost(): DrawCost {
    return this.drawing?.cost() ?? { calls: 0, triangles: 0, geometries: 0, textures: 0 };
  }

  axes(): readonly (readonly [number, number, number])[] {
    return screenAxes(this.view.camera);
  }

  picture(): Promise<Blob | null> {
    this.drawing?.draw();
    return new Promise((resolve) => this.canvas.toBlob(resolve));
  }

  wake(): void {
    this.dirty = true;
    this.follow();
  }

  private added(): readonly SceneLayer[] {
    return this.layer ? [this.layer, ...this.overlays] : this.overlays;
  }

  private async begin(): Promise<void> {
    const { canvas, view, parts } = this;
    this.drawing = await startDrawing({ ...parts, canvas, camera: view.camera });
    this.thrift = this.drawing?.thrift ?? 0;
    this.rate = createFrameRate(this.thrift);
    this.resize();
  }

  /** Draws with new shadows. */
  private reshade(): void {
    this.drawing?.reshade();
    this.wake();
  }

  private tick(now_ms: number): void {
    this.scheduled = false;
    const { joints, moving } = this.options.pose(now_ms);
    if (!this.drawnJoints || joints.some((angle, j) => angle !== this.drawnJoints![j])) {
      this.drawnJoints = Float64Array.from(joints);
      this.arm.setPose(joints);
      this.drawing?.reshade();
      this.dirty = true;
    }
    if (this.trace.advance(now_ms, this.tool)) this.dirty = true;
    for (const layer of this.added()) if (layer.advance()) this.dirty = true;
    const turning = this.view.advance(now_ms);
    if (this.dirty && this.size && this.drawing) this.draw(this.drawing, now_ms);
    if (moving || turning || this.parts.trail.object.visible) this.follow();
    else this.last_ms = null;
  }

  private draw(drawing: Drawing, now_ms: number): void {
    this.dirty = false;
    drawing.draw();
    const { width, height } = this.size!;
    this.labels.place(this.view.camera, width, height);
    for (const layer of this.added()) layer.place(this.view.camera, width, height);
    this.count++;
    if (this.last_ms !== null) this.spend(this.rate.frame(now_ms - this.last_ms));
    this.last_ms = now_ms;
    this.options.drawn();
  }

  private spend(thrift: Thrift): void {
    if (thrift === this.thrift) return;
    this.thrift = thrift;
    if (thrift === 2 || thrift === 3) this.drawing?.soften(thrift);
    this.resize();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    this.size = width > 0 && height > 0 ? { width, height } : null;
    if (!this.size) return;
    this.drawing?.resize(width, height, pixelRatio(this.thrift));
    this.parts.trail.resize(width, height);
    for (const layer of this.added()) layer.resize(width, height);
    this.view.resize(width, height);
    this.wake();
  }

  private relabel(): void {
    const tops = this.parts.zones.tops();
    const names = tops.map(({ name, at }): Label => ({ text: name, at, kind: 'zone' }));
    const shown = [REACH_LABEL, ...(this.layers.zones && !this.layer ? names : [])];
    this.labels.set(this.layers.labels ? shown : []);
    this.wake();
  }

  private pickPivot(event: MouseEvent): void {
    const objects = [this.arm.object, this.parts.ground.object];
    const hit = pointUnder(event, { canvas: this.canvas, camera: this.view.camera, objects });
    if (hit) this.view.pivot(hit);
  }
}

/** Creates the scene with its own elements; put `element` where it shall be. */
export function createStage(options: StageOptions): Stage {
  const stage = new ArmStage(options);
  stage.setLayers({ trail: true, zones: true, labels: true });
  return stage;
}
