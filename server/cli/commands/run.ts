/**
 * `armtwin run [flags] -- COMMAND…`: starts a twin, runs a command against it and closes it. The
 * command finds the twin in its environment, in its arguments by placeholders, or at the address of
 * an arm that it has typed in. Exits with the
 * code of the command; 126 or 127, as a shell, when it cannot start; 1 when its recording replays
 * differently and 2 when a file cannot be written.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { connect } from '../../../contract/client.ts';
import type { AddFaultBody } from '../../../contract/types.generated.ts';
import { systemClock } from '../../clock/wall-clock.ts';
import type { CommandOutput } from '../command-output.ts';
import type { Config } from '../config.ts';
import { ProcessGuard } from '../process-guard.ts';
import { requireWritable } from '../result-files.ts';
import { ResultError, writeResult } from '../result-writer.ts';
import { ForwardProxy, type ForwardProxyOptions } from './forward-proxy.ts';
import { junitOf } from './junit.ts';
import { RefusedCalls } from './refused-calls.ts';
import { replayFile, replayProblem } from './replay.ts';

export interface RunFlags {
  /** Faults to inject before the command starts. */
  readonly faults?: readonly AddFaultBody[];
  /** Lines for the standard input of the command. */
  readonly type?: readonly string[];
  /** Addresses of the arm that the command has typed in; absent: every private one. */
  readonly as?: readonly string[];
  /** Whether the HTTP of the command goes through the forward proxy; default: it does. */
  readonly proxy?: boolean;
  /** Files to write when the command has ended. */
  readonly junit?: string;
  readonly mcap?: string;
  readonly html?: string;
}

/** What the command uses of the twin. */
export interface StartedTwin {
  readonly url: string;
  close(): Promise<void>;
}

/** A command to run, and how to start a twin for it. */
export interface RunRequest {
  readonly config: Config;
  readonly command: readonly string[];
  readonly flags: RunFlags;
  readonly start: (config: Config) => Promise<StartedTwin>;
}

interface CommandEnd {
  readonly code: number;
  /** Why the command could not start. */
  readonly problem?: string;
}

const TOKEN_BYTES = 32;
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;
const STDERR = 2;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

function placeholders(url: string, token: string) {
  const values: Readonly<Record<string, string>> = { url, token, host: new URL(url).host };
  return (text: string) => text.replace(/\{(url|token|host)\}/g, (_, name) => values[name] ?? '');
}

/** Passes signals on to the command; a terminal sends Ctrl-C to both. Returns how to stop. */
function passSignals(child: ChildProcess): () => void {
  const handlers = SIGNALS.map((signal) => {
    const pass = () => {
      if (signal !== 'SIGINT' || process.stdin.isTTY !== true) child.kill(signal);
    };
    process.on(signal, pass);
    return () => process.off(signal, pass);
  });
  // A twin that dies takes the command with it: its calls would only time out.
  const onExit = () => {
    writeSync(
      STDERR,
      'The twin ended while the command was running; the command is stopped too.\n',
    );
    child.kill('SIGTERM');
  };
  process.on('exit', onExit);
  return () => {
    for (const stop of handlers) stop();
    process.off('exit', onExit);
  };
}

/** Whether a name is a program: a path, or a file in a folder of PATH. */
function isProgram(name: string): boolean {
  if (name.includes('/')) return existsSync(name);
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, name)));
}

function startProblem(name: string, error: NodeJS.ErrnoException): Required<CommandEnd> {
  const isFile = existsSync(name);
  const hint = `name the program that runs it, as in python3 ${name}`;
  if (error.code === 'ENOENT') {
    const action = isFile ? `it is a file here: ${hint}` : 'check its name and PATH';
    return { code: NOT_FOUND, problem: `${name} was not found as a command; ${action}.` };
  }
  const reason =
    error.code === 'EACCES' && isFile
      ? `is not executable; ${hint}`
      : `cannot be run: ${error.message}`;
  return { code: NOT_EXECUTABLE, problem: `${name} ${reason}.` };
}

interface Invocation {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Lines for its standard input; undefined: that of this process. */
  readonly lines: readonly string[] | undefined;
}

/** Runs the command to its end. */
function runToEnd(
  { command: [name = '', ...args], environment, lines }: Invocation,
  guard: ProcessGuard,
): Promise<CommandEnd> {
  const child = spawn(name, args, {
    stdio: [lines === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  });
  guard.add(child);
  const stop = passSignals(child);
  child.stdin?.on('error', () => {});
  child.stdin?.end(lines?.map((line) => `${line}\n`).join(''));
  return new Promise((resolve) => {
    child.once('error', (error) => {
      stop();
      resolve(startProblem(name, error));
    });
    child.once('exit', (code, signal) => {
      stop();
      resolve({ code: code ?? 128 + constants.signals[signal!] });
    });
  });
}

async function injectFaults(url: string, token: string, faults: readonly AddFaultBody[]) {
  if (faults.length === 0) return;
  const client = connect({ baseUrl: url, token });
  for (const fault of faults) await client.addFault(fault);
}

function junitText(command: string, { code, problem }: CommandEnd, time_s: number): string {
  const reason = problem ?? (code === 0 ? '' : `exit code ${code}`);
  const outcome = code === 0 ? 'held' : 'broken';
  const group = 'armtwin run';
  return junitOf([{ group, title: command, outcome, reason, time_s }], 'run');
}

/** The proxy through which addresses that the command has typed in reach the twin. */
async function startProxy(
  options: Omit<ForwardProxyOptions, 'as' | 'onSaid'>,
  { as = [], proxy = true }: RunFlags,
  { err }: CommandOutput,
): Promise<ForwardProxy | null> {
  if (!proxy) return null;
  const said = (message: string) => err.write(`armtwin run: ${message}\n`);
  const { http_proxy, HTTP_PROXY = http_proxy } = process.env;
  if (HTTP_PROXY)
    said(`${HTTP_PROXY} is no proxy of the command: the twin is; --no-proxy keeps it`);
  return ForwardProxy.start({ ...options, as, onSaid: said });
}

/** Starts the twin, runs the command and writes the files; returns the exit code. */
export async function runWithTwin(
  { config: given, command, flags, start }: RunRequest,
  io: CommandOutput,
): Promise<number> {
  const { junit, mcap, html } = flags;
  requireWritable({ junit, mcap, html, record: given.record ?? undefined });
  const [name = ''] = command;
  if (!name.includes('{') && !isProgram(name)) {
    // Nobody waits for a twin that nothing will use.
    const { code, problem } = startProblem(name, { ...new Error(), code: 'ENOENT' });
    io.err.write(`${problem}\n`);
    if (junit !== undefined) writeResult(junit, junitText(command.join(' '), { code, problem }, 0));
    return code;
  }
  const token = given.token ?? randomBytes(TOKEN_BYTES).toString('base64url');
  const wantsReplay = flags.mcap !== undefined || flags.html !== undefined;
  const folder = wantsReplay && given.record === null ? mkdtempSync(join(tmpdir(), 'run-')) : null;
  const record = folder === null ? given.record : join(folder, 'recording.jsonl');
  const guard = new ProcessGuard();
  if (folder !== null) guard.addFolder(folder);
  try {
    // The names of --as are those of the twin: as a name of the internet its own would be refused.
    const allowedHosts = [...given.allowedHosts, ...(flags.as ?? [])];
    const own = { showsCredentials: false, token, record, allowedHosts };
    const twin = await start({ ...given, ...own });
    const { url } = twin;
    const fill = placeholders(url, token);
    let end: CommandEnd;
    let took_s = 0;
    let proxy: ForwardProxy | null = null;
    const refused = new RefusedCalls();
    try {
      await injectFaults(url, token, flags.faults ?? []);
      // A token that was asked for is the only right one, as on the arm.
      const stands = given.token === null ? token : null;
      const onReplaced = refused.withdraw.bind(refused);
      proxy = await startProxy({ url, token: stands, onReplaced }, flags, io);
      const found = { ARMTWIN_URL: url, ARMTWIN_TOKEN: token };
      const environment = { ...found, ...proxy?.environment };
      const lines = flags.type?.map(fill);
      const from_ms = systemClock.now_ms();
      end = await runToEnd({ command: command.map(fill), environment, lines }, guard);
      took_s = (systemClock.now_ms() - from_ms) / 1000;
    } finally {
      refused.end();
      proxy?.close();
      await twin.close();
    }
    const summary = refused.summary(end.code === 0);
    if (summary !== '') io.err.write(summary);
    if (end.problem !== undefined) io.err.write(`${end.problem}\n`);
    if (junit !== undefined) writeResult(junit, junitText(command.join(' '), end, took_s));
    if (wantsReplay && record !== null) {
      const out = { write: (text: string) => io.err.write(`replay of the recording: ${text}`) };
      const page = { ...flags, title: command.join(' ') };
      try {
        // 2: no tick was recorded, which is printed.
        if ((await replayFile(record, page, out)) === 1 && end.code === 0) return 1;
      } catch (error) {
        out.write(`${replayProblem(record, error)}\n`);
        // Else the run was too short to replay, or the arm is real.
        if (error instanceof ResultError && end.code === 0) return 2;
      }
    }
    return end.code;
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    guard.close();
  }
}
