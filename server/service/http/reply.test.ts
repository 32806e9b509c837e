/** Replies with long lists, which are made while they are sent. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { answerList, type Pieces } from './reply.ts';
import { endPieces } from './reply-body.ts';

const itemsOf = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, name: `part “${id}” \u{1f916}` }));

it('a list that is short is a plain reply', () => {
  expect(answerList('items', itemsOf(200), { next: null })).toEqual({
    reply: { items: itemsOf(200), next: null },
  });
});

it.each([
  [201, {}],
  [400, { next: 399 }],
  [5_000, { next: null, total: 9 }],
])('a list of %d items with %j arrives whole, compressed or not', async (count, rest) => {
  const server = createServer((_, response) => {
    endPieces(response, answerList('items', itemsOf(count), rest).text as Pieces);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    for (const encoding of ['identity', 'gzip']) {
      const reply = await fetch(url, { headers: { 'Accept-Encoding': encoding } });
      expect(reply.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null);
      expect(await reply.json()).toEqual({ items: itemsOf(count), ...rest });
    }
  } finally {
    server.close();
  }
});
