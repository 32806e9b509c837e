/** All handlers under /sim/v1, by the id of their row. */
import type { Handlers } from '../http/handler.ts';
import { clockHandlers } from './clock-handlers.ts';
import { recordingHandlers } from './recording-handlers.ts';
import type { Simulation } from './simulation.ts';
import { stateHandlers } from './state-handlers.ts';
import { worldHandlers } from './world-handlers.ts';

/** One handler for each row under /sim/v1, acting on this twin. */
export function simHandlers(simulation: Simulation): Handlers {
  return {
    ...clockHandlers(simulation),
    ...worldHandlers(simulation),
    ...stateHandlers(simulation),
    ...recordingHandlers(simulation),
  };
}
