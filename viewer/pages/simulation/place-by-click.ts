import { Plane, Vector3 } from 'three';
import type { Stage } from '../../scene/stage.ts';
import type { ObstaclesPanel } from './obstacles-panel.ts';

const GROUND = new Plane(new Vector3(0, 0, 1));
/** A pointer press that moves less than this is a click, not an orbit of the camera. */
const CLICK_MAX_PX = 4;

/** Places an obstacle on a clicked ground point while the panel is in placing mode. */
export function placeByClick(
  stage: Stage,
  obstacles: ObstaclesPanel,
  isShown: () => boolean,
): void {
  let pressed: readonly [number, number] = [0, 0];
  stage.canvas.addEventListener('pointerdown', ({ clientX, clientY }) => {
    pressed = [clientX, clientY];
  });
  stage.canvas.addEventListener('click', (event) => {
    if (!isShown() || !obstacles.placing()) return;
    const moved = Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]);
    const { ray } = stage.ray(event);
    const at = moved < CLICK_MAX_PX ? ray.intersectPlane(GROUND, new Vector3()) : null;
    if (at) obstacles.placeAt(at.x, at.y);
  });
}
