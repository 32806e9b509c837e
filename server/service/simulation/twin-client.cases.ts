/** A twin with an admin client, and its simulation event stream. Test code. */

import { WebSocket } from 'ws';
import { type ArmClient, connect, type StreamSocketClass } from '../../../contract/client.ts';
import type { SimEvent } from '../../../contract/types.ts';
import { createTwin, type Twin, type TwinOptions } from '../../index.ts';

export interface TwinAndClient {
  readonly twin: Twin;
  readonly arm: ArmClient;
}

/** Runs `use` with a twin and an admin client, then closes the twin. */
export async function withTwinClient<Value>(
  options: TwinOptions,
  use: (client: TwinAndClient) => Promise<Value>,
): Promise<Value> {
  const twin = await createTwin(options);
  try {
    return await use({
      twin,
      arm: connect({
        baseUrl: twin.url,
        token: twin.token,
        WebSocket: WebSocket as StreamSocketClass,
      }),
    });
  } finally {
    await twin.close();
  }
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
