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
