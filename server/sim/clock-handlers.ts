/** Time under /sim/v1: pace, pause, and the passing of time on demand (decision D38). */
import type { SimClock } from '../../contract/types.ts';
import type { Pace } from '../clock/clock.ts';
import { tickOf, timestamp } from '../clock/twin-time.ts';
import { answer, type Handlers } from '../http/handler.ts';
import { type Refusal, refuse } from '../robot/refusal.ts';
import type { Simulation, SimulationParts } from './simulation.ts';

/** Where the twin's time stands, as the wire shows it. */
export function clockOf({ rooms, clock }: Pick<SimulationParts, 'rooms' | 'clock'>): SimClock {
  const { pace, paused } = clock;
  return {
    tick: rooms.time.tick,
    now_s: rooms.time.now_s,
    date: timestamp(rooms.time),
    pace: pace.kind === 'scaled' ? pace.factor : pace.kind,
    paused,
    real_time_factor: clock.figures().real_time_factor,
  };
}

/** A pace from its name on the wire. */
export function paceFrom(name: number | 'max' | 'stepped'): Pace {
  return typeof name === 'number' ? { kind: 'scaled', factor: name } : { kind: name };
}

/** A bus of real servos knows only real time. */
function paceRefusal({ driver }: SimulationParts): Refusal | null {
  if (driver.pace === 'any') return null;
  return refuse('not_supported', `The driver ${driver.name} runs in real time only`);
}

/** The handlers of time; a driver of real joints answers 501 to all but real time. */
export function clockHandlers({ parts }: Simulation): Handlers {
  const { clock, rooms } = parts;

  async function pass(ticks: number, until?: () => boolean) {
    const refusal = paceRefusal(parts);
    if (refusal) return refusal;
    await clock.advance(ticks, until);
    return answer(clockOf(parts));
  }

  return {
    getClock: () => answer(clockOf(parts)),
    setClock({ body }) {
      // Servos that hear nothing for a while stop themselves: their time cannot rest either.
      if ((body.pace ?? 1) !== 1 || body.paused) {
        const refusal = paceRefusal(parts);
        if (refusal) return refusal;
      }
      if (body.pace !== undefined) clock.setPace(paceFrom(body.pace));
      if (body.paused !== undefined) clock.setPaused(body.paused);
      return answer(clockOf(parts));
    },
    stepClock: ({ body }) => pass(body.ticks),
    advanceClock: ({ body }) => pass(tickOf(body.seconds)),
    async runUntil({ body }) {
      const reached = () => rooms.robot.memory.state === body.state;
      const passed = reached() ? null : await pass(tickOf(body.limit_s), reached);
      if (passed && 'refused' in passed) return passed;
      return answer({ reached: reached(), clock: clockOf(parts) });
    },
  };
}
