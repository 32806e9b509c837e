/** The check of the clock for drivers of real joints, which run in real time only. */
import type { Config } from '../../cli/config.ts';
import { OptionError } from '../../cli/option-error.ts';

export function checkRealTime({ driver, pace }: Config): void {
  if (pace.kind === 'scaled' && pace.factor === 1) return;
  throw new OptionError(`The driver ${driver} runs in real time only; remove --clock`);
}
