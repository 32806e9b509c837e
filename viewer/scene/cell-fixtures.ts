/**
 * The equipment of a cell in the scene: fixtures with marks of their nests, what stands of sensors
 * and conveyors, and the grippers at the flange. Metres, robot frame.
 */
import {
  type BufferGeometry,
  CanvasTexture,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
  RepeatWrapping,
  SRGBColorSpace,
  type Texture,
  Vector3,
} from 'three';
import type { Cell, CellFixture, CellGripper, CellNest, CellState } from '../../contract/types.ts';
import { FLANGE_M } from '../../physics/arm/arm-model.ts';
import type { Arm } from './arm.ts';
import { shadowed } from './cell-bodies.ts';
import { cupGeometry, footprint, jawGeometry, poseMatrix, roundedBox } from './cell-shapes.ts';
import type { DrawnBelt, DrawnSensor } from './cell-signals.ts';
import type { Palette } from './palette.ts';
import { mergeGeometries } from './part-geometry.ts';

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

const TILE_PX = 64;

/** Belt with a chevron that points along x; one tile is a pitch long. */
export function beltTexture(forward: boolean): Texture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = TILE_PX;
  const context = canvas.getContext('2d');
  if (context) {
    context.fillStyle = '#33383d';
    context.fillRect(0, 0, TILE_PX, TILE_PX);
    context.strokeStyle = '#737b83';
    context.lineWidth = 3.5;
    context.lineJoin = 'round';
    const tip = forward ? 0.6 : 0.4;
    context.beginPath();
    context.moveTo((1 - tip) * TILE_PX, 0.36 * TILE_PX);
    context.lineTo(tip * TILE_PX, 0.5 * TILE_PX);
    context.lineTo((1 - tip) * TILE_PX, 0.64 * TILE_PX);
    context.stroke();
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = RepeatWrapping;
  texture.anisotropy = 4;
  return texture;
}

/** Draws what does not move of sensors and belts in one call per material. */
export function drawStanding(
  sensors: readonly DrawnSensor[],
  belts: readonly DrawnBelt[],
  materials: { readonly frame: MeshStandardMaterial; readonly rail: MeshStandardMaterial },
): Mesh[] {
  const frames = [...sensors.flatMap(({ housings }) => housings), ...belts.map(({ body }) => body)];
  const rails = belts.map((belt) => belt.rails);
  const draw = (parts: readonly BufferGeometry[], material: MeshStandardMaterial) => {
    if (parts.length === 0) return [];
    const mesh = shadowed(new Mesh(mergeGeometries(parts), material));
    for (const part of parts) part.dispose();
    return [mesh];
  };
  return [...draw(frames, materials.frame), ...draw(rails, materials.rail)];
}

interface DrawnGripper {
  readonly description: CellGripper;
  readonly object: Group;
  readonly fingers: readonly Mesh[];
  readonly light: MeshBasicMaterial;
}

/** The grippers at the flange; their fingers follow the opening. */
export class CellGrippers {
  private readonly arm: Arm;
  private readonly material = new MeshStandardMaterial({
    roughness: 0.46,
    metalness: 0.3,
    vertexColors: true,
  });
  private grippers: DrawnGripper[] = [];
  private shown = true;

  constructor(arm: Arm) {
    this.arm = arm;
  }

  build(grippers: readonly CellGripper[]): void {
    for (const { object } of this.grippers) {
      object.removeFromParent();
      for (const child of object.children) if (child instanceof Mesh) child.geometry.dispose();
    }
    this.grippers = grippers.map((gripper) => this.draw(gripper));
    this.setShown(this.shown);
  }

  setShown(shown: boolean): void {
    this.shown = shown;
    for (const { object } of this.grippers) object.visible = shown;
    this.arm.showTool(!shown || this.grippers.length === 0);
  }

  show({ grippers }: CellState): void {
    for (const { description, fingers } of this.grippers) {
      const state = grippers.find(({ name }) => name === description.name);
      if (!state) continue;
      fingers.forEach((finger, i) => {
        finger.position.x = ((i === 0 ? 1 : -1) * state.opening_m) / 2;
      });
    }
  }

  /** Grasp centres in the world (m). */
  tips(): Vector3[] {
    const { matrix } = this.arm.links[6]!;
    return this.grippers.map(({ object }) => object.position.clone().applyMatrix4(matrix));
  }

  /** Green while it holds something, amber while it is closed on nothing. */
  paint(palette: Palette, states: CellState['grippers']): void {
    this.material.color.set(palette.theme === 'light' ? 0x4d545b : 0x69727a);
    for (const { description, light } of this.grippers) {
      const state = states.find(({ name }) => name === description.name);
      light.color.copy(state?.holds ? palette.run : state?.closed ? palette.warn : palette.metal);
    }
  }

  drawn() {
    return this.grippers.map(({ description: { name }, fingers: [right, left] }) => ({
      name,
      opening_m: right && left ? right.position.x - left.position.x : 0,
    }));
  }

  private draw(description: CellGripper): DrawnGripper {
    const isJaws = description.kind === 'jaws';
    const { body, fingers, light } = isJaws ? jawGeometry(description) : cupGeometry(description);
    const glow = new MeshBasicMaterial({ toneMapped: false });
    const object = new Group();
    const meshes = fingers.map((finger) => shadowed(new Mesh(finger, this.material)));
    object.add(shadowed(new Mesh(body, this.material)), new Mesh(light, glow), ...meshes);
    const { x, y, z } = description.tip_m;
    object.position.set(x, y, FLANGE_M + z);
    object.rotation.z = isJaws ? (description.jaw_angle_rad ?? 0) : 0;
    this.arm.links[6]!.add(object);
    return { description, object, fingers: meshes, light: glow };
  }
}
