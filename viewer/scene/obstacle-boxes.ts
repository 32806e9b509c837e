/**
 * Boxes of the simulated obstacles. They have plain faces and solid edges, so that they do not
 * look like avoidance zones.
 */
import {
  BoxGeometry,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  type Vector3,
} from 'three';
import type { SimObstacle } from '../../contract/types.generated.ts';
import type { Palette } from './palette.ts';

export interface ObstacleBoxes {
  readonly object: Group;
  set(obstacles: readonly SimObstacle[]): void;
  /** Ids of the obstacles that collide with the arm. */
  setHit(ids: ReadonlySet<number>): void;
  paint(palette: Palette): void;
  /** The visible boxes: id, centre and size (m). */
  drawn(): readonly { id: number; at_m: number[]; size_m: number[]; hit: boolean }[];
}

const FREE_OPACITY = 0.1;
const HIT_OPACITY = 0.15;

function materials() {
  const shared = { transparent: true, depthWrite: false, toneMapped: false };
  return {
    face: new MeshBasicMaterial({ ...shared, opacity: FREE_OPACITY }),
    edge: new LineBasicMaterial({ toneMapped: false }),
    hitFace: new MeshBasicMaterial({ ...shared, opacity: HIT_OPACITY }),
    hitEdge: new LineBasicMaterial({ toneMapped: false }),
  };
}

type Box = Mesh<BoxGeometry, MeshBasicMaterial>;

/** Creates the group without obstacles. */
export function createObstacleBoxes(): ObstacleBoxes {
  const object = new Group();
  const { face, edge, hitFace, hitEdge } = materials();
  let boxes: readonly { readonly id: number; readonly box: Box; readonly edges: LineSegments }[] =
    [];

  function clear(): void {
    for (const { box, edges } of boxes) {
      box.geometry.dispose();
      edges.geometry.dispose();
    }
    object.clear();
  }

  return {
    object,
    set(obstacles) {
      clear();
      boxes = obstacles.map(({ id, position: p, half: h, orientation: q }) => {
        const box = new Mesh(new BoxGeometry(2 * h.x, 2 * h.y, 2 * h.z), face);
        const edges = new LineSegments(new EdgesGeometry(box.geometry), edge);
        box.position.set(p.x, p.y, p.z);
        box.quaternion.set(q.x, q.y, q.z, q.w);
        box.add(edges);
        object.add(box);
        return { id, box, edges };
      });
    },
    setHit(ids) {
      for (const { id, box, edges } of boxes) {
        box.material = ids.has(id) ? hitFace : face;
        edges.material = ids.has(id) ? hitEdge : edge;
      }
    },
    paint(palette) {
      for (const material of [face, edge]) material.color.copy(palette.text2);
      for (const material of [hitFace, hitEdge]) material.color.copy(palette.fault);
    },
    drawn: () =>
      boxes
        .filter(({ box }) => box.visible && object.visible)
        .map(({ id, box }) => {
          box.geometry.computeBoundingBox();
          const { max, min } = box.geometry.boundingBox!;
          const size: Vector3 = max.clone().sub(min);
          const hit = box.material === hitFace;
          return { id, at_m: box.position.toArray(), size_m: size.toArray(), hit };
        }),
  };
}
