/** Run and home without a toolpath, and the mode of home, in both dialects (D27, D28). */
import { expect, it } from 'vitest';
import { createTwin } from '../../index.ts';

const EXPECTED = {
  documented: { error_code: 1, title: 'ERROR_WRONG_STATE' },
  fielded: { error_code: 0, title: 'Toolpath error' },
} as const;

it.each(['documented', 'fielded'] as const)('%s: run and home need one', async (dialect) => {
  const twin = await createTwin({ dialect });
  const post = async (path: string, body: object | null, session = '') => {
    const reply = await fetch(`${twin.url}/api/v1${path}`, {
      method: 'POST',
      headers: {
        ...(body && { 'Content-Type': 'application/json' }),
        ...(session && { Authorization: `Bearer ${session}` }),
      },
      body: body && JSON.stringify(body),
    });
    return { status: reply.status, body: await reply.json() };
  };
  const { token } = (await post('/auth', { token: twin.token })).body as { token: string };
  await post('/controls/lock', null, token);
  const run = await post('/controls/run', { mode: 'automatic', loop: 1 }, token);
  const home = await post('/controls/home', null, token);
  const details = (purpose: string) => `Need a valid uploaded timeline ${purpose}`;
  const { error_code, title } = EXPECTED[dialect];
  const error = { error_code, title };
  expect(run).toEqual({ status: 400, body: { error: { ...error, details: details('to run') } } });
  expect(home).toEqual({
    status: 400,
    body: { error: { ...error, details: details('to go home to') } },
  });
  const named = await post('/controls/home', { mode: 'teach' }, token);
  expect(named).toEqual(home);
  const other = (await post('/controls/home', { mode: 'automatic' }, token)).body as {
    error: { error_code: number };
  };
  // The field's home has no body, so nothing in it is looked at (D3).
  expect(other.error.error_code).toBe(dialect === 'documented' ? 8 : 0);
  await twin.close();
});
