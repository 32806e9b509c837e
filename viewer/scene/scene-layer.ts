/** What a page adds to the scene while it is shown, in place of the Live page's trail and zones. */
import type { Object3D, PerspectiveCamera, Vector3 } from 'three';
import type { Palette } from './palette.ts';

export interface SceneLayer {
  readonly object: Object3D;
  /** Brings it to this moment before a frame; true when that changed what is to be seen. */
  advance(): boolean;
  /** Points that the start view must show. */
  extent(): readonly Vector3[];
  paint(palette: Palette): void;
  resize(width: number, height: number): void;
  /** After a drawn frame: puts page elements where the camera sees their points. */
  place(camera: PerspectiveCamera, width: number, height: number): void;
}
