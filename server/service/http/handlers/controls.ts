/** Handlers of robot control (§4.5). */

import { limits } from '../../../../contract/limits.ts';
import { isRefusal, refuse } from '../../../../contract/refusal.ts';
import type { Dialect } from '../../../../contract/routes.ts';
import type { GoToBody } from '../../../../contract/types.generated.ts';
import { speedCap_m_s } from '../../../../physics/toolpath/speed-cap.ts';
import { tickOf } from '../../../clock/twin-time.ts';
import type { Caller } from '../../../robot/caller.ts';
import type { CommandError, CommandResult } from '../../../robot/commands.ts';
import { scheduleDetails } from '../../../robot/schedule.ts';
import { isSamePause, type ToolCaps } from '../../../robot/trajectory-player.ts';
import { claimantOf } from '../../../shares/claimant.ts';
import type { LateError } from '../../../store/guard.ts';
import type { SessionCall } from '../call.ts';
import type { Handler, Handlers } from '../handler.ts';
import { type Answer, answer, done } from '../reply.ts';
import type { Services } from '../services.ts';
import { zoneRefusal } from './calculations.ts';

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
): Promise<Answer<'share_used_up' | LateError | CommandError<'resume'>>> {
  const refusal = robot.refusalOf({ kind: 'resume', caller });
  if (refusal) return refusal;
  const halt = robot.pausedMotion;
  const planned = halt ? await planner.resume(halt, claimantOf(caller, robot)) : null;
  if (planned && isRefusal(planned)) return planned;
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

  async setScheduler({ caller, body, origin, recheck }, { robot, settings, audit }) {
    const refusal = await settings.apply({ kind: 'scheduler', caller, ...body }, recheck);
    if (refusal) return refusal;
    audit.record('schedule_changed', { by: caller.user_id, ...body, ...origin });
    const details = scheduleDetails(robot.memory.schedule);
    return answer({ event: { details, name: 'EVENT_SCHEDULER_UPDATE' } });
  },

  async setCollisionDetection({ caller, body, origin, recheck }, { settings, audit }) {
    if (body.enabled && body.sensitivity === undefined) {
      const problem = 'is required when enabling; it is low, medium or high';
      return refuse('invalid_arguments', [{ path: '/sensitivity', problem }]);
    }
    const refusal = await settings.apply({ kind: 'collision_detection', caller, ...body }, recheck);
    if (refusal) return refusal;
    audit.record('collision_detection_changed', { by: caller.user_id, ...body, ...origin });
    return done(null);
  },
};
