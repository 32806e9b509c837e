/**
 * API documents contain the address that the client used, and are cached.
 * @module-tag ci
 */

import express from 'express';
import { expect, it } from 'vitest';
import { systemClock } from '../../clock/wall-clock.ts';
import { send, startApiFixture } from './api-fixture.cases.ts';
import { fuzzDocument } from './document-fuzz.cases.ts';
import { documentHandler } from './document-handler.ts';
import { HttpServer } from './http-server.ts';
import { RequestGate } from './request-gate.ts';
import { answeredBy } from './served.cases.ts';

it('builds a document once for all addresses', async () => {
  let made = 0;
  const app = express();
  app.get(
    '/document',
    documentHandler((url) => {
      made += 1;
      return { servers: [{ url }, { host: new URL(url).host }] };
    }),
  );
  const gate = new RequestGate();
  gate.setHandler(answeredBy(app));
  const server = new HttpServer(gate);
  const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  for (const host of ['arm:8080', '[::1]:80']) {
    const got = await send(url, 'GET /document', { headers: { Host: host } });
    const address = `http://${host}`;
    expect(got.body).toEqual({ servers: [{ url: address }, { host }] });
  }
  expect(made).toBe(1);
  await server.close(systemClock);
});

it('declare every status and body of 30 calls drawn from them', async () => {
  const fixture = await startApiFixture({ dialect: 'documented' });
  const { problems } = await fuzzDocument(fixture, { seed: 7, calls: 30 });
  await fixture.close();
  expect(problems).toEqual([]);
});
