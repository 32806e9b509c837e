/**
 * Starts the built program as a separate process on a free port, and provides a test fixture with
 * one. The end-to-end tests use only its API and its pages.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { test as base } from '@playwright/test';
import { violationsOf } from './robustness/twin-process.ts';

const MAIN = fileURLToPath(new URL('../dist/server/main.js', import.meta.url));
const READY = /^armtwin ready (http:\/\/\S+)$/m;
const READY_LIMIT_MS = 20_000;

export interface Server {
  readonly baseUrl: string;
  /** An API token of the first admin. */
  readonly token: string;
  /** Everything on stdout so far. */
  readonly output: () => string;
  /** Stops it with SIGTERM; resolves to its exit code. Rejects if its monitor found a violation. */
  readonly stop: () => Promise<number | null>;
}

async function readyUrl(
  child: ChildProcess,
  output: { out: string; err: string },
): Promise<string> {
  const limit = AbortSignal.timeout(READY_LIMIT_MS);
  while (!limit.aborted && child.exitCode === null) {
    const url = READY.exec(output.out)?.[1];
    if (url !== undefined) return url;
    await Promise.race([
      once(child.stdout!, 'data', { signal: limit }).catch(() => {}),
      once(child, 'exit'),
    ]);
  }
  child.kill('SIGKILL');
  throw new Error(`server not ready, exit code ${child.exitCode}\n${output.out}\n${output.err}`);
}

/** Starts the program on a free port with additional flags; rejects with its output on failure. */
export async function startServer(flags: readonly string[] = []): Promise<Server> {
  const token = 'token-of-the-end-to-end-tests';
  const credentials = flags.includes('--upstream') ? [] : ['--token', token];
  const args = [MAIN, '--port', '0', ...credentials, ...flags];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MALLOC_ARENA_MAX: '1' },
  });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (output.out += chunk));
  child.stderr.on('data', (chunk) => (output.err += chunk));
  const baseUrl = await readyUrl(child, output);
  return {
    baseUrl,
    token,
    output: () => output.out,
    async stop() {
      const violations = await violationsOf(baseUrl);
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      if (violations.length > 0) throw new Error(`The twin reported: ${violations.join(', ')}`);
      return child.exitCode;
    },
  };
}

/** A test with one server per worker. */
export const test = base.extend<object, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this form of a fixture
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
});
