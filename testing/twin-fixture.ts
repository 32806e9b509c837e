/**
 * The test fixture: a twin with a connected client for one test, and its adapters to Vitest and
 * node:test. Jest uses `openTwinFixture` directly.
 */

import { WebSocket } from 'ws';
import { type ArmClient, connect, type StreamSocketClass } from '../contract/client.ts';
import type { RobotEvent } from '../contract/types.generated.ts';
import { createTwin, type Twin, type TwinOptions } from '../server/index.ts';

export interface TwinFixture {
  readonly twin: Twin;
  /** A client of the first admin. */
  readonly arm: ArmClient;
  /**
   * The arm's events from now on: the returned list grows with each event, at once. It needs no
   * session, so that it goes on after a log-out, a power cycle and hours of twin time.
   */
  listen(): Promise<readonly RobotEvent[]>;
  /** Advances twin time (s), then waits until all events have reached the streams of clients. */
  advance(duration_s: number): Promise<void>;
  /** Closes the client, with the streams and locks that it started, and the twin. */
  close(): Promise<void>;
}

/** Starts a twin and connects a client; resolves when go_to works. */
export async function openTwinFixture(options: TwinOptions = {}): Promise<TwinFixture> {
  const twin = await createTwin(options);
  const socket = WebSocket as StreamSocketClass;
  const arm = connect({ baseUrl: twin.url, token: twin.token, WebSocket: socket });
  return {
    twin,
    arm,
    listen: async () => twin.listen(),
    async advance(duration_s) {
      await twin.advance(duration_s);
      // The reply of a call arrives after all events sent before it.
      await arm.getName();
    },
    async close() {
      arm.close();
      await twin.close();
    },
  };
}

/** Passes the value of a Vitest fixture to the test. */
type UseFixture = (fixture: TwinFixture) => Promise<void>;

async function provide(options: TwinOptions, use: UseFixture): Promise<void> {
  const fixture = await openTwinFixture(options);
  try {
    await use(fixture);
  } finally {
    await fixture.close();
  }
}

/** For Vitest: `base.extend(vitestFixture())` gives every test its own `fixture`. */
export function vitestFixture(options: TwinOptions = {}) {
  return {
    fixture: ({ task: _task }: { readonly task: unknown }, use: UseFixture) =>
      provide(options, use),
  };
}

/** The part of the context of a node:test test that is used. */
interface TestContext {
  after(cleanUp: () => Promise<void>): void;
}

/** For node:test: opens a fixture that closes after the test. */
export async function useTwinFixture(
  context: TestContext,
  options: TwinOptions = {},
): Promise<TwinFixture> {
  const given: unknown = Object(context).after;
  if (typeof given !== 'function') {
    throw new TypeError(
      'useTwinFixture needs the context of a test of node:test, as in ' +
        "test('…', async (context) => { const { twin, arm } = await useTwinFixture(context); })",
    );
  }
  const fixture = await openTwinFixture(options);
  try {
    context.after(() => fixture.close());
  } catch (error) {
    await fixture.close();
    throw error;
  }
  return fixture;
}
