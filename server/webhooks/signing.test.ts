/** Concurrent requests for signing secrets and rotations. */
import { expect, it } from 'vitest';
import { refuse } from '../../contract/refusal.ts';
import type { SigningSecret } from '../../contract/types.ts';
import { systemClock } from '../clock/clock.ts';
import { ALWAYS } from '../store/database.ts';
import { Documents } from '../store/documents.ts';
import { openStore } from '../store/store-open.ts';
import { SigningSecrets, type StoredSecret } from './webhooks.ts';

async function opened(): Promise<SigningSecrets> {
  const store = await openStore(':memory:');
  const documents = new Documents<StoredSecret>(store, 'webhook_secrets');
  return new SigningSecrets(documents, systemClock);
}

/** The secret of a call that is not refused. */
const show = async (secrets: SigningSecrets, user_id: number) =>
  (await secrets.show(user_id, ALWAYS)) as SigningSecret;
const rotate = async (secrets: SigningSecrets, user_id: number) =>
  (await secrets.rotate(user_id, ALWAYS)) as SigningSecret;

it('creates one secret for concurrent first requests', async () => {
  const secrets = await opened();
  const [shown, signing, again] = await Promise.all([
    show(secrets, 1),
    secrets.valid(1),
    show(secrets, 1),
  ]);
  expect([signing, again.secret]).toEqual([[shown.secret], shown.secret]);
  expect(await secrets.valid(1)).toEqual([shown.secret]);
});

it('rotates one after another, and returns each secret to its caller', async () => {
  const secrets = await opened();
  const [first, second] = await Promise.all([rotate(secrets, 1), rotate(secrets, 1)]);
  expect(await secrets.valid(1)).toEqual([second.secret, first.secret]);
});

it('keeps its secret when the guard refuses within the transaction', async () => {
  const secrets = await opened();
  const { secret } = await show(secrets, 1);
  const refused = await secrets.rotate(1, () => refuse('not_authenticated'));
  expect(refused).toMatchObject({ refused: 'not_authenticated' });
  expect(await secrets.valid(1)).toEqual([secret]);
});
