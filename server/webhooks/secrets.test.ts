/** Signing secrets that are asked for, and renewed, by several at once. */
import { expect, it } from 'vitest';
import { systemClock } from '../clock/wall-clock.ts';
import { Documents } from '../store/documents.ts';
import { type KeptSecret, SigningSecrets } from './secrets.ts';

async function opened(): Promise<SigningSecrets> {
  const documents = await Documents.open<KeptSecret>(':memory:', 'webhook-secrets');
  return new SigningSecrets(documents, systemClock);
}

it('are made once, however many ask first', async () => {
  const secrets = await opened();
  const [shown, signing, again] = await Promise.all([
    secrets.show(1),
    secrets.valid(1),
    secrets.show(1),
  ]);
  expect([signing, again.secret]).toEqual([[shown.secret], shown.secret]);
  expect(await secrets.valid(1)).toEqual([shown.secret]);
});

it('are renewed one after another, and each is shown to whom it was made for', async () => {
  const secrets = await opened();
  const [first, second] = await Promise.all([secrets.rotate(1), secrets.rotate(1)]);
  expect(await secrets.valid(1)).toEqual([second.secret, first.secret]);
});
