/**
 * A twin with a client on it, for one test: everything a test needs in one object, and one call
 * that leaves nothing behind.
 */
import { WebSocket } from 'ws';
import { type ArmClient, connect, type StreamSocketClass } from '../contract/client.ts';
import type { RobotEvent } from '../contract/types.ts';
import { createTwin, type Twin, type TwinOptions } from '../server/index.ts';

export interface Stage {
  readonly twin: Twin;
  /** A client of the first admin. */
  readonly arm: ArmClient;
  /** Follows the arm's stream from now on; the list grows as events come. */
  listen(): Promise<readonly RobotEvent[]>;
  /** Lets twin time pass (s), then waits until all that happened has reached the listeners. */
  advance(duration_s: number): Promise<void>;
  /** Ends streams and twin. */
  close(): Promise<void>;
}

/** Starts a twin and connects a client; resolves when go_to works. */
export async function openStage(options: TwinOptions = {}): Promise<Stage> {
  const twin = await createTwin(options);
  const socket = WebSocket as StreamSocketClass;
  const arm = connect({ baseUrl: twin.url, token: twin.token, WebSocket: socket });
  const streams: { close(): void }[] = [];
  return {
    twin,
    arm,
    async listen() {
      const seen: RobotEvent[] = [];
      const stream = arm.events({ onEvent: (event) => seen.push(event) });
      streams.push(stream);
      await stream.opened;
      return seen;
    },
    async advance(duration_s) {
      await twin.advance(duration_s);
      // A call's reply comes behind the events that the twin has sent before it.
      await arm.getName();
    },
    async close() {
      for (const stream of streams) stream.close();
      await twin.close();
    },
  };
}
