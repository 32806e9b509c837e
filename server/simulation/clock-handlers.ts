/** Handlers of the clock under /sim/v1: pace, pause, step and advance (decision D38). */
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { SimClock } from '../../contract/types.ts';
import type { Pace } from '../clock/clock.ts';
import { tickOf, timestamp } from '../clock/twin-time.ts';
import { answer, type Handlers } from '../http/handler.ts';
import type { Simulation, SimulationParts } from './simulation.ts';

/** The wire format of the twin's clock. */
export function clockOf({
  services,
  clock,
}: Pick<SimulationParts, 'services' | 'clock'>): SimClock {
  const { pace, paused } = clock;
  return {
    tick: services.time.tick,
    now_s: services.time.now_s,
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

/** Refuses pace and pause where the driver runs in real time only. */
function paceRefusal({ driver }: SimulationParts): Refusal<'not_supported'> | null {
  if (driver.pace === 'any') return null;
  return refuse('not_supported', `The driver ${driver.name} runs in real time only`);
}

/** Refuses to let time pass for a cell that cannot be simulated any further. */
export function haltRefusal({ world }: SimulationParts): Refusal<'wrong_state'> | null {
  const reason = world?.cell?.failure ?? null;
  return reason === null ? null : refuse('wrong_state', `The clock stands: ${reason}`);
}

/** The clock handlers; with a driver of real joints they reject all but real time with 501. */
export function clockHandlers({ parts }: Simulation): Handlers {
  const { clock, services } = parts;

  async function advance(ticks: number, until?: () => boolean) {
    const refusal = paceRefusal(parts);
    if (refusal) return refusal;
    await clock.advance(ticks, until);
    return haltRefusal(parts) ?? answer(clockOf(parts));
  }

  return {
    getClock: () => answer(clockOf(parts)),
    setClock({ body }) {
      // Servos stop by their watchdog when no setpoint arrives: their clock cannot be paused.
      if ((body.pace ?? 1) !== 1 || body.paused) {
        const refusal = paceRefusal(parts);
        if (refusal) return refusal;
      }
      if (body.pace !== undefined) clock.setPace(paceFrom(body.pace));
      if (body.paused !== undefined) clock.setPaused(body.paused);
      return answer(clockOf(parts));
    },
    stepClock: ({ body }) => advance(body.ticks),
    advanceClock: ({ body }) => advance(tickOf(body.seconds)),
    async runUntil({ body }) {
      const reached = () => services.robot.memory.state === body.state;
      const passed = reached() ? null : await advance(tickOf(body.limit_s), reached);
      if (passed && 'refused' in passed) return passed;
      return answer({ reached: reached(), clock: clockOf(parts) });
    },
  };
}
