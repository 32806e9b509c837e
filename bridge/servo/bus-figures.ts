/** What the cycle on the bus has counted and measured, as the arm's instruments show it. */
import type { ArmReading } from '../arm-instruments.ts';
import type { Bus } from '../bus/bus.ts';
import type { ServoLink } from './servo-link.ts';

/** Readings of the six servos and of their bus. */
export function readServos(link: ServoLink, bus: Bus): Pick<ArmReading, 'bus' | 'servos'> {
  const { transactions, timeouts, unexpected, unsent } = bus.counts;
  return {
    bus: {
      name: bus.name,
      ...{ transactions, timeouts, unexpected, unsent },
      checksum_errors: bus.reading.checksum_errors,
      missed_turns: link.counts.missed_turns,
      cycle_p50_ms: link.cycle.percentile(0.5),
      cycle_p99_ms: link.cycle.percentile(0.99),
      period_p99_ms: link.period.percentile(0.99),
      age_ms: 1000 * link.age_s,
    },
    servos: link.ids.map((id, joint) => ({
      joint,
      id,
      model: link.models[joint]!,
      temperature_c: link.temperature_c[joint]!,
      voltage_v: link.voltage_v[joint]!,
      current_a: link.samples.current_a[joint]!,
      missed_samples: link.missed_samples[joint]!,
    })),
  };
}
