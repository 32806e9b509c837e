/** Signing secrets: concurrent requests and rotations, the day of two secrets, refusals. */

import { expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { refuse } from '../../contract/refusal.ts';
import type { SigningSecret } from '../../contract/types.generated.ts';
import { systemClock, type WallClock } from '../clock/wall-clock.ts';
import { SimulatedWall } from '../service/http/simulated-network.cases.ts';
import { Documents } from '../store/documents.ts';
import { ALWAYS } from '../store/guard.ts';
import { openStore } from '../store/open-store.ts';
import { SigningSecrets, type StoredSecret } from './signing-secrets.ts';

async function opened(wall: WallClock = systemClock): Promise<SigningSecrets> {
  const store = await openStore(':memory:');
  const documents = new Documents<StoredSecret>(store, 'webhook_secrets');
  return new SigningSecrets(documents, wall);
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
  expect((await secrets.valid(1)).slice(0, 2)).toEqual([second.secret, first.secret]);
});

it('keeps its secret when the guard refuses within the transaction', async () => {
  const secrets = await opened();
  const { secret } = await show(secrets, 1);
  const refused = await secrets.rotate(1, () => refuse('not_authenticated'));
  expect(refused).toMatchObject({ refused: 'not_authenticated' });
  expect(await secrets.valid(1)).toEqual([secret]);
});

const DAY_MS = 24 * 3600 * 1000;

it('signs with the previous secret for a day after a rotation, and says until when', async () => {
  const wall = new SimulatedWall();
  const secrets = await opened(wall);
  const first = await show(secrets, 1);
  expect(first.previous_valid_until).toBeNull();
  const second = await rotate(secrets, 1);
  const until = new Date(wall.epoch_ms() + DAY_MS).toISOString();
  expect(second.previous_valid_until).toBe(until);
  wall.advance(DAY_MS - 1);
  expect((await secrets.valid(1)).slice(0, 2)).toEqual([second.secret, first.secret]);
  expect(await show(secrets, 1)).toEqual(second);
  wall.advance(1);
  expect(await secrets.valid(1)).toEqual([second.secret]);
  expect(await show(secrets, 1)).toEqual({ ...second, previous_valid_until: null });
});

it.each([
  [49, DAY_MS],
  [-49, DAY_MS + 49 * 3_600_000],
])(
  'signs with the previous secret for no less when the date jumps by %d h',
  async (hours, last) => {
    const wall = new SimulatedWall();
    let jump_ms = 0;
    const epoch_ms = () => wall.epoch_ms() + jump_ms;
    const secrets = await opened({ ...wall, epoch_ms });
    const first = await show(secrets, 1);
    await rotate(secrets, 1);
    jump_ms = hours * 3_600_000;
    wall.advance(last - 1);
    expect((await secrets.valid(1)).at(-1)).toBe(first.secret);
    wall.advance(1);
    expect(await secrets.valid(1)).toHaveLength(1);
  },
);

it('keeps every former secret for its day, however many rotations follow', async () => {
  const wall = new SimulatedWall();
  const secrets = await opened(wall);
  const made = [await show(secrets, 1)];
  for (let i = 0; i < limits.former_secrets; i++) {
    wall.advance(1000);
    made.unshift(await rotate(secrets, 1));
  }
  const all = made.map(({ secret }) => secret);
  expect(await secrets.valid(1)).toEqual(all);
  const next = made.at(-2)!.previous_valid_until!;
  const refused = await secrets.rotate(1, ALWAYS);
  expect(refused).toMatchObject({ refused: 'wrong_state', details: expect.stringContaining(next) });
  expect(await secrets.valid(1)).toEqual(all);
  wall.advance(Date.parse(next) - wall.epoch_ms());
  expect(await secrets.valid(1)).toEqual(all.slice(0, -1));
  await rotate(secrets, 1);
  expect((await secrets.valid(1)).length).toBe(all.length);
});

it('creates none for a caller who is refused', async () => {
  const secrets = await opened();
  const refusal = refuse('not_authenticated');
  expect(await secrets.show(1, () => refusal)).toBe(refusal);
  let asked = 0;
  expect(await secrets.rotate(1, () => (asked++ === 0 ? refusal : null))).toBe(refusal);
  expect(asked).toBe(1);
  expect(await rotate(secrets, 1)).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
});
