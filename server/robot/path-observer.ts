/**
 * Measures how far setpoints are from the planned path, for the invariant monitor. It allocates
 * nothing in a motion.
 */
import { createPathSample, type JointPath, samplePathAt } from '../../physics/motion/joint-path.ts';

/** Steps of the search for the nearest point; its distance has a quadratic error. */
const SEARCH_STEPS = 4;

/** Finds the point of a path that is nearest to a pose. */
export class PathObserver {
  private path: JointPath | null = null;
  private node = 0;
  private readonly at = { s: 0 };
  private readonly sample = createPathSample();

  /**
   * Distance of `pose` from the path (rad, Euclidean over the joints). Poses along a path are found
   * from one call to the next; `tolerance_rad` decides when the whole path is searched.
   */
  distance_rad(path: JointPath, pose: Float64Array, tolerance_rad: number): number {
    if (path !== this.path) this.node = 0;
    const isKnown = path === this.path;
    this.path = path;
    if (path.kind === 'line') return this.refine(path, pose, 0.5);
    if (isKnown) {
      const nodes = path.s.length;
      let best = squaredDistance(path.q, this.node, pose);
      while (this.node + 1 < nodes) {
        const next = squaredDistance(path.q, this.node + 1, pose);
        if (next > best) break;
        best = next;
        this.node += 1;
      }
      const near = this.refine(path, pose, path.s[this.node]!);
      if (near <= tolerance_rad) return near;
    }
    this.node = nearestNode(path.q, pose);
    return this.refine(path, pose, path.s[this.node]!);
  }

  /** Gauss-Newton on s, from a node or a point of a line. */
  private refine(path: JointPath, pose: Float64Array, start_s: number): number {
    const { at, sample } = this;
    at.s = start_s;
    for (let step = 0; ; step++) {
      samplePathAt(path, at, sample);
      let gradient = 0;
      let curvature = 0;
      let squared = 0;
      for (let j = 0; j < 6; j++) {
        const apart = sample.q[j]! - pose[j]!;
        squared += apart * apart;
        gradient += apart * sample.q1[j]!;
        curvature += sample.q1[j]! * sample.q1[j]!;
      }
      if (step === SEARCH_STEPS || curvature === 0) return Math.sqrt(squared);
      const next = at.s - gradient / curvature;
      at.s = next < 0 ? 0 : next > 1 ? 1 : next;
    }
  }
}

function squaredDistance(q: Float64Array, node: number, pose: Float64Array): number {
  let squared = 0;
  for (let j = 0; j < 6; j++) {
    const apart = q[6 * node + j]! - pose[j]!;
    squared += apart * apart;
  }
  return squared;
}

function nearestNode(q: Float64Array, pose: Float64Array): number {
  let nearest = 0;
  let best = Number.POSITIVE_INFINITY;
  for (let node = 0; node < q.length / 6; node++) {
    const squared = squaredDistance(q, node, pose);
    if (squared >= best) continue;
    best = squared;
    nearest = node;
  }
  return nearest;
}
