import { BoxGeometry, type BufferGeometry, Vector3 } from 'three';

/** Edge radius of bodies (m), at most this share of the smallest edge. */
const EDGE_M = 0.003;
const EDGE_SHARE = 0.22;
/** Odd, so that the middle one becomes the flat face. */
const EDGE_SEGMENTS = 5;

const corner = new Vector3();
const along = new Vector3();

/** A box with rounded edges that stands on the origin. */
export function roundedBox(x: number, y: number, z: number, edge = EDGE_M): BufferGeometry {
  const radius = Math.min(edge, EDGE_SHARE * Math.min(x, y, z));
  const box = new BoxGeometry(1, 1, 1, EDGE_SEGMENTS, EDGE_SEGMENTS, EDGE_SEGMENTS);
  const at = box.getAttribute('position');
  const facing = box.getAttribute('normal');
  const half = new Vector3(x, y, z).multiplyScalar(0.5).subScalar(radius);
  for (let i = 0; i < at.count; i++) {
    corner.fromBufferAttribute(at, i);
    along.copy(corner).normalize();
    facing.setXYZ(i, along.x, along.y, along.z);
    along.multiplyScalar(radius);
    const on = (share: number, reach: number, more: number) => Math.sign(share) * reach + more;
    at.setXYZ(
      i,
      on(corner.x, half.x, along.x),
      on(corner.y, half.y, along.y),
      on(corner.z, half.z, along.z) + z / 2,
    );
  }
  return box;
}
