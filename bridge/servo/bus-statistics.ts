/**
 * Statistics of the bus cycle: durations, and the readings of servos and bus for ArmInstruments.
 */
import type { ArmReading } from '../arm-instruments.ts';
import type { Bus } from '../bus/bus.ts';
import type { ServoLink } from './servo-link.ts';

/** Readings of all servos and of their bus. */
export function readBusAndServos(link: ServoLink, bus: Bus): Pick<ArmReading, 'bus' | 'servos'> {
  const { transactions, timeouts, unexpected, unsent } = bus.counts;
  return {
    bus: {
      name: bus.name,
      transactions,
      timeouts,
      unexpected,
      unsent,
      checksum_errors: bus.readerCounts.checksum_errors,
      missed_turns: link.counts.missed_cycles,
      cycle_p50_ms: link.cycle.percentile(0.5),
      cycle_p99_ms: link.cycle.percentile(0.99),
      period_p99_ms: link.period.percentile(0.99),
      age_ms: 1000 * link.age_s,
    },
    servos: link.slots.map(({ id, joint }, i) => ({
      joint,
      id,
      model: link.models[i]!,
      temperature_c: link.servo_temperature_c[i]!,
      voltage_v: link.voltage_v[i]!,
      current_a: link.samples.servo_current_a[i]!,
      missed_samples: link.missed_samples[i]!,
    })),
  };
}

/** About eight seconds at 125 cycles a second. */
const WINDOW_SIZE = 1024;

/** The latest durations of the bus cycle, for percentiles. */
export class DurationWindow {
  private readonly durations_ms = new Float64Array(WINDOW_SIZE);
  private count = 0;

  add(duration_ms: number): void {
    this.durations_ms[this.count % WINDOW_SIZE] = duration_ms;
    this.count += 1;
  }

  /** Percentile of the durations (ms) for a share from 0 to 1; 0 without durations. */
  percentile(share: number): number {
    const size = Math.min(this.count, WINDOW_SIZE);
    if (size === 0) return 0;
    const sorted = this.durations_ms.slice(0, size).sort();
    return sorted[Math.ceil(share * (size - 1))]!;
  }
}
