/** Handlers of robot control (§4.5) and of the robot lock (§4.4). */
import type { ErrorName } from '../../../contract/errors.ts';
import { limits } from '../../../contract/limits.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { Dialect } from '../../../contract/routes.ts';
import type { GoToBody } from '../../../contract/types.ts';
import { speedCap_m_s } from '../../../physics/toolpath/go-to.ts';
import { tickOf } from '../../clock/twin-time.ts';
import type { Caller, CommandError, CommandResult } from '../../robot/commands.ts';
import { scheduleDetails } from '../../robot/schedule.ts';
import type { ToolCaps } from '../../robot/trajectory-player.ts';
import type { LateError } from '../../store/database.ts';
import { lockAsSeenBy } from '../../stream/hub.ts';
import type { Services } from '../handler.ts';
import {
  type Answer,
  answer,
  done,
  type Handler,
  type Handlers,
  type SessionCall,
} from '../handler.ts';
import { zoneRefusal } from './calculation.ts';

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

/**
 * Applies a command; its answer waits until the arm stands, where the command does (D29). A clock
 * that is stepped or paused plays the ticks of the wait, so that the caller gets its answer.
 */
function command(kind: BodilessCommand) {
  return (
    { caller }: { readonly caller: Caller },
    { robot, loop, clock }: Services,
  ): ReturnType<Handler<'pause'>> => {
    const refusal = loop.apply({ kind, caller });
    if (refusal || !robot.isCommandAwaited || kind === 'stop_loop') return done(refusal);
    const completion = loop.completion().then(done);
    if (clock.paused || clock.pace.kind === 'stepped') {
      void clock.advance(tickOf(limits.standstill_wait_s), () => !robot.isCommandAwaited);
    }
    return completion;
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
  const profile = halt ? await planner.resume(halt) : null;
  const late = recheck();
  if (late) return late;
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
