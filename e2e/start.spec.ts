/** Start and stop of the program (docs/decisions/0009): ready line, first requests, exit codes. */
import { expect } from '@playwright/test';
import { startServer, test } from './server.ts';

test('prints one line on stdout when it is ready, and then accepts requests', async ({
  server,
}) => {
  expect(server.output()).toBe(`armtwin ready ${server.baseUrl}\n`);
  const reply = await fetch(`${server.baseUrl}/readyz`);
  expect(reply.status).toBe(200);
});

test('returns its versions without a session, and errors in one format', async ({ server }) => {
  const versions = await fetch(`${server.baseUrl}/api/versions`);
  expect(versions.status).toBe(200);
  expect(await versions.json()).toMatchObject({ APIs: ['v1'] });
  const refused = await fetch(`${server.baseUrl}/api/v1/data/snapshot`);
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ error: { error_code: 5 } });
});

test('exits with code 0 on SIGTERM', async () => {
  const server = await startServer(['--driver', 'fast', '--clock', 'max']);
  expect(await server.stop()).toBe(0);
});

test('exits with code 2 on an unknown option', async () => {
  await expect(startServer(['--prot', '1'])).rejects.toThrow(/exit code 2[\s\S]*--port/);
});
