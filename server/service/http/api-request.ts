import { IncomingMessage } from 'node:http';

/** Whether the headers ask for a WebSocket. */
function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  const offered = (headers.upgrade ?? '').toLowerCase().split(',');
  return method === 'GET' && offered.some((protocol) => protocol.trim() === 'websocket');
}

/**
 * A request that is upgraded only to a WebSocket. Other protocols are ignored (RFC 9110 §7.8):
 * Java's HttpClient and `curl --http2` offer h2c on ordinary calls. Node asks for `upgrade` once
 * the headers are parsed.
 */
export class ApiRequest extends IncomingMessage {
  private announcesUpgrade: boolean | undefined;

  get upgrade(): boolean {
    const isTunnel = this.method === 'CONNECT';
    return this.announcesUpgrade === true && (isTunnel || asksForWebSocket(this));
  }

  set upgrade(announced: boolean | null) {
    this.announcesUpgrade = announced === true;
  }
}
