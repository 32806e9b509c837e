/**
 * Handlers of robot control (§4.5), of the robot lock (§4.4), and of calculations with the robot's
 * model (§4.7).
 */

import type { ErrorName, MotionError } from '../../../contract/errors.ts';
import { limits } from '../../../contract/limits.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { Dialect } from '../../../contract/routes.ts';
import type { AvoidanceZones, GoToBody, Joints, TcpConfig } from '../../../contract/types.ts';
import { checkPose } from '../../../physics/collision/collision-check.ts';
import { type CollisionScene, createCollisionScene } from '../../../physics/collision/scene.ts';
import {
  createFrames,
  createTool,
  forward,
  POSE_SIZE,
  type Tool,
  toolPose,
} from '../../../physics/kinematics/forward.ts';
import { type InverseReply, solveInverse } from '../../../physics/kinematics/inverse.ts';
import { nudge, rotate, type ToolMove } from '../../../physics/kinematics/nudge-rotate.ts';
import {
  matrixToQuaternion,
  normaliseQuaternion,
  quaternionToMatrix,
} from '../../../physics/math/rotation.ts';
import { inJointRange } from '../../../physics/motion/limits.ts';
import { boundaryProblem } from '../../../physics/motion/segment.ts';
import { checkZones } from '../../../physics/toolpath/check.ts';
import { speedCap_m_s } from '../../../physics/toolpath/plan-segment.ts';
import { tickOf } from '../../clock/twin-time.ts';
import type { Caller, CommandError, CommandResult } from '../../robot/commands.ts';
import { scheduleDetails } from '../../robot/schedule.ts';
import { isSamePause, type ToolCaps } from '../../robot/trajectory-player.ts';
import type { LateError } from '../../store/database.ts';
import { lockAsSeenBy } from '../../stream/hub.ts';
import {
  type Answer,
  answer,
  done,
  type Handler,
  type Handlers,
  type Services,
  type SessionCall,
} from '../reply.ts';

/** Optional tool and avoidance zones of every calculation (§2.6, §2.7). */
interface CalculationContext {
  readonly tcp_config?: TcpConfig;
  readonly avoidance_zones?: AvoidanceZones;
}

interface Model {
  readonly tool: Tool;
  readonly scene: CollisionScene;
}

const frames = createFrames();

/** Checks of zones beyond the schema: unique names and valid orientations. */
function zoneRefusal({ avoidance_zones }: CalculationContext): Refusal<'invalid_arguments'> | null {
  const problems = avoidance_zones ? checkZones(avoidance_zones, '/avoidance_zones') : [];
  return problems.length > 0 ? refuse('invalid_arguments', problems) : null;
}

function modelOf({ tcp_config, avoidance_zones }: CalculationContext): Model {
  const shape = tcp_config ? { tool: tcp_config } : {};
  const scene = createCollisionScene({ ...shape, zones: avoidance_zones ?? [] });
  return { tool: createTool(tcp_config), scene };
}

/** Checks the zones, then runs the calculation in the range of the robot's joints. */
function calculate(
  body: CalculationContext,
  { robot }: Pick<Services, 'robot'>,
  run: (model: Model) => object,
) {
  return zoneRefusal(body) ?? answer(inJointRange(robot.range, () => run(modelOf(body))));
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

function toolMove(body: MoveBody, axis: ToolMove['axis'], { tool, scene }: Model): ToolMove {
  const check = (joints: Float64Array): MotionError | null =>
    collisionAt(scene, joints)?.code ?? null;
  return { joints: body.joints, axis, offset: body.offset, tool, check };
}

export const calculationHandlers: Handlers = {
  checkPose: ({ body }, services) =>
    calculate(body, services, ({ scene }) => {
      const problem =
        boundaryProblem(Float64Array.from(body.joints)) ?? collisionAt(scene, body.joints);
      const status = problem?.message ?? 'The pose is valid.';
      return { pose: { valid: problem === null, status } };
    }),

  forwardKinematics: ({ body }, services) =>
    calculate(body, services, ({ tool, scene }) => {
      const problem = boundaryProblem(Float64Array.from(body.joints));
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
    return calculate(body, services, ({ tool, scene }) => {
      const pose = new Float64Array(POSE_SIZE);
      quaternionToMatrix(orientation, pose);
      pose.set([body.position.x, body.position.y, body.position.z], 9);
      const found = solveInverse({ pose, guess: body.guess, tool });
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

function lockAnswer<Name extends ErrorName>(
  refusal: Refusal<Name> | null,
  caller: Caller,
  services: Services,
): Answer<Name> {
  return refusal ?? answer(lockAsSeenBy(caller, services.robot.lockHolder));
}

export const lockHandlers: Handlers = {
  getLock: ({ caller }, { robot }) => answer(lockAsSeenBy(caller, robot.lockHolder)),
  takeLock: ({ caller }, services) =>
    lockAnswer(services.loop.apply({ kind: 'lock', caller }), caller, services),
  renewLock: ({ caller }, services) =>
    lockAnswer(services.loop.apply({ kind: 'renew_lock', caller }), caller, services),
  releaseLock: ({ caller }, services) =>
    lockAnswer(services.loop.apply({ kind: 'release_lock', caller }), caller, services),
};

type BodilessCommand = 'pause' | 'cancel' | 'stop_loop' | 'reset_errors' | 'acknowledge_collision';

const NO_STANDSTILL =
  'The clock stands and the arm does not come to rest: let time pass, and read the state';

/**
 * Resolves once the arm stands (D29). While the clock is stepped or paused, also when it becomes so
 * meanwhile, the wait plays its ticks: else no answer would come before a client moves the clock.
 */
function standstill({ robot, loop, clock }: Services): ReturnType<Handler<'pause'>> {
  return new Promise((resolve, reject) => {
    const isOver = () => !robot.isCommandAwaited;
    const cancel = clock.whileHeld(() => {
      clock.advance(tickOf(limits.standstill_wait_s), isOver).then(() => {
        if (!isOver()) resolve(refuse('wrong_state', NO_STANDSTILL));
      }, reject);
    });
    void loop.completion().then(done).then(resolve, reject).finally(cancel);
  });
}

/** Applies a command; its answer waits until the arm stands, where the command does. */
function command(kind: BodilessCommand) {
  return (
    { caller }: { readonly caller: Caller },
    services: Services,
  ): ReturnType<Handler<'pause'>> => {
    const { robot, loop } = services;
    const refusal = loop.apply({ kind, caller });
    if (refusal || !robot.isCommandAwaited || kind === 'stop_loop') return done(refusal);
    return standstill(services);
  };
}

/** Resumes a motion; plans the rest first if the motion was paused. */
async function resume(
  { caller, recheck }: Pick<SessionCall, 'caller' | 'recheck'>,
  { robot, loop, planner }: Services,
): Promise<Answer<LateError | CommandError<'resume'>>> {
  const refusal = robot.refusalOf({ kind: 'resume', caller });
  if (refusal) return refusal;
  const halt = robot.pausedMotion;
  const planned = halt ? await planner.resume(halt) : null;
  const late = recheck();
  if (late) return late;
  // Meanwhile another motion may have been paused, or another state restored.
  const profile = isSamePause(halt, robot.pausedMotion) ? planned : null;
  return done(loop.apply({ kind: 'resume', caller, profile }));
}

/** The tool speed limits that pause and resume of a go_to respect, with the present payload. */
function goToCaps(
  { mode, time, max_speed, tcp_config }: GoToBody,
  carried: Pick<ToolCaps, 'payload_kg' | 'timing'>,
): ToolCaps {
  const cap_m_s = speedCap_m_s(mode);
  const fastest_m_s = time === undefined ? limits.speed_go_to_default_m_per_s : cap_m_s;
  const { x, y, z } = tcp_config?.offsets ?? { x: 0, y: 0, z: 0 };
  return {
    tool_speed_m_s: Math.min(max_speed ?? fastest_m_s, cap_m_s),
    tool_offset_m: [x, y, z],
    ...carried,
  };
}

/** A missing toolpath is `wrong_state` in the documented dialect, its own error otherwise (D27). */
function startAnswer(
  refusal: CommandResult<'run' | 'home'>,
  dialect: Dialect,
): Answer<CommandError<'run' | 'home'>> {
  const missing = refusal?.refused === 'toolpath_missing' && dialect === 'documented';
  return done(missing ? refuse('wrong_state', String(refusal.details)) : refusal);
}

export const controlHandlers: Handlers = {
  run: ({ caller, body, dialect }, { loop }) =>
    startAnswer(loop.apply({ kind: 'run', caller, mode: body.mode, loop: body.loop }), dialect),
  home: ({ caller, dialect }, { loop }) =>
    startAnswer(loop.apply({ kind: 'home', caller }), dialect),
  pause: command('pause'),
  resume,
  cancel: command('cancel'),
  stopLoop: command('stop_loop'),
  resetErrors: command('reset_errors'),
  acknowledgeCollision: command('acknowledge_collision'),

  async goTo({ caller, body, recheck }, { robot, loop, planner }) {
    const refusal = zoneRefusal(body);
    if (refusal) return refusal;
    const start = Float64Array.from(robot.restPose);
    const payload = robot.memory.loaded?.program.payload_kg ?? 0;
    const { timing } = robot.memory;
    const plan = await planner.goTo({ ...body, start, payload, timing });
    const late = recheck();
    if (late) return late;
    if (!plan.ok) {
      const { path, message, code, minimum_time_s } = plan;
      const least = minimum_time_s === undefined ? {} : { minimum_time_s };
      return refuse('motion_refused', { path, error: message, code, ...least });
    }
    const { path, profile } = plan.segment;
    const motion = {
      start,
      path,
      profile,
      caps: goToCaps(body, { payload_kg: payload, timing }),
      tool: body.tcp_config,
    };
    return done(loop.apply({ kind: 'go_to', caller, mode: body.mode, motion }));
  },

  setScheduler({ caller, body }, { robot, loop }) {
    const refusal = loop.apply({ kind: 'scheduler', caller, ...body });
    const details = scheduleDetails(robot.memory.schedule);
    return refusal ?? answer({ event: { details, name: 'EVENT_SCHEDULER_UPDATE' } });
  },

  setCollisionDetection({ caller, body }, { loop }) {
    if (body.enabled && body.sensitivity === undefined) {
      const problem = 'is required when enabling; it is low, medium or high';
      return refuse('invalid_arguments', [{ path: '/sensitivity', problem }]);
    }
    return done(loop.apply({ kind: 'collision_detection', caller, ...body }));
  },
};
