import type { Connection } from './connection.ts';
import { refuseOnSocket } from './error-response.ts';

/** What a malformed request is, where the code of the parser shows more. */
const INCOMPLETE = 'This is not a complete HTTP request';
const MALFORMED: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD: 'The request does not begin with a known method, such as GET or POST',
};

/** Answers malformed and late requests in the error format and closes the connection. */
export function refuseMalformedRequest(error: NodeJS.ErrnoException, connection: Connection): void {
  const { socket } = connection;
  // A client would take a second reply to one request for the reply to the next.
  if (error.code === 'ECONNRESET' || !socket.writable || connection.isAnsweredEarly) {
    socket.destroy();
    return;
  }
  // The parser reports each further chunk. Behind `Connection: close` nothing is answered.
  socket.pause();
  if (connection.isRefused || error.code === 'HPE_CLOSED_CONNECTION') return;
  connection.isRefused = true;
  connection.afterEarlierReplies(() => {
    const large = error.code === 'HPE_HEADER_OVERFLOW';
    if (large) refuseOnSocket(socket, 'body_too_large', 'The headers are too large');
    else refuseOnSocket(socket, 'malformed_body', MALFORMED[error.code ?? ''] ?? INCOMPLETE);
  });
}
