/** Those who take all they can get, in a process of their own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Caller, Reply, Scene } from './scene.ts';

type Known = Pick<Caller, 'id' | 'session'>;

/** What the process is told to do. */
export interface TakerTask {
  /** Names of attacks. */
  readonly names: readonly string[];
  readonly port: number;
  readonly callers: Readonly<Record<'admin' | 'attacker' | 'bystander' | 'holder', Known>>;
}

export interface Takers {
  /** Ends all of it; resolves to the answers when the last calls are answered. */
  stop(): Promise<readonly Reply[]>;
}

const PROCESS = fileURLToPath(new URL('./taker-process.ts', import.meta.url));
const known = ({ id, session }: Caller): Known => ({ id, session });

/** Begins attacks, which go on beside each other; resolves when all that can be taken is taken. */
export async function beginTaking(scene: Scene, names: readonly string[]): Promise<Takers> {
  const { twin, admin, attacker, bystander, holder } = scene;
  const callers = {
    ...{ admin: known(admin), attacker: known(attacker) },
    ...{ bystander: known(bystander), holder: known(holder) },
  };
  // The heap of a small machine is the twin's, not theirs.
  const env = { ...process.env, NODE_OPTIONS: '' };
  const execArgv = ['--import', 'tsx'];
  const child = fork(PROCESS, { execArgv, env, serialization: 'advanced' });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The process that takes ended with ${code}`);
  });
  const task: TakerTask = { names, port: twin.port, callers };
  child.send(task);
  await Promise.race([once(child, 'message'), ended]);
  return {
    async stop() {
      const told = once(child, 'message');
      child.send('stop');
      const [replies] = (await Promise.race([told, ended])) as [readonly Reply[]];
      ended.catch(() => {});
      child.kill();
      return replies;
    },
  };
}
