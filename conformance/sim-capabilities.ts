/** The parts of the simulation control API that a run can use. */
import type { ArmClient } from '../contract/client.ts';
import type { RuleRunOptions } from './run-options.ts';
import { outrunsWall } from './steps/clock.ts';

/** The parts of the simulation control API; an arm with servos has only `sim`. */
export interface SimCapabilities {
  readonly sim: boolean;
  readonly world: boolean;
  readonly pace: boolean;
  /** Whether the clock is by itself faster than real time. */
  readonly fast: boolean;
}

/** Detects which parts of the simulation control API this token can use. */
export async function detectSimCapabilities(
  client: ArmClient,
  options: RuleRunOptions,
): Promise<SimCapabilities> {
  const headers = {
    Authorization: `Bearer ${await client.session()}`,
    'Content-Type': 'application/json',
  };
  const send = options.fetch ?? fetch;
  let fast = false;
  const isAvailable = async (method: string, path: string, body?: string) => {
    const content = body === undefined ? {} : { body };
    const request = { method, headers, ...content, redirect: 'manual' } as const;
    const reply = await send(`${options.baseUrl}${path}`, request);
    await reply.text();
    fast = outrunsWall(reply.headers);
    return reply.status === 200;
  };
  const sim = await isAvailable('GET', '/sim/v1/clock');
  if (!sim) return { sim, world: false, pace: false, fast };
  return {
    sim,
    fast,
    world: await isAvailable('GET', '/sim/v1/obstacles'),
    pace: await isAvailable('POST', '/sim/v1/clock/advance', '{"seconds":0}'),
  };
}
