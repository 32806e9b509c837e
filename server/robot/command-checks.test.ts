/** Commands of tests that the robot could not execute, or would take for others. */
import { expect, it } from 'vitest';
import { commandProblem } from './command-checks.ts';
import { ADA } from './robot-harness.cases.ts';

it.each<[unknown, string]>([
  [undefined, 'a command is an object such as'],
  ['estop', 'a command is an object such as'],
  [{ kind: 'nope' }, 'there is no command "nope"'],
  [{ kind: 'toString' }, 'there is no command "toString"'],
  [{ kind: 'estop' }, 'engaged of estop must be true or false, not undefined'],
  [{ kind: 'estop', engaged: 'yes' }, 'engaged of estop must be true or false, not "yes"'],
  [{ kind: 'estop', engaged: true, on: 1 }, 'estop has no field on; it takes engaged'],
  [{ kind: 'power_cycle', now: true }, 'power_cycle has no field now; it takes no fields'],
  [{ kind: 'stand_at', joints: [1] }, 'joints of stand_at must be a list of 6 angles (rad)'],
  [{ kind: 'lock', caller: { user_id: 1 } }, 'caller of lock must be an object with user_id'],
  [{ kind: 'run', caller: ADA, mode: 'auto', loop: 1 }, 'one of automatic, teach, not "auto"'],
  [{ kind: 'inputs', values: [true] }, 'values of inputs must be an object'],
])('finds what is wrong with %j', (command, sentence) => {
  expect(commandProblem(command)).toContain(sentence);
});

it.each([
  { kind: 'estop', engaged: false },
  { kind: 'scheduler', caller: ADA, enabled: false },
  { kind: 'resume', caller: ADA, profile: null },
])('finds nothing wrong with %j', (command) => {
  expect(commandProblem(command)).toBeNull();
});
