/**
 * A planning thread runs one task per message and transfers the numeric data of the result without
 * copying it.
 */

import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { ProgramStep } from '../../physics/toolpath/program.ts';
import { type ProgramPlan, planTasks } from './plan-tasks.ts';
import type { PlanTaskCall, ProgramTaskCall } from './planning-pool.ts';
import { packSteps } from './program-pack.ts';

/** Steps per message; the receiver handles one message in well under a millisecond. */
const STEPS_PER_PAGE = 100;

/** Wraps a result so that its buffer is transferred. */
function transfer(value: object, buffer: ArrayBufferLike): unknown {
  return move({ [transferableSymbol]: buffer, [valueSymbol]: value });
}

/**
 * Sends the steps in pages and waits for the receiver after each: one large message would block the
 * receiver's control loop for many ticks.
 */
async function sendSteps(steps: readonly ProgramStep[], port: MessagePort): Promise<void> {
  for (let from = 0; from < steps.length; from += STEPS_PER_PAGE) {
    const page = packSteps(steps.slice(from, from + STEPS_PER_PAGE));
    port.postMessage(page);
    await once(port, 'message');
  }
}

async function runProgramTask(call: ProgramTaskCall): Promise<ProgramPlan> {
  const plan = planTasks.program(call.argument);
  if (plan.kind !== 'built') return plan;
  await sendSteps(plan.program.steps, call.port);
  return { ...plan, program: { ...plan.program, steps: [] } };
}

/** Runs one task. */
export default function runTask(call: PlanTaskCall | ProgramTaskCall): unknown {
  switch (call.task) {
    case 'trajectory': {
      const text = planTasks.trajectory(call.argument);
      return transfer(text, text.json.buffer);
    }
    case 'program':
      return runProgramTask(call);
    case 'resume':
      return planTasks.resume(call.argument);
    case 'cellCheck':
      return planTasks.cellCheck(call.argument);
  }
}
