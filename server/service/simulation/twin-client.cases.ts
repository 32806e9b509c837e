/** A twin with an admin client, and its simulation event stream. Test code. */

import { afterAll, beforeAll } from 'vitest';
import { WebSocket } from 'ws';
import { type ArmClient, connect, type StreamSocketClass } from '../../../contract/client.ts';
import type { SimEvent } from '../../../contract/types.generated.ts';
import { createTwin, type Twin, type TwinOptions } from '../../index.ts';

export interface TwinAndClient {
  readonly twin: Twin;
  readonly arm: ArmClient;
}

async function open(options: TwinOptions): Promise<TwinAndClient> {
  const twin = await createTwin(options);
  const { url: baseUrl, token } = twin;
  return { twin, arm: connect({ baseUrl, token, WebSocket: WebSocket as StreamSocketClass }) };
}

/** Runs `use` with a twin and an admin client, then closes the twin. */
export async function withTwinClient<Value>(
  options: TwinOptions,
  use: (client: TwinAndClient) => Promise<Value>,
): Promise<Value> {
  const stage = await open(options);
  try {
    return await use(stage);
  } finally {
    await stage.twin.close();
  }
}

/**
 * A twin and an admin client that the tests of this file or block share. They exist from its
 * `beforeAll` to its `afterAll`: read them inside tests and hooks.
 */
export function sharedTwinClient(options: TwinOptions): TwinAndClient {
  let stage: TwinAndClient | undefined;
  beforeAll(async () => {
    stage = await open(options);
  });
  afterAll(() => stage?.twin.close());
  const opened = () => {
    if (!stage) throw new Error('the shared twin is not open yet: read it inside a test or hook');
    return stage;
  };
  return {
    get twin() {
      return opened().twin;
    },
    get arm() {
      return opened().arm;
    },
  };
}

/** Opens the simulation event stream; `seen` collects its messages. */
export async function openSimulationStream(
  { twin, arm }: TwinAndClient,
  session?: string,
): Promise<{ readonly seen: SimEvent[]; readonly close: () => void }> {
  const protocols = [`SessionToken_${session ?? (await arm.session())}`, 'object'];
  const socket = new WebSocket(`${twin.url.replace('http', 'ws')}/sim/v1/stream`, protocols);
  const seen: SimEvent[] = [];
  socket.on('message', (data) => seen.push(JSON.parse(String(data)) as SimEvent));
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return { seen, close: () => socket.close() };
}

/** Polls until `probe` returns a value. */
export async function pollUntilDefined<Value>(probe: () => Value | undefined): Promise<Value> {
  for (let attempts = 0; attempts < 200; attempts++) {
    const found = probe();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('the expected value did not appear');
}
