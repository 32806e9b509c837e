/** Concurrent requests for signing secrets and rotations. */
import { expect, it } from 'vitest';
import { systemClock } from '../clock/wall-clock.ts';
import { Documents } from '../store/documents.ts';
import { openStore } from '../store/store-open.ts';
import { SigningSecrets, type StoredSecret } from './signing.ts';

async function opened(): Promise<SigningSecrets> {
  const store = await openStore(':memory:');
  const documents = new Documents<StoredSecret>(store, 'webhook_secrets');
  return new SigningSecrets(documents, systemClock);
}

it('creates one secret for concurrent first requests', async () => {
  const secrets = await opened();
  const [shown, signing, again] = await Promise.all([
    secrets.show(1),
    secrets.valid(1),
    secrets.show(1),
  ]);
  expect([signing, again.secret]).toEqual([[shown.secret], shown.secret]);
  expect(await secrets.valid(1)).toEqual([shown.secret]);
});

it('rotates one after another, and returns each secret to its caller', async () => {
  const secrets = await opened();
  const [first, second] = await Promise.all([secrets.rotate(1), secrets.rotate(1)]);
  expect(await secrets.valid(1)).toEqual([second.secret, first.secret]);
});
