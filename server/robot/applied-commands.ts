/**
 * Checks the commands that tests give to `twin.apply`: calls over HTTP have been checked by their
 * schemas, and the robot trusts what it is given.
 */
import type { Command, CommandKind } from './commands.ts';

/** What a field must be: a sentence's end, and the check. */
interface Rule {
  readonly is: string;
  readonly holds: (value: unknown) => boolean;
  readonly optional?: true;
}

const isObject = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const isWhole = (value: unknown) => Number.isSafeInteger(value);
const JOINTS = 6;

const flag: Rule = { is: 'true or false', holds: (value) => typeof value === 'boolean' };
const text: Rule = { is: 'a text', holds: (value) => typeof value === 'string' };
const whole: Rule = { is: 'a whole number', holds: isWhole };
const object: Rule = { is: 'an object', holds: isObject };
const list: Rule = { is: 'a list', holds: Array.isArray };
const orNull = ({ is, holds }: Rule): Rule => ({
  is: `${is} or null`,
  holds: (value) => value === null || holds(value),
});
const optional = (rule: Rule): Rule => ({ ...rule, optional: true });
const oneOf = (...words: readonly string[]): Rule => ({
  is: `one of ${words.join(', ')}`,
  holds: (value) => words.some((word) => word === value),
});

const caller: Rule = {
  is: 'an object with user_id, token_id and role',
  holds: (value) => {
    if (!isObject(value) || !('user_id' in value && 'token_id' in value)) return false;
    return isWhole(value.user_id) && isWhole(value.token_id) && 'role' in value;
  },
};
const joints: Rule = {
  is: `a list of ${JOINTS} angles (rad)`,
  holds: (value) =>
    Array.isArray(value) && value.length === JOINTS && value.every((one) => Number.isFinite(one)),
};
const mode = oneOf('automatic', 'teach');

type FieldsOf<Kind extends CommandKind> = {
  readonly [Name in Exclude<keyof Extract<Command, { kind: Kind }>, 'kind'>]-?: Rule;
};

const FIELDS: { readonly [Kind in CommandKind]: FieldsOf<Kind> } = {
  lock: { caller },
  renew_lock: { caller },
  release_lock: { caller },
  forget_token: { token_id: whole },
  load: { caller, toolpath: object },
  unload: { caller },
  run: { caller, mode, loop: whole },
  home: { caller },
  go_to: { caller, mode, motion: object },
  pause: { caller },
  resume: { caller, profile: orNull(object) },
  cancel: { caller },
  stop_loop: { caller },
  abort_motion: { caller },
  reset_errors: { caller },
  acknowledge_collision: { caller },
  globals: { caller, changes: list },
  scheduler: { caller, enabled: flag, start_time: optional(text), end_time: optional(text) },
  collision_detection: {
    caller,
    enabled: flag,
    sensitivity: optional(oneOf('low', 'medium', 'high')),
  },
  estop: { engaged: flag },
  inputs: { values: object },
  loopback: { wires: object },
  backdriving: { pressed: flag },
  stick_inputs: { stuck: object },
  detect_collisions: {},
  waypoint_button: {},
  begin_update: {},
  finish_update: {},
  power_cycle: {},
  stand_at: { joints },
  shut_down: {},
};

function isKind(kind: unknown): kind is CommandKind {
  return typeof kind === 'string' && Object.hasOwn(FIELDS, kind);
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

/** What is wrong with a command, as a sentence, or null. */
export function commandProblem(command: unknown): string | null {
  if (!isObject(command) || !('kind' in command)) {
    return `a command is an object such as { kind: 'estop', engaged: true }, not ${shown(command)}`;
  }
  const { kind, ...given } = command as { readonly kind: unknown };
  if (!isKind(kind)) return `there is no command ${shown(kind)}`;
  const rules: Readonly<Record<string, Rule>> = FIELDS[kind];
  const fields: Readonly<Record<string, unknown>> = given;
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(rules, name));
  if (unknown !== undefined) {
    const takes = Object.keys(rules).join(', ') || 'no fields';
    return `${kind} has no field ${unknown}; it takes ${takes}`;
  }
  for (const [name, rule] of Object.entries(rules)) {
    const value = fields[name];
    if (rule.holds(value) || (rule.optional && value === undefined)) continue;
    return `${name} of ${kind} must be ${rule.is}, not ${shown(value)}`;
  }
  return null;
}
