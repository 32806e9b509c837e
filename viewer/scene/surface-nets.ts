/**
 * Meshes a signed-distance solid by surface nets: one vertex in every grid cell that the surface
 * crosses, moved onto the surface by Newton steps, with the gradient as its normal. Blocks far from
 * the surface are skipped. Pure; runs in the mesh worker.
 */
import type { DistanceField, MillimetrePoint } from './distance-solids.ts';

export interface Triangles {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly indices: Uint32Array;
}

interface Grid {
  readonly low: MillimetrePoint;
  readonly cell: number;
  readonly nx: number;
  readonly ny: number;
  readonly nz: number;
  readonly values: Float32Array;
}

const BLOCK = 4;
const NEWTON_STEPS = 3;
const GRADIENT_STEP = 0.4;
/** Bowed shapes stretch distances by up to this factor. */
const STRETCH = 1.2;

function sample(
  solid: DistanceField,
  low: MillimetrePoint,
  high: MillimetrePoint,
  cell: number,
): Grid {
  const nx = Math.ceil((high[0] - low[0]) / cell) + 1;
  const ny = Math.ceil((high[1] - low[1]) / cell) + 1;
  const nz = Math.ceil((high[2] - low[2]) / cell) + 1;
  const grid: Grid = { low, cell, nx, ny, nz, values: new Float32Array(nx * ny * nz) };
  for (let k = 0; k < nz; k += BLOCK) {
    for (let j = 0; j < ny; j += BLOCK) {
      for (let i = 0; i < nx; i += BLOCK) fillBlock(solid, grid, [i, j, k]);
    }
  }
  return grid;
}

function fillBlock(solid: DistanceField, grid: Grid, [i0, j0, k0]: MillimetrePoint): void {
  const { low, cell, nx, ny, nz, values } = grid;
  const middle = ((BLOCK - 1) / 2) * cell;
  const x0 = low[0] + i0 * cell;
  const y0 = low[1] + j0 * cell;
  const z0 = low[2] + k0 * cell;
  const centre = solid(x0 + middle, y0 + middle, z0 + middle);
  const far = Math.abs(centre) > STRETCH * Math.sqrt(3) * (middle + cell);
  for (let k = k0; k < Math.min(k0 + BLOCK, nz); k++) {
    for (let j = j0; j < Math.min(j0 + BLOCK, ny); j++) {
      for (let i = i0; i < Math.min(i0 + BLOCK, nx); i++) {
        values[i + nx * (j + ny * k)] = far
          ? centre
          : solid(x0 + (i - i0) * cell, y0 + (j - j0) * cell, z0 + (k - k0) * cell);
      }
    }
  }
}

/** The 12 edges of a cell as pairs of corners; corner bits are x, y, z. */
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7] as const;

/**
 * Adds the mean of the cell's crossings to `points`; returns false if the surface misses the cell.
 */
function addVertex(grid: Grid, [i, j, k]: MillimetrePoint, points: number[]): boolean {
  const { nx, ny, values, low, cell } = grid;
  const at = i + nx * (j + ny * k);
  let count = 0;
  const sum = [0, 0, 0];
  for (let e = 0; e < 24; e += 2) {
    const a = EDGES[e]!;
    const b = EDGES[e + 1]!;
    const da = values[at + (a & 1) + nx * (((a >> 1) & 1) + ny * (a >> 2))]!;
    const db = values[at + (b & 1) + nx * (((b >> 1) & 1) + ny * (b >> 2))]!;
    if (da < 0 === db < 0) continue;
    const t = da / (da - db);
    for (let axis = 0; axis < 3; axis++) {
      const from = (a >> axis) & 1;
      sum[axis]! += from + t * (((b >> axis) & 1) - from);
    }
    count++;
  }
  if (count === 0) return false;
  points.push(
    low[0] + cell * (i + sum[0]! / count),
    low[1] + cell * (j + sum[1]! / count),
    low[2] + cell * (k + sum[2]! / count),
  );
  return true;
}

function placeVertices(grid: Grid): { points: number[]; vertexOf: Int32Array } {
  const { nx, ny, nz } = grid;
  const vertexOf = new Int32Array(nx * ny * nz).fill(-1);
  const points: number[] = [];
  for (let k = 0; k < nz - 1; k++) {
    for (let j = 0; j < ny - 1; j++) {
      for (let i = 0; i < nx - 1; i++) {
        const vertex = points.length / 3;
        if (addVertex(grid, [i, j, k], points)) vertexOf[i + nx * (j + ny * k)] = vertex;
      }
    }
  }
  return { points, vertexOf };
}

function joinVertices(grid: Grid, vertexOf: Int32Array): number[] {
  const { nx, ny, nz, values } = grid;
  const stride = [1, nx, nx * ny] as const;
  const indices: number[] = [];
  for (let k = 1; k < nz - 1; k++) {
    for (let j = 1; j < ny - 1; j++) {
      for (let i = 1; i < nx - 1; i++) {
        const at = i + nx * (j + ny * k);
        const inside = values[at]! < 0;
        for (let axis = 0; axis < 3; axis++) {
          if (values[at + stride[axis]!]! < 0 === inside) continue;
          const u = stride[(axis + 1) % 3]!;
          const v = stride[(axis + 2) % 3]!;
          const a = vertexOf[at]!;
          const b = vertexOf[at - u]!;
          const c = vertexOf[at - u - v]!;
          const d = vertexOf[at - v]!;
          if (inside) indices.push(a, b, c, a, c, d);
          else indices.push(a, c, b, a, d, c);
        }
      }
    }
  }
  return indices;
}

/** Moves every vertex onto the surface and computes its normal. */
function settle(solid: DistanceField, points: number[]): Triangles['normals'] {
  const normals = new Float32Array(points.length);
  const h = GRADIENT_STEP;
  for (let p = 0; p < points.length; p += 3) {
    for (let step = 0; step <= NEWTON_STEPS; step++) {
      const x = points[p]!;
      const y = points[p + 1]!;
      const z = points[p + 2]!;
      const gx = solid(x + h, y, z) - solid(x - h, y, z);
      const gy = solid(x, y + h, z) - solid(x, y - h, z);
      const gz = solid(x, y, z + h) - solid(x, y, z - h);
      const length = Math.sqrt(gx * gx + gy * gy + gz * gz) || 1;
      if (step === NEWTON_STEPS) {
        normals[p] = gx / length;
        normals[p + 1] = gy / length;
        normals[p + 2] = gz / length;
      } else {
        const pull = (solid(x, y, z) * 2 * h) / (length * length);
        points[p] = x - pull * gx;
        points[p + 1] = y - pull * gy;
        points[p + 2] = z - pull * gz;
      }
    }
  }
  return normals;
}

/**
 * Meshes `solid` inside the box `low`..`high` with cells of size `cell`. Output has the units of
 * the input; triangles face outwards. The box must contain the surface with a margin of one cell.
 */
export function surfaceNets(
  solid: DistanceField,
  box: { readonly low: MillimetrePoint; readonly high: MillimetrePoint },
  cell: number,
): Triangles {
  const grid = sample(solid, box.low, box.high, cell);
  const { points, vertexOf } = placeVertices(grid);
  const indices = joinVertices(grid, vertexOf);
  const normals = settle(solid, points);
  return { positions: Float32Array.from(points), normals, indices: Uint32Array.from(indices) };
}
