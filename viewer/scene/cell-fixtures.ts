/** The fixtures of a cell in the scene, with marks of their nests. Metres, robot frame. */

import {
  type BufferGeometry,
  Group,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  Vector3,
} from 'three';
import type { Cell, CellFixture, CellNest } from '../../contract/types.generated.ts';
import { mergeGeometries } from './merge-geometries.ts';
import { footprint } from './object-shapes.ts';
import type { Palette } from './palette.ts';
import { poseMatrix } from './pose-matrix.ts';
import { roundedBox } from './rounded-box.ts';
import { shadowed } from './shadowed.ts';

/** A fixture with a longer edge is a table or an instrument and is drawn light (m). */
const LARGE_M = 0.3;
const ORIGIN = { x: 0, y: 0, z: 0 } as const;

/** The boxes of a fixture in its own frame. */
function fixtureGeometry({ boxes }: CellFixture): BufferGeometry {
  const parts = boxes.map(({ size_m: { x, y, z }, position, orientation }) =>
    roundedBox(x, y, z).applyMatrix4(poseMatrix(position ?? ORIGIN, orientation)),
  );
  const merged = mergeGeometries(parts);
  for (const part of parts) part.dispose();
  return merged;
}

const NEST_EDGE_M = 0.003;
const NEST_DEFAULT_M = 0.04;

/** Size of the mark of a nest: a little more than what starts in it, else in another one. */
function nestSize({ objects = [] }: Cell, name: string): readonly [number, number] {
  const own = objects.find(({ nest }) => nest === name) ?? objects.find(({ nest }) => nest);
  const [x, y] = own ? footprint(own.shape) : [NEST_DEFAULT_M, NEST_DEFAULT_M];
  return [x + 2 * NEST_EDGE_M, y + 2 * NEST_EDGE_M];
}

/** How far a mark stays inside the face that it lies on (m). */
const FACE_EDGE_M = 0.004;
const SAME_HEIGHT_M = 0.002;

/** The mark of a nest, no larger than the face below it. */
function markSize(cell: Cell, { boxes }: CellFixture, { name, position }: CellNest) {
  const [x, y] = nestSize(cell, name);
  const face = boxes.find(({ size_m, position: at = ORIGIN }) => {
    const isOver = Math.abs(position.x - at.x) <= size_m.x / 2 + SAME_HEIGHT_M;
    const isHigh = Math.abs(at.z + size_m.z - position.z) <= SAME_HEIGHT_M;
    return isOver && isHigh && Math.abs(position.y - at.y) <= size_m.y / 2 + SAME_HEIGHT_M;
  });
  if (!face) return null;
  const inside = (edge: number, most: number) => Math.min(edge, most - 2 * FACE_EDGE_M);
  return [inside(x, face.size_m.x), inside(y, face.size_m.y)] as const;
}

/** Marks of the nests of a fixture, in its own frame; null without nests. */
function nestGeometry(cell: Cell, fixture: CellFixture): BufferGeometry | null {
  const marks = (fixture.nests ?? []).flatMap((nest) => {
    const size = markSize(cell, fixture, nest);
    if (!size || Math.min(...size) <= 0) return [];
    const mark = roundedBox(size[0], size[1], 0.0012, 0.0006).translate(0, 0, -0.0006);
    return [mark.applyMatrix4(poseMatrix(nest.position, nest.orientation))];
  });
  return marks.length > 0 ? mergeGeometries(marks) : null;
}

/** The upper corners of what an object's children draw, in the world. */
export function upperCorners(object: Object3D): Vector3[] {
  object.updateMatrixWorld(true);
  return object.children.flatMap((mesh) => {
    if (!(mesh instanceof Mesh)) return [];
    mesh.geometry.computeBoundingBox();
    const { min, max } = mesh.geometry.boundingBox!;
    const corners = [min.x, max.x].flatMap((x) =>
      [min.y, max.y].map((y) => new Vector3(x, y, max.z)),
    );
    return corners.map((corner) => corner.applyMatrix4(mesh.matrixWorld));
  });
}

interface DrawnFixture {
  readonly name: string;
  readonly object: Group;
  readonly home: Matrix4;
}

const shift = new Matrix4();

export class CellFixtures {
  readonly group = new Group();
  private readonly light = new MeshStandardMaterial({ roughness: 0.62, metalness: 0.05 });
  private readonly dark: MeshStandardMaterial;
  private readonly mark = new MeshStandardMaterial({
    roughness: 0.8,
    polygonOffset: true,
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -2,
  });
  private fixtures: DrawnFixture[] = [];

  constructor(dark: MeshStandardMaterial) {
    this.dark = dark;
  }

  build(cell: Cell | null): void {
    this.group.traverse((child) => {
      if (child instanceof Mesh) child.geometry.dispose();
    });
    this.group.clear();
    this.fixtures = cell ? (cell.fixtures ?? []).map((fixture) => this.draw(cell, fixture)) : [];
    for (const { object } of this.fixtures) this.group.add(object);
  }

  paint({ theme }: Palette): void {
    this.light.color.set(theme === 'light' ? 0xd9dad6 : 0x3a4147);
    this.mark.color.set(theme === 'light' ? 0x1d2125 : 0x22272b);
  }

  /** Draws a fixture beside its place while it is dragged; null puts it back. */
  offset(name: string, by: Vector3 | null): void {
    const fixture = this.fixtures.find((each) => each.name === name);
    if (!fixture) return;
    fixture.object.matrix.copy(fixture.home);
    if (by) fixture.object.matrix.premultiply(shift.makeTranslation(by));
    fixture.object.matrixWorldNeedsUpdate = true;
  }

  /** What draws a fixture. */
  named(name: string): Object3D | null {
    return this.fixtures.find((each) => each.name === name)?.object ?? null;
  }

  /** The fixture that a mesh belongs to. */
  of(mesh: Object3D): string | null {
    return this.fixtures.find(({ object }) => object === mesh.parent)?.name ?? null;
  }

  private draw(cell: Cell, fixture: CellFixture): DrawnFixture {
    const home = poseMatrix(fixture.position, fixture.orientation);
    const isLarge = fixture.boxes.some(({ size_m: { x, y, z } }) => Math.max(x, y, z) > LARGE_M);
    const object = new Group();
    object.add(shadowed(new Mesh(fixtureGeometry(fixture), isLarge ? this.light : this.dark)));
    const nests = nestGeometry(cell, fixture);
    if (nests) object.add(new Mesh(nests, this.mark));
    object.matrixAutoUpdate = false;
    object.matrix.copy(home);
    return { name: fixture.name, object, home };
  }
}
