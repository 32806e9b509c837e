/** The way the tool tip has really gone: a line in the accent colour, last 2.5 s. */
import type { Color } from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';

const LENGTH_MS = 2500;
const STEP_M = 0.0015;
const POINTS_MAX = 512;

export interface Trail {
  readonly object: Line2;
  /** Adds the tip (m) at a time; true when the line changed. */
  add(tip: readonly [number, number, number], now_ms: number): boolean;
  setVisible(visible: boolean): void;
  paint(colour: Color): void;
  resize(width: number, height: number): void;
}

interface TrailPoint {
  readonly tip: readonly [number, number, number];
  readonly at_ms: number;
}

/** An empty trail. */
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
