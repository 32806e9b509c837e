import { Vector3 } from 'three';
import type { Toolpath } from '../../contract/types.generated.ts';
import { createPoseReader, createTool } from '../../physics/kinematics/tool.ts';

/** Tool tips at the waypoints of a toolpath (m): what the camera has to show of it. */
export function waypointTips({ metadata, waypoints }: Toolpath): Vector3[] {
  const tool = createTool(metadata.tcp_config);
  const readPose = createPoseReader();
  return waypoints.map(({ joints }) => new Vector3().fromArray(readPose(joints, tool), 9));
}
