/**
 * Whether the network is told of the arm, by the settings. Apart from mdns.ts so that a twin that
 * tells nobody does not load what telling takes.
 */
import { systemClock, wait } from '../clock/wall-clock.ts';
import type { Config } from '../config.ts';

const GOODBYE_MS = 500;

export interface Told {
  readonly name: string;
  readonly port: number;
  readonly onError: (error: unknown) => void;
}

/** Announces the arm where the settings say so; the answer ends that. */
export async function tellNetwork(config: Config, told: Told): Promise<() => Promise<void>> {
  if (!config.discover) return async () => {};
  const { announce } = await import('./mdns.ts');
  const { stop } = announce({ ...told, host: config.host });
  // A network that is gone says nothing to a goodbye.
  return () => Promise.race([stop(), wait(systemClock, GOODBYE_MS)]);
}
