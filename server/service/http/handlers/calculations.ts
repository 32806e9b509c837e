/** Handlers of calculations with the robot's model (§4.7). */

import type { MotionError } from '../../../../contract/motion-errors.ts';
import { type Refusal, refuse } from '../../../../contract/refusal.ts';
import type { AvoidanceZones, Joints, TcpConfig } from '../../../../contract/types.generated.ts';
import { type ArmRange, MODEL_RANGE } from '../../../../physics/arm/arm-range.ts';
import { checkPose } from '../../../../physics/collision/pose-check.ts';
import { type CollisionScene, createCollisionScene } from '../../../../physics/collision/scene.ts';
import { createFrames, forward } from '../../../../physics/kinematics/forward.ts';
import { type InverseReply, solveInverse } from '../../../../physics/kinematics/inverse.ts';
import { nudge, rotate, type ToolMove } from '../../../../physics/kinematics/nudge-rotate.ts';
import { createTool, POSE_SIZE, type Tool, toolPose } from '../../../../physics/kinematics/tool.ts';
import {
  matrixToQuaternion,
  normaliseQuaternion,
  quaternionToMatrix,
} from '../../../../physics/math/rotation.ts';
import { boundaryProblem } from '../../../../physics/motion/motion-problem.ts';
import { checkZones } from '../../../../physics/toolpath/metadata-rules.ts';
import type { Handlers } from '../handler.ts';
import { answer } from '../reply.ts';
import type { Services } from '../services.ts';

/** Optional tool and avoidance zones of every calculation (§2.6, §2.7). */
interface CalculationContext {
  readonly tcp_config?: TcpConfig;
  readonly avoidance_zones?: AvoidanceZones;
}

interface Model {
  readonly tool: Tool;
  readonly scene: CollisionScene;
  readonly range: ArmRange;
}

const frames = createFrames();

/** Checks of zones beyond the schema: unique names and valid orientations. */
export function zoneRefusal({
  avoidance_zones,
}: CalculationContext): Refusal<'invalid_arguments'> | null {
  const problems = avoidance_zones ? checkZones(avoidance_zones, '/avoidance_zones') : [];
  return problems.length > 0 ? refuse('invalid_arguments', problems) : null;
}

function modelOf(
  { tcp_config, avoidance_zones }: CalculationContext,
  range: ArmRange | null,
): Model {
  const shape = tcp_config ? { tool: tcp_config } : {};
  const scene = createCollisionScene({ ...shape, zones: avoidance_zones ?? [] });
  return { tool: createTool(tcp_config), scene, range: range ?? MODEL_RANGE };
}

/** Checks the zones, then runs the calculation. */
function calculate(
  body: CalculationContext,
  { robot }: Pick<Services, 'robot'>,
  run: (model: Model) => object,
) {
  return zoneRefusal(body) ?? answer(run(modelOf(body, robot.range)));
}

function collisionAt(scene: CollisionScene, joints: ArrayLike<number>) {
  forward(joints, frames);
  return checkPose(scene, frames);
}

function jointsOf(found: InverseReply): object {
  if (!found.ok) return { result: 'error', error: found.code };
  return { result: 'success', joints: Array.from(found.joints) };
}

interface MoveBody extends CalculationContext {
  readonly joints: Joints;
  readonly offset: number;
}

function toolMove(body: MoveBody, axis: ToolMove['axis'], model: Model): ToolMove {
  const check = (joints: Float64Array): MotionError | null =>
    collisionAt(model.scene, joints)?.code ?? null;
  const { tool, range } = model;
  return { joints: body.joints, axis, offset: body.offset, tool, range, check };
}

export const calculationHandlers: Handlers = {
  checkPose: ({ body }, services) =>
    calculate(body, services, ({ scene, range }) => {
      const problem =
        boundaryProblem(Float64Array.from(body.joints), range) ?? collisionAt(scene, body.joints);
      const status = problem?.message ?? 'The pose is valid.';
      return { pose: { valid: problem === null, status } };
    }),

  forwardKinematics: ({ body }, services) =>
    calculate(body, services, ({ tool, scene, range }) => {
      const problem = boundaryProblem(Float64Array.from(body.joints), range);
      if (problem) return { fk: { result: 'error', error: problem.code } };
      const hit = body.avoidance_zones ? collisionAt(scene, body.joints) : null;
      if (hit?.code === 'object_collision') return { fk: { result: 'error', error: hit.code } };
      const pose = new Float64Array(POSE_SIZE);
      forward(body.joints, frames);
      toolPose(frames, tool, pose);
      const [x, y, z] = pose.subarray(9);
      const orientation = matrixToQuaternion(pose);
      return { fk: { result: 'success', position: { x, y, z }, orientation } };
    }),

  inverseKinematics({ body }, services) {
    const orientation = normaliseQuaternion(body.orientation);
    if (!orientation) {
      const problem = 'must not be all zeros; {"w":1,"x":0,"y":0,"z":0} is upright';
      return refuse('invalid_arguments', [{ path: '/orientation', problem }]);
    }
    return calculate(body, services, ({ tool, scene, range }) => {
      const pose = new Float64Array(POSE_SIZE);
      quaternionToMatrix(orientation, pose);
      pose.set([body.position.x, body.position.y, body.position.z], 9);
      const found = solveInverse({ pose, guess: body.guess, tool, range });
      const hit = found.ok ? collisionAt(scene, found.joints) : null;
      return { ik: hit ? { result: 'error', error: hit.code } : jointsOf(found) };
    });
  },

  nudge: ({ body }, services) =>
    calculate(body, services, (model) => ({
      nudge: jointsOf(nudge(toolMove(body, body.direction, model))),
    })),
  rotate: ({ body }, services) =>
    calculate(body, services, (model) => ({
      rotate: jointsOf(rotate(toolMove(body, body.axis, model))),
    })),
};
