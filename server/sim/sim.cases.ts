/** What the tests of the hand on the twin share: a twin, a client on it, and its own stream. */
import { WebSocket } from 'ws';
import { type ArmClient, connect, type StreamSocketClass } from '../../contract/client.ts';
import type { SimEvent } from '../../contract/types.ts';
import { createTwin, type Twin, type TwinOptions } from '../index.ts';

export interface Stage {
  readonly twin: Twin;
  readonly arm: ArmClient;
}

/** Gives a twin and an admin's client to `use`, and closes the twin afterwards. */
export async function onStage<Value>(
  options: TwinOptions,
  use: (stage: Stage) => Promise<Value>,
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

/** Opens the twin's own stream; `seen` grows as messages come. */
export async function openSimStream(
  { twin, arm }: Stage,
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

/** Looks again and again, while sockets are served, until something is there. */
export async function seenSoon<Value>(probe: () => Value | undefined): Promise<Value> {
  for (let looks = 0; looks < 200; looks++) {
    const found = probe();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('it never came');
}
