/** The process of those who take all they can get: their work holds up no call of the others. */
import { once } from 'node:events';
import { Agent } from 'node:http';
import { ATTACKS, type Taking } from './attacks.ts';
import type { Caller, Users } from './scene.ts';
import type { TakerTask } from './takers.ts';

const [{ names, port, callers }] = (await once(process, 'message')) as [TakerTask];
const asCaller = (user: Pick<Caller, 'id' | 'session'>): Caller => ({
  ...user,
  agent: new Agent({ keepAlive: true, maxSockets: 512 }),
});
const users: Users = {
  twin: { port },
  admin: asCaller(callers.admin),
  attacker: asCaller(callers.attacker),
  bystander: asCaller(callers.bystander),
  holder: asCaller(callers.holder),
};

const takings: Taking[] = [];
for (const name of names) takings.push(await ATTACKS[name]!.begin(users));
process.send!('begun');
await once(process, 'message');
await Promise.all(takings.map((taking) => taking.stop()));
process.send!(takings.flatMap((taking) => [...taking.replies]));
