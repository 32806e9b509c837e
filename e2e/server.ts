/**
 * The built program as a process of its own on a free port, and a test that has one at hand: the
 * end-to-end tests meet it over the wire alone, as any client does.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { test as base } from '@playwright/test';

const MAIN = fileURLToPath(new URL('../dist/server/main.js', import.meta.url));
const READY = /^armtwin ready (http:\/\/\S+)$/m;
const READY_LIMIT_MS = 20_000;

export interface Server {
  readonly baseUrl: string;
  /** An API token of the first admin. */
  readonly token: string;
  /** Everything on stdout so far. */
  readonly output: () => string;
  /** Ends it with SIGTERM and returns its exit code. */
  readonly stop: () => Promise<number | null>;
}

async function readyUrl(child: ChildProcess, said: { out: string; err: string }): Promise<string> {
  const limit = AbortSignal.timeout(READY_LIMIT_MS);
  while (!limit.aborted && child.exitCode === null) {
    const url = READY.exec(said.out)?.[1];
    if (url !== undefined) return url;
    await Promise.race([
      once(child.stdout!, 'data', { signal: limit }).catch(() => {}),
      once(child, 'exit'),
    ]);
  }
  child.kill('SIGKILL');
  throw new Error(`not ready, exit code ${child.exitCode}\n${said.out}\n${said.err}`);
}

/** Starts the program on a free port with more `flags`; rejects with its output if it fails. */
export async function startServer(flags: readonly string[] = []): Promise<Server> {
  const token = 'token-of-the-end-to-end-tests';
  const args = [MAIN, '--port', '0', '--token', token, ...flags];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MALLOC_ARENA_MAX: '1' },
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (said.out += chunk));
  child.stderr.on('data', (chunk) => (said.err += chunk));
  const baseUrl = await readyUrl(child, said);
  return {
    baseUrl,
    token,
    output: () => said.out,
    async stop() {
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      return child.exitCode;
    },
  };
}

/** A test with a server that its file shares. */
export const test = base.extend<object, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: the form Playwright asks of a fixture
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
});
