/**
 * Mutations of the code, each of which violates a statement of the invariant monitor. Test code.
 */
import type { STATEMENTS } from './robot/invariant-statements.ts';

export interface Mutation {
  /** The statement that must notice it. */
  readonly statement: keyof typeof STATEMENTS;
  readonly path: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly put: string;
}

export const MUTATIONS: readonly Mutation[] = [
  {
    statement: 'ready and paused are entered at standstill',
    path: 'server/robot/robot-context.ts',
    find: 'return !this.player.moving && this.feedback.standing;',
    put: 'return true;',
  },
  {
    statement: 'ready and paused have no motion',
    path: 'server/robot/control-commands.ts',
    find: "startActivity(context, { kind: 'go_to', mode, scheduled: false, payload_kg, cursor });",
    put: 'void [mode, payload_kg, cursor];',
  },
  {
    statement: 'running, stopping and paused have an activity, other states none',
    path: 'server/robot/robot-context.ts',
    find: 'memory.activity = null;',
    put: '',
  },
  {
    statement: 'a motion that runs moves, waits or comes to rest',
    path: 'server/robot/program-runner.ts',
    find: "if (activity.kind !== 'run') finishActivity(context);",
    put: "if (activity.kind === 'home') finishActivity(context);",
  },
  {
    statement: 'a teach-mode motion has an owner or is being dropped',
    path: 'server/robot/lock.ts',
    find: '  if (isTeachMotionActive(memory)) {',
    put: '  if (memory.loop_count < 0) {',
  },
  {
    statement: 'a teach-mode motion has an owner or is being dropped',
    path: 'server/robot/standstill.ts',
    find: '  refuseObsoleteCommand(context);\n  if (!context.standing) return;',
    put: "  if (context.memory.activity?.mode === 'teach') context.memory.lock = null;",
  },
  {
    statement: 'a held lock is not expired',
    path: 'server/robot/lost-lock.ts',
    find: '  if (lock && context.tick >= lock.expires_tick) revokeLock(context);',
    put: '  if (lock && context.tick < 0) revokeLock(context);',
  },
  {
    statement: 'the flange keeps to the cap of the mode',
    path: 'server/robot/program-runner.ts',
    find: 'profile: teach ? move.teach : move.automatic,',
    put: 'profile: move.automatic,',
  },
  {
    statement: 'setpoints keep to the joint speeds',
    path: 'server/robot/trajectory-player.ts',
    find: 'motion.elapsed_s += TICK_S;',
    put: 'motion.elapsed_s += 4 * TICK_S;',
  },
  {
    statement: 'setpoints keep to the joint speeds',
    path: 'server/robot/control-commands.ts',
    find: 'if (!context.player.isAtRestPose(motion.start)) {',
    put: 'if (context.tick < 0) {',
  },
  {
    statement: 'setpoints lie on the planned path',
    path: 'server/robot/trajectory-player.ts',
    find: 'samples[6 * i + joint] = this.sample.q[joint]!;',
    put: 'samples[6 * i + joint] = this.sample.q[joint]! + 6e-5 * joint * this.point.v;',
  },
  {
    statement: 'setpoints lie on the planned path',
    path: 'server/robot/trajectory-player.ts',
    find: 'memory.before[joint] = samples[6 * STEPS_PER_TICK + joint]!;',
    put: 'memory.before[joint] = samples[6 * (joint === 0 ? 2 : STEPS_PER_TICK) + joint]!;',
  },
  {
    statement: 'loops are counted one by one, up to the target',
    path: 'server/robot/program-runner.ts',
    find: 'memory.loop_target > 0 && memory.loop_count >= memory.loop_target;',
    put: 'memory.loop_target > 0 && memory.loop_count > memory.loop_target;',
  },
  {
    statement: 'an error has a cause',
    path: 'server/robot/memory.ts',
    find: '  memory.error = message;',
    put: '',
  },
  {
    statement: 'an emergency stop disables the robot',
    path: 'server/robot/emergency-stop.ts',
    find: "  context.transition('estop_pressed');",
    put: '',
  },
  {
    statement: 'an awaited command is allowed',
    path: 'server/robot/standstill.ts',
    find: 'if (awaited === null || isAllowed(awaited, state)) return;',
    put: "if (awaited === null || isAllowed(awaited, state) || state === 'error') return;",
  },
  {
    statement: 'the stream and the snapshot agree',
    path: 'server/robot/robot.ts',
    find: 'const changes = this.takeChanges(names);',
    put:
      'const changes = this.takeChanges(names);\n' +
      "      if (this.context.memory.activity?.kind === 'run') delete changes?.['control'];",
  },
  {
    statement: 'the changes on the stream add up to the snapshot',
    path: 'server/robot/snapshot-message.ts',
    find: 'if (after[key] === before[key]) continue;',
    put: "if (after[key] === before[key] || key === 'estop') continue;",
  },
  {
    statement: 'the changes on the stream add up to the snapshot',
    path: 'server/robot/snapshot-message.ts',
    find: 'if (a[i] !== b[i]) return false;',
    put: 'if (Math.abs(a[i]! - b[i]!) > 0.2) return false;',
  },
  {
    statement: 'an event reaches its audience alone',
    path: 'server/service/stream/audience.ts',
    find: "  if (audience.kind === 'user') return subscriber.caller.user_id === audience.user_id;",
    put: "  if (audience.kind === 'user') return true;",
  },
  {
    statement: 'an event reaches its audience alone',
    path: 'server/service/http/handlers/toolpaths.ts',
    find: "hub.publish({ type: 'toolpath_created', toolpath }, audience);",
    put:
      "hub.publish({ type: 'toolpath_created', toolpath }, " +
      "{ kind: 'everyone', audience } as never);",
  },
  {
    statement: 'an event reaches its audience alone',
    path: 'server/service/stream/hub.ts',
    find: "{ kind: 'token', token_id: holder.token_id }",
    put: "{ kind: 'token', token_id: holder.token_id + 1 }",
  },
];
