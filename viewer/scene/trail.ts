/**
 * The measured path of the tool tip over the last 2.5 s, as a line in the accent colour. The tip is
 * sampled in even steps of time between frames, so that slow frames leave no corners.
 */
import { type Color, Vector3 } from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import {
  createFrames,
  forward,
  POSE_SIZE,
  type Tool,
  toolPose,
} from '../../physics/kinematics/forward.ts';

const LENGTH_MS = 2500;
const STEP_M = 0.0015;
const POINTS_MAX = 512;

export interface Trail {
  readonly object: Line2;
  /** Adds a tip position (m) at a time; returns true if the line changed. */
  add(tip: readonly [number, number, number], now_ms: number): boolean;
  setVisible(visible: boolean): void;
  paint(colour: Color): void;
  resize(width: number, height: number): void;
}

interface TrailPoint {
  readonly tip: readonly [number, number, number];
  readonly at_ms: number;
}

/** Creates an empty trail. */
export function createTrail(): Trail {
  const material = new LineMaterial({ linewidth: 2.4, transparent: true, toneMapped: false });
  const object = new Line2(new LineGeometry(), material);
  object.frustumCulled = false;
  object.visible = false;
  let points: TrailPoint[] = [];
  let wanted = true;

  function draw(): void {
    object.visible = wanted && points.length > 1;
    if (!object.visible) return;
    object.geometry.dispose();
    object.geometry = new LineGeometry();
    object.geometry.setPositions(points.flatMap((point) => point.tip));
  }

  return {
    object,
    add(tip, now_ms) {
      const before = points.length;
      points = points.filter((point) => now_ms - point.at_ms < LENGTH_MS).slice(-POINTS_MAX);
      const last = points.at(-1)?.tip;
      const far = !last || Math.hypot(...tip.map((value, i) => value - last[i]!)) > STEP_M;
      if (far) points.push({ tip: [...tip], at_ms: now_ms });
      const changed = (far && points.length > 1) || points.length < before;
      if (changed) draw();
      return changed;
    },
    setVisible(visible) {
      wanted = visible;
      draw();
    },
    paint: (colour) => material.color.copy(colour),
    resize: (width, height) => material.resolution.set(width, height),
  };
}

const STEP_MS = 20;
const BACK_MS = 600;

/** Joint angles (rad) as drawn at a time. */
type PoseAt = (now_ms: number) => { readonly joints: Float64Array };

export interface TipTracer {
  /** Adds the tip positions since the last frame; returns true if the trail changed. */
  advance(now_ms: number, tool: Tool): boolean;
}

const pose = new Float64Array(POSE_SIZE);

/** Tool tip (m) at the pose of `frames` (layout of `forward`). */
export function tipOfFrames(frames: Float64Array, tool: Tool): Vector3 {
  toolPose(frames, tool, pose);
  return new Vector3(pose[9], pose[10], pose[11]);
}

/** Creates a tracer for the arm whose poses `poseAt` returns. */
export function createTipTracer(poseAt: PoseAt, trail: Trail): TipTracer {
  const frames = createFrames();
  let traced_ms = 0;
  return {
    advance(now_ms, tool) {
      let changed = false;
      for (let at_ms = Math.max(traced_ms, now_ms - BACK_MS); at_ms < now_ms; ) {
        at_ms = Math.min(at_ms + STEP_MS, now_ms);
        forward(poseAt(at_ms).joints, frames);
        const { x, y, z } = tipOfFrames(frames, tool);
        changed = trail.add([x, y, z], at_ms) || changed;
      }
      traced_ms = now_ms;
      return changed;
    },
  };
}
