/** Which requests Express answers, and when it is loaded. */
import { describe, expect, it, vi } from 'vitest';
import { ROUTES, type RouteRow } from '../../../contract/routes.ts';
import { systemClock } from '../../clock/wall-clock.ts';
import { expectError, send } from './api-fixture.cases.ts';
import { createApplication } from './application.ts';
import { QUIET_OPTIONS } from './application-options.cases.ts';
import type { ApplicationOptions } from './application-options.ts';
import { HttpServer } from './http-server.ts';
import { answer } from './reply.ts';
import { RequestGate } from './request-gate.ts';
import { RouteIndex } from './route-index.ts';
import type { ServedRoute } from './served-routes.ts';
import type { Services } from './services.ts';

const loads = vi.hoisted(() => ({ count: 0 }));
vi.mock('./express-application.ts', async (original) => {
  loads.count += 1;
  return original();
});

const SERVED: readonly ServedRoute[] = ROUTES.map((row) => ({ row, handler: () => answer({}) }));

describe('an address', () => {
  const index = new RouteIndex(SERVED);
  const plain = (path: string) => path.replace(/\{\w+\}/g, '7');

  it('that is plain finds every route, with the values in the path', () => {
    ROUTES.forEach(({ method, path }: RouteRow, i) => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, '7']);
      const found = index.find(method, plain(path));
      expect([path, found?.route]).toEqual([path, SERVED[i]]);
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
        expect([path, index.find(method, change(path))]).toEqual([path, null]);
    }
  });

  it('with another method is for Express', () => {
    for (const { path } of ROUTES as readonly RouteRow[]) {
      expect(index.find('PATCH', plain(path))).toBeNull();
    }
  });
});

const OPTIONS: ApplicationOptions = {
  ...QUIET_OPTIONS,
  services: { wall: systemClock } as Services,
  handlers: { getVersions: () => answer({ APIs: ['v1'], robot: '1.0.0' }) },
  dialect: 'auto',
  metrics: { contentType: 'text/plain', text: async () => '' },
  onAnswered: () => {},
  isLate: true,
};

/** Serves the application while `work` is under way. */
async function withApplication(
  options: Partial<ApplicationOptions>,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const gate = new RequestGate();
  const server = new HttpServer(gate);
  const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  gate.setHandler(createApplication({ ...OPTIONS, ...options }));
  await work(url);
  await server.close(systemClock);
}

it('loads Express with the first request for it, where that is said', async () => {
  await withApplication({}, async (url) => {
    expect((await send(url, 'GET /api/versions')).status).toBe(200);
    expect(loads.count).toBe(0);
    expect((await send(url, 'GET /livez')).status).toBe(200);
    expect((await send(url, 'GET /nowhere')).status).toBe(404);
    expect(loads.count).toBe(1);
  });
});

it.each(['/metrics/', '/Metrics', '/livez/', '/READYZ'])('has nothing at %s', async (path) => {
  await withApplication({}, async (url) => {
    expect((await send(url, `GET ${path}`)).status).toBe(404);
  });
});

it('answers 500 to what Express should answer where it cannot be set up, and goes on', async () => {
  const onBug = vi.fn();
  // As a viewer that an upgrade removed while the twin was running.
  const documents = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('gone');
      },
    },
  );
  await withApplication({ documents, onBug }, async (url) => {
    expect((await send(url, 'GET /livez')).status).toBe(500);
    expect(onBug).toHaveBeenCalledWith(new Error('gone'), null);
    expect((await send(url, 'GET /api/versions')).status).toBe(200);
  });
});

it('refuses calls with plain addresses too: of other pages, and until it is ready', async () => {
  const foreign = { headers: { Origin: 'http://other.test' } };
  await withApplication({}, async (url) => {
    expect((await send(url, 'GET /api/versions', foreign)).status).toBe(403);
    const own = await send(url, 'GET /api/versions', { headers: { Origin: url } });
    expect(own.status).toBe(200);
    expect(own.headers['content-security-policy']).toMatch(
      /default-src 'self';.*connect-src 'self';/,
    );
  });
  await withApplication({ notReady: () => 'the arm starts' }, async (url) => {
    const got = await send(url, 'GET /api/versions');
    expect([got.status, expectError(got).details]).toEqual([503, { reasons: ['the arm starts'] }]);
  });
});
