/** Changes of users that are no changes, are confirmed wrongly, or name a user in two spellings. */

import { describe, expect, it } from 'vitest';
import { expectError, PASSWORD, sharedApiFixture } from './api-fixture.cases.ts';

const fixture = sharedApiFixture();

const create = (email: string) => {
  const body = { email, password: PASSWORD };
  return fixture.send('POST', '/api/v1/users', { as: fixture.admin, body });
};

describe('an e-mail', () => {
  it.each(['\u0000', '\u001f', '\u0085', '\u202e', '\u2066', '\u200f', '\u200b', '\ufeff'])(
    'has no invisible character such as %j',
    async (character) => {
      const path = `/api/v1/users/${fixture.bob.id}`;
      for (const email of [`a${character}b@example.org`, `a@${character}example.org`]) {
        const got = await create(email);
        expect([got.status, expectError(got).error_code]).toEqual([400, 8]);
        const edit = { as: fixture.admin, body: { email } };
        expect((await fixture.send('PUT', path, edit)).status).toBe(400);
      }
    },
  );

  it('names one user in every spelling of its letters', async () => {
    const [composed, decomposed] = ['\u00e9va@example.org', 'e\u0301va@example.org'];
    const made = await create(decomposed);
    expect(made.body).toMatchObject({ user: { email: composed } });
    for (const email of [composed, decomposed, composed.toUpperCase()]) {
      expect((await create(email)).status).toBe(400);
      const body = { email, password: PASSWORD };
      expect((await fixture.send('POST', '/api/v1/auth/login', { body })).status).toBe(200);
    }
  });
});

describe('a change of a user', () => {
  it('that changes nothing is announced to no client', async () => {
    const { ada, admin } = fixture;
    const listener = await fixture.listen(admin);
    const path = `/api/v1/users/${ada.id}`;
    for (const body of [{ role: 'user' }, { email: ada.email }, { email: 'new@example.org' }]) {
      expect((await fixture.send('PUT', path, { as: admin, body })).status).toBe(200);
    }
    const updates = () => listener.received.filter(({ type }) => type === 'user_updated');
    await expect.poll(updates).toHaveLength(1);
    expect(updates()[0]).toMatchObject({ user: { email: 'new@example.org' } });
    listener.close();
  });

  it('with a wrong password of the caller is refused, whatever it changes', async () => {
    const { bob } = fixture;
    const path = `/api/v1/users/${bob.id}`;
    for (const edit of [{}, { email: bob.email }]) {
      const wrong = { as: bob, body: { ...edit, current_password: 'wrong' } };
      const got = await fixture.send('PUT', path, wrong);
      expect(expectError(got).details).toEqual([
        { path: '/current_password', problem: 'is not your current password' },
      ]);
      const right = { as: bob, body: { ...edit, current_password: PASSWORD } };
      expect((await fixture.send('PUT', path, right)).status).toBe(200);
    }
    const other = { as: fixture.admin, body: { role: 'user', current_password: 'wrong' } };
    expect((await fixture.send('PUT', path, other)).status).toBe(400);
  });
});
