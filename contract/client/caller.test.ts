/** Addresses that a client refuses, and services that do not answer. */
import { describe, expect, it } from 'vitest';
import { connect } from '../client.ts';

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
