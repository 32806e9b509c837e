/** The arrows and rings of the gizmo as SVG paths of constant screen size (px). Pure. */
import { type PerspectiveCamera, Vector3 } from 'three';
import type { Box } from '../../scene/label-box.ts';
import { dot, perpendicularsOf, type Ray, translated, type Vec3 } from './gizmo-geometry.ts';

/** Lengths on the screen (px), of a scene that is at least so high; a lower one has less space. */
const FULL_SCENE_PX = 450;
const ARROW_PX = 90;
const START_PX = 16;
const HEAD_PX = 11;
const RING_PX = 66;
const RING_POINTS = 48;
/** An arrow shorter than this on the screen points at the viewer and cannot be dragged (px). */
const SHORTEST_PX = 14;

/** Camera and size of the canvas (px). */
export interface ScreenView {
  readonly camera: PerspectiveCamera;
  readonly width: number;
  readonly height: number;
}

const probe = new Vector3();

/** Screen position of a point of the scene (px). */
export function onScreen(
  { camera, width, height }: ScreenView,
  at: Vec3,
): readonly [number, number] {
  probe.set(...at).project(camera);
  return [((probe.x + 1) / 2) * width, ((1 - probe.y) / 2) * height];
}

/** The view ray through a screen position (px). */
export function rayThrough({ camera, width, height }: ScreenView, x: number, y: number): Ray {
  probe.set((x / width) * 2 - 1, 1 - (y / height) * 2, 0.5).unproject(camera);
  const { x: ex, y: ey, z: ez } = camera.position;
  const [dx, dy, dz] = [probe.x - ex, probe.y - ey, probe.z - ez];
  const length = Math.hypot(dx, dy, dz);
  return { from: [ex, ey, ez], along: [dx / length, dy / length, dz / length] };
}

/** Metres per pixel at a point of the scene. */
function metresPerPixel({ camera, height }: ScreenView, at: Vec3): number {
  const { x, y, z } = camera.getWorldDirection(probe);
  const { position } = camera;
  const depth = dot([at[0] - position.x, at[1] - position.y, at[2] - position.z], [x, y, z]);
  return (2 * depth * Math.tan((camera.fov * Math.PI) / 360)) / height;
}

/** Metres per pixel of a handle at `centre`, in proportion in a low scene. */
function handleScale(sight: ScreenView, centre: Vec3): number {
  return metresPerPixel(sight, centre) * Math.min(1, sight.height / FULL_SCENE_PX);
}

/** What the handles at `centre` take of the screen (px). */
export function handleBox(sight: ScreenView, centre: Vec3): Box {
  const [x, y] = onScreen(sight, centre);
  const far = ARROW_PX * Math.min(1, sight.height / FULL_SCENE_PX);
  return { left: x - far, right: x + far, top: y - far, bottom: y + far };
}

function line(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}

/** SVG path of an arrow; null if it points at the viewer. */
export function arrowPath(sight: ScreenView, centre: Vec3, axis: Vec3): string | null {
  const scale = handleScale(sight, centre);
  const [x0, y0] = onScreen(sight, translated(centre, axis, START_PX * scale));
  const [x1, y1] = onScreen(sight, translated(centre, axis, ARROW_PX * scale));
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

/** SVG paths of a ring: the half nearer to the viewer, and the far half. */
export function ringPaths(
  sight: ScreenView,
  centre: Vec3,
  axis: Vec3,
): { readonly near: string; readonly far: string } {
  const radius = RING_PX * handleScale(sight, centre);
  const [u, v] = perpendicularsOf(axis);
  const { x, y, z } = sight.camera.position;
  const towards: Vec3 = [x - centre[0], y - centre[1], z - centre[2]];
  const parts = { near: '', far: '' };
  let last: { readonly side: 'near' | 'far'; readonly at: readonly [number, number] } | null = null;
  for (let i = 0; i <= RING_POINTS; i++) {
    const angle = (2 * Math.PI * i) / RING_POINTS;
    const out = translated(translated([0, 0, 0], u, Math.cos(angle)), v, Math.sin(angle));
    const at = onScreen(sight, translated(centre, out, radius));
    const side = dot(out, towards) >= 0 ? 'near' : 'far';
    if (last) parts[last.side] += line([last.at, at]);
    last = { side, at };
  }
  return parts;
}
