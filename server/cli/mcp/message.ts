/** Messages of the Model Context Protocol: JSON-RPC 2.0, a message a line. */

/** The versions of the protocol that are spoken, the latest first. */
export const PROTOCOL_VERSIONS = ['2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** The errors of JSON-RPC. */
export const RPC_ERRORS = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
} as const;

export type RpcErrorName = keyof typeof RPC_ERRORS;
export type RpcId = string | number;

/** A request, or a notification where it has no id. */
export interface RpcRequest {
  readonly id?: RpcId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A request that cannot be served. */
export class RpcError extends Error {
  readonly code: number;

  constructor(name: RpcErrorName, message: string) {
    super(message);
    this.code = RPC_ERRORS[name];
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The request in a line. Throws an `RpcError`. */
export function requestIn(line: string): RpcRequest {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    throw new RpcError('parse_error', 'The line is no JSON');
  }
  if (!isObject(message) || message['jsonrpc'] !== '2.0')
    throw new RpcError('invalid_request', 'A message is an object with "jsonrpc": "2.0"');
  const { id, method, params = {} } = message;
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number')
    throw new RpcError('invalid_request', 'An id is a text or a number');
  if (typeof method !== 'string')
    throw new RpcError('invalid_request', 'The method is missing: this server asks nothing');
  if (!isObject(params)) throw new RpcError('invalid_params', 'The parameters are no object');
  return { method, params, ...(id !== undefined && { id }) };
}
