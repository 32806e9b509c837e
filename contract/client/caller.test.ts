/** Addresses that a client refuses, and services that do not answer. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ArmError, connect } from '../client.ts';

describe('a service that is not there', () => {
  it('is named with the call and the reason', async () => {
    const arm = connect({ baseUrl: 'http://127.0.0.1:2', token: 'secret' });
    await expect(arm.getName()).rejects.toThrow(
      'getName: http://127.0.0.1:2 does not answer (ECONNREFUSED)',
    );
  });

  it.each([undefined, '', '127.0.0.1:8080', 'ftp://arm'])(
    'cannot have the address %j',
    (baseUrl) => {
      expect(() => connect({ baseUrl: baseUrl as string, token: 'secret' })).toThrow(
        'connect: baseUrl must be as http://127.0.0.1:8080, not ',
      );
    },
  );
});

it('a redirect is named and not followed: it would take the token along', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect(connect({ baseUrl, token: 'secret' }).getLock()).rejects.toThrow(
    `createSession: ${baseUrl} answered 307 with a redirect to /elsewhere; give the address`,
  );
  expect(asked).toEqual(['/api/v1/auth']);
  server.closeAllConnections();
  server.close();
});

it('a redirect that a browser hides is named too', async () => {
  const hidden = { status: 0, type: 'opaqueredirect', text: async () => '' };
  const arm = connect({ baseUrl: 'http://arm.test', session: 's', fetch: async () => hidden });
  await expect(arm.getLock()).rejects.toThrow('answered a redirect to another address');
});

it('an ArmError names the row of the error table; a reply of another service has none', () => {
  const body = { error: { error_code: 1, title: 'ERROR_WRONG_STATE', details: 'why' } };
  const refused = new ArmError({ route: 'run', status: 400, body });
  expect([refused.error_name, refused.error_code]).toEqual(['wrong_state', 1]);
  const changes = { error: { error_code: 8, title: '3 invalid changes', details: [] } };
  const counted = new ArmError({ route: 'changeGlobals', status: 400, body: changes });
  expect(counted.error_name).toBe('invalid_changes');
  const other = new ArmError({ route: 'run', status: 502, body: '<html>' });
  expect([other.error_name, other.error_code]).toEqual([null, null]);
});
