import { Matrix4, Quaternion, Vector3 } from 'three';
import type { Quaternion as PlainQuaternion, Vector } from '../../contract/types.generated.ts';

const UPRIGHT: PlainQuaternion = { w: 1, x: 0, y: 0, z: 0 };

const one = new Vector3(1, 1, 1);

/** The matrix of a pose of the API. */
export function poseMatrix(
  { x, y, z }: Vector,
  orientation: PlainQuaternion = UPRIGHT,
  out = new Matrix4(),
): Matrix4 {
  const q = new Quaternion(orientation.x, orientation.y, orientation.z, orientation.w);
  return out.compose(new Vector3(x, y, z), q.normalize(), one);
}
