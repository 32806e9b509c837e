/** Host names: a public name that resolves to this machine (DNS rebinding) is refused. */

import { connect } from 'node:net';
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiFixture, expectError, startApiFixture } from './api-fixture.cases.ts';

let fixture: ApiFixture;
beforeAll(async () => {
  fixture = await startApiFixture({ allowedHosts: ['twin.example.org', '*.armtwin'] });
});
afterAll(() => fixture.close());

const call = (host: string, path = '/api/versions') =>
  fixture.send('GET', path, { headers: { Host: host } });

describe('the Host header', () => {
  it.each([
    '127.0.0.1:8080',
    '[::1]:8080',
    '192.168.1.20',
    'localhost:1',
    'LOCALHOST.',
    'twin',
    'arm.local',
    'armtwin.lab.svc',
    `${hostname()}:80`,
    'twin.example.org:443',
    'Twin.Example.ORG',
    'armtwin-0.armtwin:8080',
    'armtwin-0.armtwin.armtwin',
  ])('%s is served', async (host) => {
    expect((await call(host)).status).toBe(200);
  });

  it.each([
    'evil.example.org',
    'twin.example.org.evil.com',
    'local.com:8080',
    '127.0.0.1.nip.io',
    'evil.xarmtwin',
  ])('%s is refused on every path', async (host) => {
    for (const path of ['/api/versions', '/', '/metrics', '/livez', '/openapi.json']) {
      const got = await call(host, path);
      expect([path, got.status]).toEqual([path, 421]);
      expect(expectError(got).error_code).toBe(8);
    }
  });

  it.each([
    ['/api/v1/data/stream', 'evil.example.org'],
    ['http://evil.example.org/api/v1/data/stream', 'localhost'],
  ])(
    'counts in a WebSocket handshake for %s, although its origin is the same',
    async (target, host) => {
      const head = [
        `GET ${target} HTTP/1.1`,
        `Host: ${host}`,
        'Origin: http://evil.example.org',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        `Sec-WebSocket-Protocol: SessionToken_${fixture.ada.session}, object`,
      ];
      const socket = connect(fixture.twin.port, '127.0.0.1');
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      const received = await new Promise<string>((resolve) => {
        socket.once('data', (chunk) => resolve(String(chunk)));
      });
      socket.destroy();
      expect(received).toMatch(/^HTTP\/1\.1 421 /);
    },
  );
});

describe('a target in absolute form', () => {
  /** Status and body of a GET. */
  function get(target: string, host: string): Promise<readonly [number, string]> {
    const text = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    return new Promise((resolve) => {
      let received = '';
      const socket = connect(fixture.twin.port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk) => (received += String(chunk)));
      socket.on('close', () => {
        const [head = '', body = ''] = received.split('\r\n\r\n');
        resolve([Number(head.split(' ')[1]), body]);
      });
    });
  }

  it.each(['/api/versions', '/', '/metrics', '/livez', '/openapi.json'])(
    'for another service is refused on %s, whatever Host says',
    async (path) => {
      for (const host of ['localhost', 'twin.example.org', 'evil.example.org']) {
        const [status, body] = await get(`http://evil.example.org${path}`, host);
        expect([host, status]).toEqual([host, 421]);
        expect(JSON.parse(body).error).toMatchObject({
          error_code: 8,
          details: expect.stringContaining('evil.example.org is not a name of this service'),
        });
      }
    },
  );

  it('for this service is served, whatever Host says (RFC 9112 §3.2.2)', async () => {
    for (const origin of ['http://localhost', 'http://twin.example.org:80', 'HTTPS://[::1]']) {
      expect((await get(`${origin}/api/versions`, 'evil.example.org'))[0]).toBe(200);
    }
  });

  it.each([
    'ftp://localhost/api/versions',
    'ws://localhost/api/versions',
    'http://localhost@evil.example.org/api/versions',
    'http:///api/versions',
    'http:/api/versions',
    'api/versions',
  ])('%s is malformed', async (target) => {
    const [status, body] = await get(target, 'localhost');
    expect([status, JSON.parse(body).error.error_code]).toEqual([400, 8]);
  });

  it('without a scheme is a path that nothing is at', async () => {
    expect((await get('//evil.example.org/api/versions', 'localhost'))[0]).toBe(404);
  });
});
