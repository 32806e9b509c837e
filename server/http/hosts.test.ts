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

  it('counts in a WebSocket handshake, although its origin is the same name', async () => {
    const head = [
      'GET /api/v1/data/stream HTTP/1.1',
      'Host: evil.example.org',
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
  });
});
