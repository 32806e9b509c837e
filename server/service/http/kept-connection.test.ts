/** A kept connection serves for longer than its replies announce. */
import { Agent, get } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { type ApiFixture, startApiFixture } from './api-fixture.cases.ts';

let fixture: ApiFixture;
beforeAll(async () => {
  fixture = await startApiFixture();
});
afterAll(() => fixture.close());

/** The header Keep-Alive of a reply. */
function announced(agent: Agent | false): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const options = { agent, headers: agent ? {} : { Connection: 'close' } };
    get(`${fixture.twin.url}/api/versions`, options, (reply) => {
      reply.resume().once('end', () => resolve(reply.headers['keep-alive'] as string | undefined));
    }).once('error', reject);
  });
}

it('announces less than the connection is kept', async () => {
  expect(limits.keep_alive_announced_s).toBeLessThan(limits.keep_alive_s);
  const agent = new Agent({ keepAlive: true });
  expect(await announced(agent)).toBe(`timeout=${limits.keep_alive_announced_s}`);
  agent.destroy();
});

it('announces nothing on a connection that closes', async () => {
  expect(await announced(false)).toBeUndefined();
});
