/**
 * The program as a process of its own for checks of robustness, from dist/ or from wherever
 * ARMTWIN_MAIN says, with what they need to look at it from outside: figures, memory, its words.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { type ArmClient, connect, type StreamSocketClass } from '../../contract/client.ts';

/** The built program. */
export const BUILT = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));
const READY = /^armtwin ready (http:\/\/\S+)$/m;
const READY_LIMIT_MS = 60_000;
export const TOKEN = 'token-of-the-hard-checks-0123456789';

export interface Program {
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcess;
  readonly arm: ArmClient;
  /** Everything on stderr so far. */
  readonly words: () => string;
  /** A figure of /metrics by its name without `armtwin_`. */
  figure(name: string): Promise<number>;
  /** Resident memory (MB). */
  memory_mb(): Promise<number>;
  /** Processor time that it has used, all threads together (s); 0 where the system hides it. */
  processor_s(): Promise<number>;
  signal(signal: NodeJS.Signals): void;
  /** Exit code once it has ended; null when it must be killed first. */
  ended(limit_ms: number): Promise<number | null>;
  stop(): Promise<number | null>;
}

const launched = new Set<ChildProcess>();

/** Ends whatever a check that broke off has left behind. */
export function endPrograms(): void {
  for (const child of launched) child.kill('SIGKILL');
  launched.clear();
}

/** Arguments of node that run the program; `preload` is a module that it loads before all else. */
export function commandOf(flags: readonly string[], preload: string | null = null): string[] {
  const main = resolve(process.env['ARMTWIN_MAIN'] ?? BUILT);
  const loader = main.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const extra = preload === null ? [] : ['--import', new URL(preload, import.meta.url).href];
  return [...loader, ...extra, main, ...flags];
}

function launch(flags: readonly string[], preload: string | null): ChildProcess {
  const args = commandOf(['--port', '0', '--token', TOKEN, ...flags], preload);
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MALLOC_ARENA_MAX: '1' },
  });
  launched.add(child);
  child.once('exit', () => launched.delete(child));
  return child;
}

async function readyUrl(child: ChildProcess, said: { out: string; err: string }): Promise<string> {
  const limit_ms = performance.now() + READY_LIMIT_MS;
  while (performance.now() < limit_ms && child.exitCode === null) {
    const url = READY.exec(said.out)?.[1];
    if (url !== undefined) return url;
    await wait(20);
  }
  child.kill('SIGKILL');
  throw new Error(`not ready, exit code ${child.exitCode}\n${said.err}`);
}

async function exitCode(child: ChildProcess, limit_ms: number): Promise<number | null> {
  const patience = AbortSignal.timeout(limit_ms);
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, 'exit', { signal: patience }).catch(() => child.kill('SIGKILL'));
  }
  return child.exitCode;
}

async function figureOf(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`armtwin_${name} `));
  if (line === undefined) throw new Error(`no figure ${name} on /metrics`);
  return Number(line.slice(line.lastIndexOf(' ') + 1));
}

/** As the system counts it, where it does; else as the program does. */
async function memoryOf(url: string, pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kib = /VmRSS:\s+(\d+)/.exec(status)?.[1];
  if (kib !== undefined) return Number(kib) / 1024;
  return (await figureOf(url, 'resident_memory_bytes')) / 2 ** 20;
}

/** Clock ticks of /proc in a second: fixed by the kernel's interface on all common machines. */
const TICKS_PER_S = 100;

async function processorOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_S;
}

/** Starts the program on a free port; `preload` is a module that it loads before anything else. */
export async function startProgram(
  flags: readonly string[] = [],
  preload: string | null = null,
): Promise<Program> {
  const child = launch(flags, preload);
  const said = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => (said.out += String(chunk)));
  child.stderr?.on('data', (chunk) => (said.err += String(chunk)));
  const url = await readyUrl(child, said);
  const WebSocketClass = WebSocket as StreamSocketClass;
  return {
    url,
    port: Number(new URL(url).port),
    child,
    arm: connect({ baseUrl: url, token: TOKEN, WebSocket: WebSocketClass }),
    words: () => said.err,
    figure: (name) => figureOf(url, name),
    memory_mb: () => memoryOf(url, child.pid!),
    processor_s: () => processorOf(child.pid!),
    signal: (signal) => void child.kill(signal),
    ended: (limit_ms) => exitCode(child, limit_ms),
    async stop() {
      child.kill('SIGTERM');
      return exitCode(child, 10_000);
    },
  };
}

/** Lends a program for some work and ends it afterwards. */
export async function withProgram<Value>(
  flags: readonly string[],
  work: (program: Program) => Promise<Value>,
): Promise<Value> {
  const program = await startProgram(flags);
  try {
    return await work(program);
  } finally {
    await program.stop();
  }
}

/** A call as it stands, with what came back and how long that took. */
export async function timedCall(url: string, given: RequestInit) {
  const start_ms = performance.now();
  const reply = await fetch(url, given);
  const text = await reply.text();
  return { status: reply.status, text, duration_ms: performance.now() - start_ms };
}

/** Sets the arm going round and round, automatic, until it is told otherwise. */
export async function keepMoving({ arm }: Program): Promise<void> {
  const path = new URL('../../fixtures/toolpaths/pick-and-place.json', import.meta.url);
  await arm.takeLock();
  await arm.useUnsavedToolpath({
    name: 'round and round',
    toolpath: JSON.parse(await readFile(path, 'utf8')),
  });
  await arm.run({ mode: 'automatic', loop: 0 });
}
