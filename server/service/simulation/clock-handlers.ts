/** Handlers of the clock under /sim/v1: pace, pause, step and advance (decision D38). */

import { type Refusal, refuse, refuseAt } from '../../../contract/refusal.ts';
import { haltRefusal } from '../../cell/halt-refusal.ts';
import { clockOf, paceFrom } from '../../clock/clock-reply.ts';
import { tickOf, ticksLeft } from '../../clock/twin-time.ts';
import { type Deadline, isUnawaited } from '../http/deadline.ts';
import type { Handlers } from '../http/handler.ts';
import { answer } from '../http/reply.ts';
import type { Simulation, SimulationParts } from './simulation.ts';

/** Refuses pace and pause where the driver runs in real time only. */
function paceRefusal({ driver }: SimulationParts): Refusal<'not_supported'> | null {
  if (driver.pace === 'any') return null;
  return refuse('not_supported', `The driver ${driver.name} runs in real time only`);
}

/** The clock handlers; with a driver of real joints they reject all but real time with 501. */
export function clockHandlers({ parts }: Simulation): Handlers {
  const { clock, services } = parts;

  async function advance(ticks: number, deadline: Deadline, reached = () => false) {
    const refusal = paceRefusal(parts);
    if (refusal) return refusal;
    await clock.advance(ticks, () => reached() || isUnawaited(deadline));
    return haltRefusal(parts) ?? answer(clockOf(parts));
  }

  /** Advances, unless that leads beyond the last date that the API can write. */
  async function dated(path: string, ticks: number, deadline: Deadline) {
    const refusal = paceRefusal(parts);
    if (refusal) return refusal;
    if (ticks <= ticksLeft(services.loop)) return advance(ticks, deadline);
    const problem = 'leads beyond the year 9999, the last that a date can have; reset the clock';
    return refuseAt(path, problem);
  }

  return {
    getClock: () => answer(clockOf(parts)),
    async setClock({ body }) {
      // Servos stop by their watchdog when no setpoint arrives: their clock cannot be paused.
      if ((body.pace ?? 1) !== 1 || body.paused) {
        const refusal = paceRefusal(parts);
        if (refusal) return refusal;
      }
      const { pace, paused } = body;
      clock.set({ pace: pace === undefined ? undefined : paceFrom(pace), paused });
      // The ticks of a command that waits for standstill are played first.
      if (services.robot.isCommandAwaited) await clock.advance(0);
      return answer(clockOf(parts));
    },
    stepClock: ({ body, deadline }) => dated('/ticks', body.ticks, deadline),
    advanceClock: ({ body, deadline }) => dated('/seconds', tickOf(body.seconds), deadline),
    async runUntil({ body, deadline }) {
      const reached = () => services.robot.memory.state === body.state;
      const passed = reached() ? null : await advance(tickOf(body.limit_s), deadline, reached);
      if (passed && 'refused' in passed) return passed;
      const { state } = services.robot.memory;
      return answer({ reached: reached(), state, clock: clockOf(parts) });
    },
  };
}
