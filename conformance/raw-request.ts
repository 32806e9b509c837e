/** A raw HTTP request of a rule, and its reply. */

/** A raw HTTP request with any path, headers and text. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
}

export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed text; undefined when it is not JSON. */
  readonly body: unknown;
}
