/**
 * What the simulation control API drives at the inputs of the arm: values, loopback wires and
 * stuck inputs.
 */

import type { Problem } from '../../contract/problem.ts';
import { refuse } from '../../contract/refusal.ts';
import type { CommandResult, Of } from './commands.ts';
import { valueProblem, writeIo } from './io.ts';
import type { RobotContext } from './robot-context.ts';

/** Drives inputs; changes nothing when one value is invalid. */
export function inputs(context: RobotContext, command: Of<'inputs'>): CommandResult<'inputs'> {
  const { io } = context.memory;
  const { values } = command;
  const keys = Object.keys(values);
  const invalid: Problem[] = [];
  for (const key of keys) {
    const problem = valueProblem(io.inputs, key, values[key]!)?.text;
    if (problem !== undefined) invalid.push({ path: `/${key}`, problem });
  }
  if (invalid.length > 0) return refuse('invalid_arguments', invalid);
  for (const key of keys) {
    writeIo(io, 'inputs', key, values[key]!);
    io.wired[key] = true;
  }
  return null;
}

/** Replaces the loopback wires. */
export function loopback(context: RobotContext, command: Of<'loopback'>): null {
  context.memory.io.loopback = { ...command.wires };
  return null;
}

/** Replaces the set of stuck inputs, which keep their value. */
export function stickInputs(context: RobotContext, command: Of<'stick_inputs'>): null {
  context.memory.io.stuck = { ...command.stuck };
  return null;
}
