/**
 * The planning worker's entry: one task in, one answer out, its numbers handed over and not copied.
 * Runs on a thread of its own, so it may take its time; the loop never waits for it.
 */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { planTasks } from './plan-tasks.ts';
import type { TaskCall } from './planning-pool.ts';

/** The value as an answer whose buffer changes hands. */
function handOver(value: object, buffer: ArrayBufferLike): unknown {
  return move({ [transferableSymbol]: buffer, [valueSymbol]: value });
}

/** Answers one task. */
export default function answer(call: TaskCall): unknown {
  switch (call.task) {
    case 'trajectory': {
      const text = planTasks.trajectory(call.argument);
      return handOver(text, text.json.buffer);
    }
    case 'program': {
      const plan = planTasks.program(call.argument);
      return plan.kind === 'built' ? handOver(plan, plan.program.home.buffer) : plan;
    }
    case 'goTo':
      return planTasks.goTo(call.argument);
    case 'approach':
      return planTasks.approach(call.argument);
    case 'resume':
      return planTasks.resume(call.argument);
  }
}
