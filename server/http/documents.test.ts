/** Documents carry the address by which the client came, and are made once. */
import express from 'express';
import { expect, it } from 'vitest';
import { systemClock } from '../clock/wall-clock.ts';
import { documentHandler } from './documents.ts';
import { send } from './household.cases.ts';
import { createHttpServer, Gate, listen, shut } from './server.ts';

it('makes a document once, whatever address is asked', async () => {
  let made = 0;
  const app = express();
  app.get(
    '/document',
    documentHandler((url) => {
      made += 1;
      return { servers: [{ url }], channel: `${url}/x` };
    }),
  );
  const gate = new Gate();
  gate.open(app);
  const server = createHttpServer(gate);
  const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  for (const host of ['arm:8080', 'a"b']) {
    const got = await send(url, 'GET /document', { headers: { Host: host } });
    const address = `http://${host}`;
    expect(got.body).toEqual({ servers: [{ url: address }], channel: `${address}/x` });
  }
  expect(made).toBe(1);
  await shut(server, systemClock);
});
