/** Interfaces of the 3D stage and of the layers that pages add to it. */
import type { Object3D, PerspectiveCamera, Raycaster, Vector3 } from 'three';
import type { Tool } from '../../physics/kinematics/forward.ts';
import type { Arm } from './arm.ts';
import type { HeadLight, Palette, Theme } from './palette.ts';
import type { DrawCost } from './renderer.ts';
import type { StandardView } from './viewpoint.ts';
import type { DrawnZone } from './zones.ts';

/** A page's content in the scene. */
export interface SceneLayer {
  readonly object: Object3D;
  /** Whether what it draws casts shadows that change with it. */
  readonly castsShadow?: boolean;
  /** Updates the layer before a frame; returns true if the picture has changed. */
  update(): boolean;
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
