/** The trail: the line that the tool tip has drawn in the last seconds of the arm's time. */

import { Box3, type Color, DynamicDrawUsage, type InterleavedBufferAttribute, Sphere } from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';

const LENGTH_MS = 2500;
const STEP_M = 0.0015;
const POINTS_MAX = 512;

export interface Trail {
  readonly object: Line2;
  /** Adds a tip position (m) at a time of the arm; returns true if the line changed. */
  add(tip: readonly [number, number, number], now_ms: number): boolean;
  clear(): void;
  setVisible(visible: boolean): void;
  paint(colour: Color): void;
  resize(width: number, height: number): void;
}

interface TrailPoint {
  readonly tip: readonly [number, number, number];
  readonly at_ms: number;
}

/** Coordinates of a part of the line: its start and its end. */
const SEGMENT = 6;
const bounds = new Box3();

/** Creates an empty trail. */
export function createTrail(): Trail {
  const material = new LineMaterial({ linewidth: 2.4, transparent: true, toneMapped: false });
  const geometry = new LineGeometry();
  geometry.setPositions(new Float32Array(3 * (POINTS_MAX + 1)));
  // The buffer stays: a new one for each frame costs more than the rest of the frame's lines.
  const { data } = geometry.getAttribute('instanceStart') as InterleavedBufferAttribute;
  data.setUsage(DynamicDrawUsage);
  geometry.boundingSphere = new Sphere();
  const object = new Line2(geometry, material);
  object.frustumCulled = false;
  object.visible = false;
  let points: TrailPoint[] = [];
  let wanted = true;

  function draw(): void {
    object.visible = wanted && points.length > 1;
    if (!object.visible) return;
    const count = points.length - 1;
    for (let i = 0; i < count; i++) {
      data.set(points[i]!.tip, SEGMENT * i);
      data.set(points[i + 1]!.tip, SEGMENT * i + 3);
    }
    data.clearUpdateRanges();
    data.addUpdateRange(0, SEGMENT * count);
    data.needsUpdate = true;
    geometry.instanceCount = count;
    // Lines are sorted by the centre.
    bounds.setFromArray(data.array.subarray(0, SEGMENT * count));
    bounds.getBoundingSphere(geometry.boundingSphere!);
  }

  return {
    object,
    add(tip, now_ms) {
      const before = points.length;
      // A reset sets the time of a twin back.
      const isRecent = ({ at_ms }: TrailPoint) => at_ms <= now_ms && now_ms - at_ms < LENGTH_MS;
      points = points.filter(isRecent).slice(-POINTS_MAX);
      const last = points.at(-1)?.tip;
      const far = !last || Math.hypot(...tip.map((value, i) => value - last[i]!)) > STEP_M;
      if (far) points.push({ tip: [...tip], at_ms: now_ms });
      const changed = (far && points.length > 1) || points.length < before;
      if (changed) draw();
      return changed;
    },
    clear() {
      points = [];
      draw();
    },
    setVisible(visible) {
      wanted = visible;
      draw();
    },
    paint: (colour) => material.color.copy(colour),
    resize: (width, height) => material.resolution.set(width, height),
  };
}
