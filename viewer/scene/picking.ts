/** Which point of the scene lies under the pointer; the stage only turns about it. */
import { type Camera, type Object3D, Raycaster, Vector2, type Vector3 } from 'three';

/** The nearest drawn point of `objects` under a pointer event on `canvas`, or null. */
export function pointUnder(
  event: MouseEvent,
  seen: { readonly canvas: HTMLElement; readonly camera: Camera; readonly objects: Object3D[] },
): Vector3 | null {
  const { width, height, left, top } = seen.canvas.getBoundingClientRect();
  const x = ((event.clientX - left) / width) * 2 - 1;
  const y = 1 - ((event.clientY - top) / height) * 2;
  const ray = new Raycaster();
  ray.setFromCamera(new Vector2(x, y), seen.camera);
  return ray.intersectObjects(seen.objects)[0]?.point ?? null;
}
