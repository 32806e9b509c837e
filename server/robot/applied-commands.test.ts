/** Commands of tests that the robot could not execute, or would take for others. */
import { expect, it } from 'vitest';
import { commandProblem } from './applied-commands.ts';
import { ADA } from './robot-harness.cases.ts';

it.each<[unknown, string]>([
  [undefined, 'a command is an object such as'],
  ['estop', 'a command is an object such as'],
  [null, 'a command is an object such as'],
  [['estop'], 'a command is an object such as'],
  [{ engaged: true }, 'a command is an object such as'],
  [{ kind: ['estop'], engaged: true }, 'there is no command ["estop"]'],
  [{ kind: 'nope' }, 'there is no command "nope"'],
  [{ kind: 'toString' }, 'there is no command "toString"'],
  [{ kind: 'estop' }, 'engaged of estop must be true or false, not undefined'],
  [{ kind: 'estop', engaged: 'yes' }, 'engaged of estop must be true or false, not "yes"'],
  [{ kind: 'estop', engaged: true, on: 1 }, 'estop has no field on; it takes engaged'],
  [{ kind: 'power_cycle', now: true }, 'power_cycle has no field now; it takes no fields'],
  [{ kind: 'stand_at', joints: [1] }, 'joints of stand_at must be a list of 6 angles (rad)'],
  [{ kind: 'lock', caller: { user_id: 1 } }, 'caller of lock must be an object with user_id'],
  [{ kind: 'run', caller: ADA, mode: 'auto', loop: 1 }, 'one of automatic, teach, not "auto"'],
  [{ kind: 'run', caller: ADA, mode: 'teach', loop: 1.5 }, 'loop of run must be a whole number'],
  [{ kind: 'run', speed: 1 }, 'run has no field speed; it takes caller, mode, loop'],
  [{ kind: 'inputs', values: [true] }, 'values of inputs must be an object'],
  [{ kind: 'inputs', values: null }, 'values of inputs must be an object, not null'],
  [{ kind: 'globals', caller: ADA, changes: {} }, 'changes of globals must be a list, not {}'],
  [
    { kind: 'scheduler', caller: ADA, enabled: true, start_time: 8 },
    'start_time of scheduler must be a text, not 8',
  ],
  [
    { kind: 'collision_detection', caller: ADA, enabled: true, sensitivity: 'most' },
    'sensitivity of collision_detection must be one of low, medium, high, not "most"',
  ],
  [
    { kind: 'resume', caller: ADA, profile: 'fast' },
    'profile of resume must be an object or null, not "fast"',
  ],
  [{ kind: 'stand_at', joints: 6 }, 'joints of stand_at must be a list of 6 angles (rad), not 6'],
  [{ kind: 'stand_at', joints: [0, 0, 0, 0, 0, '0'] }, 'must be a list of 6 angles (rad)'],
])('finds what is wrong with %j', (command, sentence) => {
  expect(commandProblem(command)).toContain(sentence);
});

it.each([
  { kind: 'estop', engaged: false },
  { kind: 'scheduler', caller: ADA, enabled: false },
  { kind: 'scheduler', caller: ADA, enabled: true, start_time: '08:00:00', end_time: '09:00:00' },
  { kind: 'collision_detection', caller: ADA, enabled: true, sensitivity: 'low' },
  { kind: 'collision_detection', caller: ADA, enabled: true, sensitivity: 'high' },
  { kind: 'run', caller: ADA, mode: 'automatic', loop: 0 },
  { kind: 'run', caller: ADA, mode: 'teach', loop: 0 },
  { kind: 'resume', caller: ADA, profile: null },
  { kind: 'resume', caller: ADA, profile: {} },
  { kind: 'globals', caller: ADA, changes: [] },
  { kind: 'stand_at', joints: [0, 0.1, -1, 0, 0, 0] },
  { kind: 'waypoint_button' },
])('finds nothing wrong with %j', (command) => {
  expect(commandProblem(command)).toBeNull();
});

it.each([
  1,
  null,
  [ADA],
  {},
  { user_id: 1, role: 'admin' },
  { token_id: 1, role: 'admin' },
  { user_id: 1, token_id: 1 },
  { user_id: 1.5, token_id: 1, role: 'admin' },
  { user_id: 1, token_id: '1', role: 'admin' },
])('takes no caller such as %j', (caller) => {
  expect(commandProblem({ kind: 'home', caller })).toContain(
    'caller of home must be an object with user_id, token_id and role',
  );
});
