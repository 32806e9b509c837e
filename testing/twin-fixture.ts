/**
 * The test fixture: a twin with a connected client for one test, and its adapters to Vitest and
 * node:test. Jest uses `openTwinFixture` directly.
 */
import { WebSocket } from 'ws';
import { type ArmClient, connect, type StreamSocketClass } from '../contract/client.ts';
import type { RobotEvent } from '../contract/types.ts';
import { createTwin, type Twin, type TwinOptions } from '../server/index.ts';

export interface TwinFixture {
  readonly twin: Twin;
  /** A client of the first admin. */
  readonly arm: ArmClient;
  /** Subscribes to the event stream; the returned list grows with each event. */
  listen(): Promise<readonly RobotEvent[]>;
  /** Advances twin time (s), then waits until all events have reached the listeners. */
  advance(duration_s: number): Promise<void>;
  /** Closes streams and twin. */
  close(): Promise<void>;
}

/** Starts a twin and connects a client; resolves when go_to works. */
export async function openTwinFixture(options: TwinOptions = {}): Promise<TwinFixture> {
  const twin = await createTwin(options);
  const socket = WebSocket as StreamSocketClass;
  const arm = connect({ baseUrl: twin.url, token: twin.token, WebSocket: socket });
  const streams: { close(): void }[] = [];
  return {
    twin,
    arm,
    async listen() {
      const events: RobotEvent[] = [];
      const stream = arm.events({ onEvent: (event) => events.push(event) });
      streams.push(stream);
      await stream.opened;
      return events;
    },
    async advance(duration_s) {
      await twin.advance(duration_s);
      // The reply of a call arrives after all events sent before it.
      await arm.getName();
    },
    async close() {
      for (const stream of streams) stream.close();
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

/** @deprecated Use `vitestFixture`, whose tests receive `fixture` instead of `stage`. */
export function stageFixture(options: TwinOptions = {}) {
  return {
    stage: ({ task: _task }: { readonly task: unknown }, use: UseFixture) => provide(options, use),
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
  const fixture = await openTwinFixture(options);
  context.after(() => fixture.close());
  return fixture;
}

/**
 * A twin in a container, by Testcontainers. The caller passes the library, so that this package
 * does not depend on it.
 */

/** The used part of `GenericContainer` of Testcontainers. */
export interface ContainerBuilder<Started> {
  withExposedPorts(port: number): this;
  withEnvironment(environment: Record<string, string>): this;
  withWaitStrategy(strategy: unknown): this;
  start(): Promise<Started>;
}

export interface StartedContainer {
  getHost(): string;
  getMappedPort(port: number): number;
  stop(): Promise<unknown>;
}

/** The module `import * as testcontainers from 'testcontainers'`. */
export interface ContainerLibrary<Started extends StartedContainer> {
  readonly GenericContainer: new (image: string) => ContainerBuilder<Started>;
  readonly Wait: {
    forHttp(path: string, port: number): { forStatusCode(status: number): unknown };
  };
}

export interface ContainerOptions {
  /** Image of the twin; default `armtwin`. */
  readonly image?: string;
  /** API token of the first admin; default: a fixed test token. */
  readonly token?: string;
  /** `stepped` (default), `max` or a multiple of real time. */
  readonly clock?: string;
  /** More environment variables, such as ARMTWIN_DRIVER. */
  readonly environment?: Readonly<Record<string, string>>;
}

const PORT = 8080;
const READY = 200;

/** One container with a twin. */
export class TwinContainer<Started extends StartedContainer> {
  readonly token: string;
  private readonly library: ContainerLibrary<Started>;
  private readonly options: ContainerOptions;
  private started: Started | null = null;

  constructor(library: ContainerLibrary<Started>, options: ContainerOptions = {}) {
    this.library = library;
    this.options = options;
    this.token = options.token ?? 'a token for tests alone';
  }

  /** Starts the container; resolves with the URL of the ready twin. */
  async start(): Promise<string> {
    const { GenericContainer, Wait } = this.library;
    const { image = 'armtwin', clock = 'stepped', environment = {} } = this.options;
    this.started = await new GenericContainer(image)
      .withExposedPorts(PORT)
      .withEnvironment({ ARMTWIN_TOKEN: this.token, ARMTWIN_CLOCK: clock, ...environment })
      .withWaitStrategy(Wait.forHttp('/readyz', PORT).forStatusCode(READY))
      .start();
    return `http://${this.started.getHost()}:${this.started.getMappedPort(PORT)}`;
  }

  /** Stops the container, if it is running. */
  async stop(): Promise<void> {
    await this.started?.stop();
    this.started = null;
  }
}
