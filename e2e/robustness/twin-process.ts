/**
 * The program as a child process, from dist/ or from the path in ARMTWIN_MAIN, with access to its
 * metrics, memory and stderr.
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
const METRICS_LIMIT_MS = 5000;
export const TOKEN = 'token-of-the-hard-checks-0123456789';

export interface TwinProcess {
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcess;
  readonly arm: ArmClient;
  /** Output on stderr so far. */
  readonly stderr: () => string;
  /** A value of /metrics by its whole name. */
  metric(name: string): Promise<number>;
  /** Resident memory (MB). */
  memory_mb(): Promise<number>;
  /** Processor time of all threads (s); 0 if the system does not report it. */
  processor_s(): Promise<number>;
  signal(signal: NodeJS.Signals): void;
  /** Waits for the exit code; null when the process had to be killed. */
  waitForExit(limit_ms: number): Promise<number | null>;
  /** Stops it with SIGTERM. Rejects if its monitor found a violation. */
  stop(): Promise<number | null>;
}

const launched = new Set<ChildProcess>();

/** Kills processes that a failed check left behind. */
export function killTwinProcesses(): void {
  for (const child of launched) child.kill('SIGKILL');
  launched.clear();
}

/** Node arguments that run the program; `preload` is a module to load first. */
export function commandOf(flags: readonly string[], preload: string | null = null): string[] {
  const main = resolve(process.env['ARMTWIN_MAIN'] ?? BUILT);
  const loader = main.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const extra = preload === null ? [] : ['--import', new URL(preload, import.meta.url).href];
  return [...loader, ...extra, main, ...flags];
}

function launch(flags: readonly string[], preload: string | null): ChildProcess {
  const token = flags.includes('--upstream') ? [] : ['--token', TOKEN];
  const args = commandOf(['--port', '0', ...token, ...flags], preload);
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MALLOC_ARENA_MAX: '1' },
  });
  launched.add(child);
  child.once('exit', () => launched.delete(child));
  return child;
}

async function readyUrl(
  child: ChildProcess,
  output: { out: string; err: string },
): Promise<string> {
  const limit_ms = performance.now() + READY_LIMIT_MS;
  while (performance.now() < limit_ms && child.exitCode === null) {
    const url = READY.exec(output.out)?.[1];
    if (url !== undefined) return url;
    await wait(20);
  }
  child.kill('SIGKILL');
  throw new Error(`not ready, exit code ${child.exitCode}\n${output.err}`);
}

async function exitCode(child: ChildProcess, limit_ms: number): Promise<number | null> {
  const timeout = AbortSignal.timeout(limit_ms);
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, 'exit', { signal: timeout }).catch(() => child.kill('SIGKILL'));
  }
  return child.exitCode;
}

async function readMetric(url: string, name: string): Promise<number> {
  const signal = AbortSignal.timeout(METRICS_LIMIT_MS);
  const text = await (await fetch(`${url}/metrics`, { signal })).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  if (line === undefined) throw new Error(`/metrics has no ${name}`);
  return Number(line.slice(line.lastIndexOf(' ') + 1));
}

/**
 * The statements about state and motion that the monitor of a server found violated; none when the
 * server has ended.
 */
export async function violationsOf(baseUrl: string): Promise<string[]> {
  const signal = AbortSignal.timeout(METRICS_LIMIT_MS);
  const reply = await fetch(`${baseUrl}/metrics`, { signal }).catch(() => null);
  const text = (await reply?.text()) ?? '';
  const counts = text.matchAll(/^armtwin_invariant_violations_total(\S*) (\S+)$/gm);
  return [...counts].flatMap(([, labels = '', count]) => (Number(count) > 0 ? [labels] : []));
}

/** Resident memory from the system, else from the metrics (MB). */
async function readMemory(url: string, pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kib = /VmRSS:\s+(\d+)/.exec(status)?.[1];
  if (kib !== undefined) return Number(kib) / 1024;
  return (await readMetric(url, 'process_resident_memory_bytes')) / 2 ** 20;
}

/** Clock ticks of /proc per second, fixed by the kernel on all common machines. */
const TICKS_PER_S = 100;

async function readProcessorTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_S;
}

/** Starts the program on a free port; `preload` is a module to load first. */
export async function startTwinProcess(
  flags: readonly string[] = [],
  preload: string | null = null,
): Promise<TwinProcess> {
  const child = launch(flags, preload);
  const output = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => (output.out += String(chunk)));
  child.stderr?.on('data', (chunk) => (output.err += String(chunk)));
  const url = await readyUrl(child, output);
  const WebSocketClass = WebSocket as StreamSocketClass;
  return {
    url,
    port: Number(new URL(url).port || 80),
    child,
    arm: connect({ baseUrl: url, token: TOKEN, WebSocket: WebSocketClass }),
    stderr: () => output.err,
    metric: (name) => readMetric(url, name),
    memory_mb: () => readMemory(url, child.pid!),
    processor_s: () => readProcessorTime(child.pid!),
    signal: (signal) => void child.kill(signal),
    waitForExit: (limit_ms) => exitCode(child, limit_ms),
    async stop() {
      const violations = child.exitCode === null ? await violationsOf(url) : [];
      child.kill('SIGTERM');
      const code = await exitCode(child, 10_000);
      if (violations.length > 0) throw new Error(`The twin reported: ${violations.join(', ')}`);
      return code;
    },
  };
}

/** Runs `work` with a program and stops it afterwards. */
export async function withTwinProcess<Value>(
  flags: readonly string[],
  work: (program: TwinProcess) => Promise<Value>,
): Promise<Value> {
  const program = await startTwinProcess(flags);
  try {
    return await work(program);
  } finally {
    await program.stop();
  }
}

/** Sends a request; returns status, body and duration (ms). */
export async function timedCall(url: string, given: RequestInit) {
  const start_ms = performance.now();
  const reply = await fetch(url, given);
  const text = await reply.text();
  return { status: reply.status, text, duration_ms: performance.now() - start_ms };
}

/** Runs a toolpath in automatic mode in an endless loop. */
export async function runForever({ arm }: TwinProcess): Promise<void> {
  const path = new URL('../../fixtures/toolpaths/pick-and-place.json', import.meta.url);
  await arm.takeLock();
  await arm.useUnsavedToolpath({
    name: 'round and round',
    toolpath: JSON.parse(await readFile(path, 'utf8')),
  });
  await arm.run({ mode: 'automatic', loop: 0 });
}
