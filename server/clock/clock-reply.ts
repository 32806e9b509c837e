/** The twin's clock in its wire format. */

import type { SimClock } from '../../contract/types.generated.ts';
import type { Clock, Pace } from './clock.ts';
import { TICKS_PER_S, type TwinTime, timestamp } from './twin-time.ts';

/** A twin's clock and its time. */
interface ClockParts {
  readonly services: { readonly time: TwinTime };
  readonly clock: Clock;
}

/** The wire format of the twin's clock. */
export function clockOf({ services, clock }: ClockParts): SimClock {
  const { pace, paused } = clock;
  return {
    tick: services.time.tick,
    now_s: services.time.tick / TICKS_PER_S,
    date: timestamp(services.time),
    pace: pace.kind === 'scaled' ? pace.factor : pace.kind,
    paused,
    real_time_factor: clock.statistics().real_time_factor,
  };
}

/** Converts a pace from its wire format. */
export function paceFrom(name: number | 'max' | 'stepped'): Pace {
  return typeof name === 'number' ? { kind: 'scaled', factor: name } : { kind: name };
}
