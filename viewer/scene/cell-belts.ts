/** Conveyors of a cell in the scene: a belt carries marks that move with it. */
import {
  BoxGeometry,
  type BufferGeometry,
  CanvasTexture,
  Group,
  Mesh,
  MeshStandardMaterial,
  RepeatWrapping,
  SRGBColorSpace,
  type Texture,
} from 'three';
import type { CellConveyor, CellConveyorState } from '../../contract/types.generated.ts';
import { mergeGeometries } from './merge-geometries.ts';
import { handleOf } from './pick-handle.ts';
import { poseMatrix } from './pose-matrix.ts';
import { roundedBox } from './rounded-box.ts';

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

/** A drawn conveyor. */
export interface DrawnBelt {
  readonly object: Group;
  readonly name: string;
  /** Frame and rails in the robot frame; the layer draws those of all belts together. */
  readonly body: BufferGeometry;
  readonly rails: BufferGeometry;
  /** What the pointer meets, in the robot frame; it is not drawn. */
  readonly handle: Mesh;
  /** Travel of the marks (m). */
  travel(): number;
  /** Whether it runs. */
  running(): boolean;
  show(state: CellConveyorState): void;
  /** Moves the marks on by a time of the twin (s). */
  advance(time_s: number): void;
}

const MARK_PITCH_M = 0.06;
const BELT_M = 0.006;
const RAIL_M = 0.006;

/** Draws the belt of a conveyor, which lies on its frame between its rails. */
export function drawBelt(conveyor: CellConveyor): DrawnBelt {
  const { name, position, orientation, size_m: size, speed_m_s } = conveyor;
  const texture = beltTexture(speed_m_s >= 0);
  const top = new MeshStandardMaterial({ map: texture, roughness: 0.85 });
  const place = poseMatrix(position, orientation);
  const body = roundedBox(size.x, size.y, size.z - BELT_M / 2, 0.006).applyMatrix4(place);
  const belt = new Mesh(new BoxGeometry(size.x - 0.004, size.y - 0.014, BELT_M), top);
  belt.position.z = size.z - BELT_M / 2;
  belt.receiveShadow = true;
  const bars = [1, -1].map((side) =>
    roundedBox(size.x, RAIL_M, 0.014, 0.002).translate(0, (side * (size.y - RAIL_M)) / 2, 0),
  );
  const rails = mergeGeometries(bars)
    .translate(0, 0, size.z - 0.0145)
    .applyMatrix4(place);
  texture.repeat.set(size.x / MARK_PITCH_M, 1);
  const object = new Group().add(belt);
  const handle = handleOf(name, new BoxGeometry(size.x, size.y, size.z));
  handle.geometry.translate(0, 0, size.z / 2);
  for (const part of [object, handle]) part.applyMatrix4(place);
  let travel_m = 0;
  let isRunning = false;
  function move(to_m: number): void {
    travel_m = to_m;
    texture.offset.x = -(to_m / MARK_PITCH_M) % 1;
  }
  return {
    object,
    name,
    body,
    rails,
    handle,
    travel: () => travel_m,
    running: () => isRunning,
    show(state) {
      isRunning = state.running;
      move(state.travel_m);
    },
    advance(time_s) {
      if (isRunning) move(travel_m + speed_m_s * time_s);
    },
  };
}
