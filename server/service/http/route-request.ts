/** A request to a route and its answer as values: what the pipeline knows of HTTP. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect } from '../../../contract/routes.ts';
import type { Claimant } from '../../shares/claimant.ts';
import type { ShareRefusal } from '../../shares/share.ts';
import type { BodySource } from './body-source.ts';
import type { OpenDeadline } from './deadline.ts';
import type { Answer } from './reply.ts';
import type { ServedRoute } from './served-routes.ts';
import type { CallOrigin } from './trusted-proxies.ts';

/** Headers by their names in lower case. */
export type RequestHeaders = Readonly<IncomingHttpHeaders>;

/** Hears what is found out of a call before its answer, for the logs and for its connection. */
export interface CallObserver {
  /**
   * The caller has a session; called before the body is read. Returns why the call is refused where
   * the caller has too many connections.
   */
  onCaller(caller: Claimant, origin: CallOrigin): ShareRefusal | null;
  /** The SHA-256 of the canonical JSON body; null for no body, and for binary bodies. */
  onBody(sha256: string | null): void;
}

export interface RouteRequest {
  readonly route: ServedRoute;
  readonly method: string;
  /** Path and query, as the client sent them. */
  readonly url: string;
  /** The values of the parameters in the path. */
  readonly pathValues: Readonly<Record<string, unknown>>;
  readonly headers: RequestHeaders;
  /** The header Authorization; two of them are joined. */
  readonly authorization: string | undefined;
  /** Where it comes from: the client, and a trusted proxy. */
  readonly origin: CallOrigin;
  readonly dialect: Dialect;
  readonly body: BodySource;
  readonly deadline: OpenDeadline;
  readonly observer: CallObserver;
}

export interface RouteAnswer {
  readonly answer: Answer;
  /** Headers beside those of the body. */
  readonly headers: Readonly<Record<string, string>>;
}
