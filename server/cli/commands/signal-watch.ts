/**
 * The changes of digital signals in a run, and whether the expected ones follow in their order.
 */
import type { RehearsalExpectations } from '../../../contract/types.generated.ts';
import type { Robot } from '../../robot/robot.ts';
import { SignalChanges } from '../../robot/signal-changes.ts';

type Signal = NonNullable<RehearsalExpectations['signals']>[number];

/** A change of a signal, and its tick. */
export type SignalChange = Signal & { readonly tick: number };

/** Adds every change of a digital signal to `changes`. */
export function signalWatch({ memory }: Robot, changes: SignalChange[]): (tick: number) => void {
  const last = { inputs: { ...memory.io.inputs }, outputs: { ...memory.io.outputs } };
  const written = new SignalChanges();
  return (tick) => {
    if (!written.take(memory.io)) return;
    for (const side of ['inputs', 'outputs'] as const) {
      const now = memory.io[side] as Readonly<Record<string, unknown>>;
      const was = last[side] as Record<string, unknown>;
      for (const key in now) {
        const value = now[key];
        if (value === was[key]) continue;
        was[key] = value;
        if (typeof value !== 'boolean') continue;
        const signal = side === 'inputs' ? { input: key, value } : { output: key, value };
        changes.push({ ...(signal as Signal), tick });
      }
    }
  };
}

function nameOf({ output, input, value }: Signal): string {
  return `${output === undefined ? `input ${input}` : `output ${output}`} ${value ? 'on' : 'off'}`;
}

/**
 * The first expected change that does not follow those before it, or null. Changes of the same
 * tick, such as an output and the input that it drives, are in either order.
 */
export function missingSignal(
  wanted: readonly Signal[],
  seen: readonly SignalChange[],
): string | null {
  const left = [...seen];
  let last_tick = Number.NEGATIVE_INFINITY;
  for (const signal of wanted) {
    const name = nameOf(signal);
    const found = left.findIndex((one) => one.tick >= last_tick && nameOf(one) === name);
    if (found < 0) return name;
    last_tick = left[found]!.tick;
    left.splice(found, 1);
  }
  return null;
}
