/**
 * The planning worker's entry: one task in, one answer out, its numbers handed over and not copied.
 * Runs on a thread of its own, so it may take its time; the loop never waits for it.
 */
import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { Step } from '../../physics/toolpath/program.ts';
import { type ProgramPlan, planTasks } from './plan-tasks.ts';
import type { ProgramCall, TaskCall } from './planning-pool.ts';
import { packSteps } from './program-pack.ts';

/** So many steps are received in well under a millisecond. */
const STEPS_PER_PAGE = 100;

/** The value as an answer whose buffer changes hands. */
function handOver(value: object, buffer: ArrayBufferLike): unknown {
  return move({ [transferableSymbol]: buffer, [valueSymbol]: value });
}

/**
 * Sends the steps page by page, the next when the receiver has dealt with the last: taking a long
 * program in one piece would hold its loop for many ticks.
 */
async function sendSteps(steps: readonly Step[], port: MessagePort): Promise<void> {
  for (let from = 0; from < steps.length; from += STEPS_PER_PAGE) {
    const page = packSteps(steps.slice(from, from + STEPS_PER_PAGE));
    port.postMessage(page.steps, [page.buffer]);
    await once(port, 'message');
  }
}

async function answerProgram(call: ProgramCall): Promise<ProgramPlan> {
  const plan = planTasks.program(call.argument);
  if (plan.kind !== 'built') return plan;
  await sendSteps(plan.program.steps, call.port);
  return { ...plan, program: { ...plan.program, steps: [] } };
}

/** Answers one task. */
export default function answer(call: TaskCall | ProgramCall): unknown {
  switch (call.task) {
    case 'trajectory': {
      const text = planTasks.trajectory(call.argument);
      return handOver(text, text.json.buffer);
    }
    case 'program':
      return answerProgram(call);
    case 'resume':
      return planTasks.resume(call.argument);
  }
}
