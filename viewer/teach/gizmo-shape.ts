/**
 * The gizmo as lines on the screen: arrows and rings of one size wherever the tool is, the far half
 * of each ring apart. Drawn as page elements over the canvas, so that handles take focus and names.
 */
import { type PerspectiveCamera, Vector3 } from 'three';
import { acrossOf, dot, moved, type Ray, type Triple } from './gizmo-maths.ts';

/** Lengths on the screen (px). */
const ARROW_PX = 90;
const START_PX = 16;
const HEAD_PX = 11;
const RING_PX = 66;
const RING_POINTS = 48;
/** An arrow that points at the viewer is shorter than this, and cannot be dragged (px). */
const SHORTEST_PX = 14;

/** Where the scene is seen from, and how large it is on the screen. */
export interface Sight {
  readonly camera: PerspectiveCamera;
  readonly width: number;
  readonly height: number;
}

const probe = new Vector3();

/** Where a point of the scene is on the screen (px). */
export function onScreen({ camera, width, height }: Sight, at: Triple): readonly [number, number] {
  probe.set(...at).project(camera);
  return [((probe.x + 1) / 2) * width, ((1 - probe.y) / 2) * height];
}

/** The ray of sight through a point of the screen (px). */
export function rayThrough({ camera, width, height }: Sight, x: number, y: number): Ray {
  probe.set((x / width) * 2 - 1, 1 - (y / height) * 2, 0.5).unproject(camera);
  const { x: ex, y: ey, z: ez } = camera.position;
  const [dx, dy, dz] = [probe.x - ex, probe.y - ey, probe.z - ez];
  const length = Math.hypot(dx, dy, dz);
  return { from: [ex, ey, ez], along: [dx / length, dy / length, dz / length] };
}

/** Metres that one pixel measures at a point of the scene. */
export function metresPerPixel({ camera, height }: Sight, at: Triple): number {
  const { x, y, z } = camera.getWorldDirection(probe);
  const { position } = camera;
  const depth = dot([at[0] - position.x, at[1] - position.y, at[2] - position.z], [x, y, z]);
  return (2 * depth * Math.tan((camera.fov * Math.PI) / 360)) / height;
}

function line(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}

/** An arrow's shaft and head; null where it points at the viewer. */
export function arrowPath(sight: Sight, centre: Triple, axis: Triple): string | null {
  const scale = metresPerPixel(sight, centre);
  const [x0, y0] = onScreen(sight, moved(centre, axis, START_PX * scale));
  const [x1, y1] = onScreen(sight, moved(centre, axis, ARROW_PX * scale));
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < SHORTEST_PX) return null;
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const barb = (side: 1 | -1): readonly [number, number] => [
    x1 - HEAD_PX * ux - (side * uy * HEAD_PX) / 2,
    y1 - HEAD_PX * uy + (side * ux * HEAD_PX) / 2,
  ];
  return `${line([
    [x0, y0],
    [x1, y1],
  ])}${line([barb(1), [x1, y1], barb(-1)])}Z`;
}

/** A ring in two parts: what is nearer to the viewer than its centre, and what is not. */
export function ringPaths(
  sight: Sight,
  centre: Triple,
  axis: Triple,
): { readonly near: string; readonly far: string } {
  const radius = RING_PX * metresPerPixel(sight, centre);
  const [u, v] = acrossOf(axis);
  const { x, y, z } = sight.camera.position;
  const towards: Triple = [x - centre[0], y - centre[1], z - centre[2]];
  const parts = { near: '', far: '' };
  let last: { readonly side: 'near' | 'far'; readonly at: readonly [number, number] } | null = null;
  for (let i = 0; i <= RING_POINTS; i++) {
    const angle = (2 * Math.PI * i) / RING_POINTS;
    const out = moved(moved([0, 0, 0], u, Math.cos(angle)), v, Math.sin(angle));
    const at = onScreen(sight, moved(centre, out, radius));
    const side = dot(out, towards) >= 0 ? 'near' : 'far';
    if (last) parts[last.side] += line([last.at, at]);
    last = { side, at };
  }
  return parts;
}
