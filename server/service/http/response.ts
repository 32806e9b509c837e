/** Writes a reply to Node's response as JSON or as a file. */
import type { ServerResponse } from 'node:http';
import type { Reply } from './reply.ts';
import { endCompressed } from './reply-body.ts';

/** Sends a JSON reply; cheaper than Express's own. */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  sendText(response, status, JSON.stringify(body));
}

/** Sends JSON text. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  endCompressed(response, text);
}

/** Sends a file of a media type other than JSON. */
export function sendFile(
  response: ServerResponse,
  media: string,
  { name, text }: NonNullable<Reply['file']>,
): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', `${media}; charset=utf-8`);
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  endCompressed(response, text);
}
