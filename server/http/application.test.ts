/** Which requests Express answers, and when it is loaded. */
import { describe, expect, it, vi } from 'vitest';
import { ROUTES, type RouteRow } from '../../contract/routes.ts';
import { systemClock } from '../clock/clock.ts';
import { send } from './api-fixture.cases.ts';
import { createApplication } from './application.ts';
import { type Pipelines, PlainCalls } from './pipeline.ts';
import { answer, type Services } from './reply.ts';
import { closeServer, createHttpServer, listen, RequestGate } from './server.ts';

const loads = vi.hoisted(() => ({ count: 0 }));
vi.mock('./express-application.ts', async (original) => {
  loads.count += 1;
  return original();
});

/** The number of each route in place of its pipeline. */
const NUMBERED = ROUTES.map((row: RouteRow, i) => [row, i]) as object as Pipelines;

describe('an address', () => {
  const calls = new PlainCalls(NUMBERED);
  const plain = (path: string) => path.replace(/\{\w+\}/g, '7');

  it('that is plain finds the call of every route, with the values in the path', () => {
    ROUTES.forEach(({ method, path }: RouteRow, i) => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, '7']);
      const found = calls.find(method, plain(path));
      expect([path, found?.pipeline]).toEqual([path, i]);
      expect(found?.values ?? {}).toEqual(Object.fromEntries(names));
    });
  });

  it.each([
    ['has a query', (path: string) => `${plain(path)}?limit=1`],
    ['has an escape', (path: string) => path.replace(/\{\w+\}/, '%37').replace(/\{\w+\}/g, '7')],
    ['ends in a slash', (path: string) => `${plain(path)}/`],
    ['lacks a value', (path: string) => path.replace(/\{\w+\}/g, '')],
  ])('that %s is for Express', (_what, change) => {
    for (const { method, path } of ROUTES as readonly RouteRow[]) {
      if (path.includes('{'))
        expect([path, calls.find(method, change(path))]).toEqual([path, null]);
    }
  });

  it('with another method is for Express', () => {
    for (const { path } of ROUTES as readonly RouteRow[]) {
      expect(calls.find('PATCH', plain(path))).toBeNull();
    }
  });
});

it('loads Express with the first request for it, where that is said', async () => {
  const gate = new RequestGate();
  const server = createHttpServer(gate);
  const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  gate.setHandler(
    createApplication({
      services: { wall: systemClock } as Services,
      handlers: { getVersions: () => answer({ APIs: ['v1'], robot: '1.0.0' }) },
      dialect: 'auto',
      streams: [],
      notReady: () => null,
      banner: () => 'test',
      onBug: () => {},
      viewer: null,
      docsPage: null,
      documents: {},
      allowedOrigins: [],
      storageFault: () => null,
      notReadyReasons: () => [],
      metrics: { contentType: 'text/plain', text: async () => '' },
      onAnswered: () => {},
      isLate: true,
    }),
  );
  expect((await send(url, 'GET /api/versions')).status).toBe(200);
  expect(loads.count).toBe(0);
  expect((await send(url, 'GET /livez')).status).toBe(200);
  expect((await send(url, 'GET /nowhere')).status).toBe(404);
  expect(loads.count).toBe(1);
  await closeServer(server, systemClock);
});
