/**
 * The camera: perspective with 28° field of view, z up, damped orbit, zoom to the pointer. On a
 * narrow screen the view is 15 % wider.
 */
import { Box3, type Camera, PerspectiveCamera, Raycaster, Vector2, Vector3 } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

const FIELD_OF_VIEW_DEG = 28;
const NARROW_ASPECT = 1.4;
/** Below this aspect ratio the horizontal field of view stays the same. */
const NARROWEST_ASPECT = 0.95;
const START = { from: [1.12, -1.36, 0.74], to: [0.15, 0, 0.275] } as const;
const MOVE_MS = 240;
/** Share of the half frame that the start view may fill, across and up. */
const FRAME_X = 0.9;
const FRAME_Y = 0.84;
const FARTHEST = 2.8;
/** Least share of the frame's height that the arm gets, whatever lies over the scene. */
const LEAST_FREE = 0.28;
/** Distance from which a point is shown closely. */
const CLOSE_M = 0.9;

/** Standard views: direction from the target towards the camera. */
const DIRECTIONS = {
  start: null,
  front: [1, 0, 0.12],
  right: [0, -1, 0.12],
  top: [0.001, -0.02, 1],
} as const;
export type StandardView = keyof typeof DIRECTIONS;

/** Largest share of the frame's width that a panel beside the arm may take. */
const MOST_BESIDE = 0.72;

/** Shares of the frame that are covered: of its height at top and bottom, of its width at left. */
export interface Insets {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
}
export const NO_INSETS: Insets = { top: 0, bottom: 0, left: 0 };

type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

/**
 * What boxes over a frame cover of it. A box beside the middle, where the arm stands, covers
 * nothing; each other one counts at the edge that it is nearer to. A high panel at the left counts
 * there, where enough is left of the frame.
 */
export function insetsOf(frame: Box, boxes: readonly Box[], panel: Box | null = null): Insets {
  const height = frame.bottom - frame.top;
  const middle = (frame.left + frame.right) / 2;
  let { top, bottom } = NO_INSETS;
  for (const box of boxes) {
    if (height <= 0 || box.left >= middle || box.right <= middle) continue;
    const above = box.top - frame.top;
    const below = frame.bottom - box.bottom;
    if (above <= below) top = Math.max(top, (box.bottom - frame.top) / height);
    else bottom = Math.max(bottom, (frame.bottom - box.top) / height);
  }
  const scale = Math.min(1, (1 - LEAST_FREE) / (top + bottom || 1));
  const beside = panel ? (panel.right - frame.left) / (frame.right - frame.left) : 0;
  const left = beside > 0 && beside <= MOST_BESIDE ? beside : 0;
  return { top: top * scale, bottom: bottom * scale, left };
}

/** Middle and half of a free part, where the frame reaches from -1 to 1. */
interface Free {
  readonly middle: number;
  readonly half: number;
}

function freeHeight({ top, bottom }: Insets): Free {
  return { middle: bottom - top, half: 1 - top - bottom };
}

function freeWidth({ left }: Insets): Free {
  return { middle: left, half: 1 - left };
}

export interface Viewpoint {
  readonly camera: PerspectiveCamera;
  resize(width: number, height: number): void;
  /**
   * Moves to a standard view between the insets; `start` includes all points. Does not animate
   * with reduced motion.
   */
  show(view: StandardView, points: readonly Vector3[], insets: Insets): void;
  /** Whether the start view stands, or is on its way: nothing has moved the camera since. */
  isStart(): boolean;
  /** Comes close to a point, from where the camera is. */
  lookAt(point: Vector3): void;
  /** Position and target (m). */
  numbers(): readonly number[];
  /** Sets position and target; false if they are not six numbers. */
  setNumbers(numbers: readonly number[]): boolean;
  /** Sets the orbit pivot. */
  pivot(point: Vector3): void;
  /** Advances damping and animation; returns true while the view is changing. */
  advance(now_ms: number): boolean;
}

interface Move {
  readonly from: readonly [Vector3, Vector3];
  readonly to: readonly [Vector3, Vector3];
  readonly since_ms: number;
}

function createControls(camera: PerspectiveCamera, canvas: HTMLCanvasElement): OrbitControls {
  const controls = new OrbitControls(camera, canvas);
  controls.enableDamping = true;
  controls.dampingFactor = 0.12;
  controls.zoomToCursor = true;
  controls.minDistance = 0.25;
  controls.maxDistance = 5;
  controls.maxPolarAngle = (100 * Math.PI) / 180;
  controls.target.set(...START.to);
  controls.update();
  return controls;
}

const probe = new Vector3();

/** Whether `camera` sees all of the points well inside the free part of its frame. */
function seesAll(camera: PerspectiveCamera, points: readonly Vector3[], insets: Insets): boolean {
  const [across, up] = [freeWidth(insets), freeHeight(insets)];
  camera.updateMatrixWorld();
  return points.every((point) => {
    probe.copy(point).project(camera);
    const isInside = Math.abs(probe.x - across.middle) < FRAME_X * across.half;
    return isInside && Math.abs(probe.y - up.middle) < FRAME_Y * up.half;
  });
}

/** Moves camera and target across the view, so that the target is in the free part's middle. */
function centre(camera: PerspectiveCamera, target: Vector3, insets: Insets): Vector3 {
  camera.lookAt(target);
  const half_m = camera.position.distanceTo(target) * Math.tan((camera.fov * Math.PI) / 360);
  const across_m = -freeWidth(insets).middle * half_m * camera.aspect;
  const shift = new Vector3(across_m, -freeHeight(insets).middle * half_m, 0);
  shift.applyQuaternion(camera.quaternion);
  camera.position.add(shift);
  return target.clone().add(shift);
}

/** The start view, moved back from the middle of the points until all are visible. */
export function startView(
  camera: PerspectiveCamera,
  points: readonly Vector3[],
  insets: Insets,
): [Vector3, Vector3] {
  const from = new Vector3(...START.from);
  const to = new Vector3(...START.to);
  const trial = camera.clone();
  const direction = from.clone().sub(to);
  const middle = new Box3().setFromPoints([...points]).getCenter(new Vector3());
  let target = middle;
  for (let back = 1; back < FARTHEST; back += 0.05) {
    const share = Math.min((back - 1) / 0.25, 1);
    const aim = to.clone().lerp(middle, share);
    trial.position.copy(aim).addScaledVector(direction, back);
    target = centre(trial, aim, insets);
    if (seesAll(trial, points, insets)) break;
  }
  return [trial.position.clone(), target];
}

function destination(
  view: StandardView,
  camera: PerspectiveCamera,
  points: readonly Vector3[],
  insets: Insets,
): [Vector3, Vector3] {
  const direction = DIRECTIONS[view];
  if (!direction) return startView(camera, points, insets);
  const middle = new Vector3(0.08, 0, camera.aspect < NARROW_ASPECT ? 0.36 : 0.4);
  const trial = camera.clone();
  const width = Math.max(1, camera.aspect) * freeWidth(insets).half;
  const distance = 2.1 / Math.min(freeHeight(insets).half, width);
  trial.position
    .fromArray([...direction])
    .normalize()
    .multiplyScalar(distance)
    .add(middle);
  const target = centre(trial, middle, insets);
  return [trial.position.clone(), target];
}

function smoothStep(t: number): number {
  return t * t * (3 - 2 * t);
}

/** Screen directions of the world's axes: right, up, and towards the viewer. */
export function screenAxes(
  camera: PerspectiveCamera,
): readonly (readonly [x: number, y: number, depth: number])[] {
  const inverse = camera.quaternion.clone().invert();
  return [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].map((axis) => {
    axis.applyQuaternion(inverse);
    return [axis.x, axis.y, axis.z] as const;
  });
}

/** Moves the camera in an animation until the user does; `changed` is called as one starts. */
function createMoves(camera: PerspectiveCamera, controls: OrbitControls, changed: () => void) {
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  let move: Move | null = null;
  let start = false;
  controls.addEventListener('start', end);
  function end(): void {
    move = null;
    start = false;
  }
  function follow(current: Move, now_ms: number): boolean {
    const t = still.matches ? 1 : Math.min((now_ms - current.since_ms) / MOVE_MS, 1);
    camera.position.lerpVectors(current.from[0], current.to[0], smoothStep(t));
    controls.target.lerpVectors(current.from[1], current.to[1], smoothStep(t));
    if (t >= 1) move = null;
    controls.update();
    return t < 1;
  }
  return {
    end,
    isStart: () => start,
    begin(to: Move['to'], isStart: boolean): void {
      const from = [camera.position.clone(), controls.target.clone()] as const;
      move = { from, to, since_ms: performance.now() };
      start = isStart;
      changed();
    },
    advance: (now_ms: number) => (move ? follow(move, now_ms) : controls.update()),
  };
}

/** Creates a camera controlled on `canvas`; calls `changed` when the user moves it. */
export function createViewpoint(canvas: HTMLCanvasElement, changed: () => void): Viewpoint {
  const camera = new PerspectiveCamera(FIELD_OF_VIEW_DEG, 1, 0.02, 20);
  camera.up.set(0, 0, 1);
  camera.position.set(...START.from);
  const controls = createControls(camera, canvas);
  controls.addEventListener('change', changed);
  const moves = createMoves(camera, controls, changed);
  return {
    camera,
    resize(width, height) {
      camera.aspect = width / height;
      const wide_deg = FIELD_OF_VIEW_DEG * (camera.aspect < NARROW_ASPECT ? 1.15 : 1);
      const half = Math.tan((wide_deg * Math.PI) / 360);
      const higher = Math.max(1, NARROWEST_ASPECT / camera.aspect);
      camera.fov = (Math.atan(half * higher) * 360) / Math.PI;
      camera.updateProjectionMatrix();
    },
    show(view, points, insets) {
      moves.begin(destination(view, camera, points, insets), view === 'start');
    },
    isStart: moves.isStart,
    lookAt(point) {
      const direction = camera.position.clone().sub(point).normalize();
      const near = point.clone().addScaledVector(direction, CLOSE_M);
      moves.begin([near, point.clone()], false);
    },
    numbers: () => [...camera.position.toArray(), ...controls.target.toArray()],
    setNumbers(numbers) {
      if (numbers.length !== 6 || !numbers.every(Number.isFinite)) return false;
      moves.end();
      camera.position.fromArray(numbers);
      controls.target.fromArray(numbers, 3);
      controls.update();
      changed();
      return true;
    },
    pivot(point) {
      moves.end();
      controls.target.copy(point);
      changed();
    },
    advance: moves.advance,
  };
}

/** Where a pointer is in the window (px). */
export type PointerPlace = Pick<MouseEvent, 'clientX' | 'clientY'>;

/** The ray from the camera through a pointer event on `canvas`. */
export function pointerRay(event: PointerPlace, canvas: HTMLElement, camera: Camera): Raycaster {
  const { width, height, left, top } = canvas.getBoundingClientRect();
  const x = ((event.clientX - left) / width) * 2 - 1;
  const y = 1 - ((event.clientY - top) / height) * 2;
  const ray = new Raycaster();
  ray.setFromCamera(new Vector2(x, y), camera);
  return ray;
}
