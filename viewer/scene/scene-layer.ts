import type { Object3D, PerspectiveCamera, Vector3 } from 'three';
import type { Palette } from './palette.ts';

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
