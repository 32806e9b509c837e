/** Writes a reply to Node's response: as JSON, as a file, as events, or without a body. */
import type { ServerResponse } from 'node:http';
import type { Dialect, RouteRow } from '../../../contract/routes.ts';
import { sendFeed } from './event-feed.ts';
import type { Reply } from './reply.ts';
import { endCompressed, endPieces } from './reply-body.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends the reply of a route. */
export function sendReply(
  response: ServerResponse,
  row: RouteRow,
  dialect: Dialect,
  { reply, text, file, feed, isRepeated }: Reply,
): void {
  if (feed) sendFeed(response, feed);
  else if (file) sendFile(response, row.media!, file);
  if (feed || file) return;
  if (isRepeated) response.setHeader('Idempotency-Replayed', 'true');
  const status = row.status[dialect];
  if (status === 204) {
    response.statusCode = status;
    response.end();
  } else if (typeof text === 'string') sendText(response, status, text);
  else if (text) {
    response.statusCode = status;
    response.setHeader('Content-Type', JSON_TYPE);
    endPieces(response, text);
  } else sendJson(response, status, reply);
}

/** Sends a JSON reply; cheaper than Express's own. */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  sendText(response, status, JSON.stringify(body));
}

/** Sends JSON text. */
function sendText(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', JSON_TYPE);
  endCompressed(response, text);
}

/** Sends a file of a media type other than JSON. */
function sendFile(
  response: ServerResponse,
  media: string,
  { name, text }: NonNullable<Reply['file']>,
): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', `${media}; charset=utf-8`);
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  endCompressed(response, text);
}
