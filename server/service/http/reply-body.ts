/**
 * Writes the bodies of replies: short ones at once, long ones compressed and in slices, between
 * which ticks go. Streams are not compressed.
 */

import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { limits } from '../../../contract/limits.ts';
import { runDueTicks } from '../../clock/pacer.ts';
import { systemClock } from '../../clock/wall-clock.ts';
import { compress, isWanted, varyByEncoding } from './compression.ts';
import type { Pieces } from './reply.ts';

/** The most that is written at a time (bytes): ticks wait while the system copies it. */
const SLICE_BYTES = 64 * 1024;

/** Texts and bytes in slices; a character of two UTF-16 units stays whole. */
function* slicesOf(pieces: Pieces): Generator<string | Uint8Array> {
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      let to = Math.min(from + SLICE_BYTES, piece.length);
      if (typeof piece === 'string') {
        if (to < piece.length && piece.codePointAt(to - 1)! > 0xffff) to--;
        yield piece.slice(from, to);
      } else yield piece.subarray(from, to);
      from = to;
    }
  }
}

/** Ends a reply with a long body. Ticks go between its slices, and it waits for a slow reader. */
function endSlices(response: ServerResponse, pieces: Pieces, target: Writable = response): void {
  const slices = slicesOf(pieces);
  const writeNext = () => {
    if (response.destroyed) return;
    runDueTicks();
    const { value, done } = slices.next();
    if (done) target.end();
    else if (target.write(value)) systemClock.soon(writeNext);
    else target.once('drain', () => systemClock.soon(writeNext));
  };
  writeNext();
}

/** Ends a reply with a text or bytes of known size, compressed where it is long and accepted. */
export function endCompressed(response: ServerResponse, body: string | Buffer): void {
  const size = Buffer.byteLength(body);
  if (size < limits.compressed_least_bytes) {
    response.setHeader('Content-Length', size);
    response.end(body);
    return;
  }
  varyByEncoding(response);
  const send = (bytes: string | Buffer) => {
    if (response.destroyed) return;
    response.setHeader('Content-Length', Buffer.byteLength(bytes));
    if (bytes.length <= SLICE_BYTES) response.end(bytes);
    else endSlices(response, [bytes]);
  };
  if (!isWanted(response)) send(body);
  else {
    const sendPlain = () => send(body);
    void compress(body).then((bytes) => {
      response.setHeader('Content-Encoding', 'gzip');
      send(bytes);
    }, sendPlain);
  }
}

/** Ends a reply with the pieces of a long text, compressed where accepted. */
export function endPieces(response: ServerResponse, pieces: Pieces): void {
  varyByEncoding(response);
  if (!isWanted(response)) {
    if ('length' in pieces) {
      const size = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
      response.setHeader('Content-Length', size);
    }
    endSlices(response, pieces);
    return;
  }
  response.setHeader('Content-Encoding', 'gzip');
  const target = createGzip();
  target.pipe(response);
  endSlices(response, pieces, target);
}
