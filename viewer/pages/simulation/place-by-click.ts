import { Plane, Vector3 } from 'three';
import type { Stage } from '../../scene/stage.ts';

/** Places an obstacle on the ground at a point (m). */
export type PlaceAt = (x_m: number, y_m: number) => void;

const GROUND = new Plane(new Vector3(0, 0, 1));
/** A pointer press that moves less than this is a click, not an orbit of the camera. */
const CLICK_MAX_PX = 4;

/** Places an obstacle on a clicked ground point; `placing` returns null while none is to be placed. */
export function placeByClick(stage: Stage, placing: () => PlaceAt | null): void {
  let pressed: readonly [number, number] = [0, 0];
  stage.canvas.addEventListener('pointerdown', ({ clientX, clientY }) => {
    pressed = [clientX, clientY];
  });
  stage.canvas.addEventListener('click', (event) => {
    const placeAt = placing();
    if (!placeAt) return;
    const moved = Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]);
    const { ray } = stage.ray(event);
    const at = moved < CLICK_MAX_PX ? ray.intersectPlane(GROUND, new Vector3()) : null;
    if (at) placeAt(at.x, at.y);
  });
}
