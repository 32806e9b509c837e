import type { AnsweredRequest } from '../logging/answered-request.ts';
import type { ExchangeListener } from './exchange.ts';
import type { Handlers } from './handler.ts';
import type { AdapterOptions } from './node-adapter.ts';
import type { PipelineOptions } from './pipeline.ts';

export interface ApplicationOptions extends PipelineOptions, AdapterOptions {
  readonly handlers: Handlers;
  /** Paths of the event streams, which only WebSocket handshakes open. */
  readonly streams: readonly string[];
  /** Null when the service is ready for commands, else the reason. */
  readonly notReady: () => string | null;
  /** Folder of the built viewer; null serves none. */
  readonly viewer: string | null;
  /** Folder of the API documentation page, at /docs; null serves none. */
  readonly docsPage: string | null;
  /** Documents served as JSON, by path. */
  readonly documents: Readonly<Record<string, (baseUrl: string) => object>>;
  readonly allowedOrigins: readonly string[];
  /** Observes every request before it is handled. */
  readonly watch?: ExchangeListener;
  /** Why the service is not ready for commands; empty when it is. */
  readonly notReadyReasons: () => readonly string[];
  /** Why saves are refused; null when they are not. */
  readonly storageFault: () => string | null;
  readonly metrics: {
    readonly contentType: string;
    text(): Promise<string>;
  };
  /** Whether Express is loaded late: with the first request that it answers. */
  readonly isLate: boolean;
  /** Receives every answered request. */
  readonly onAnswered: (request: AnsweredRequest) => void;
}
