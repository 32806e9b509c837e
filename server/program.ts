/** The program: reads the command line and runs a command. */

import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { CommanderError } from 'commander';
import type { RunningTwin } from './app/app.ts';
import { nodeTooOld, productVersion } from './app/product-info.ts';
import type { DataAction } from './cli/command-handlers.ts';
import { createCommandLine } from './cli/command-line.ts';
import type { CommandOutput } from './cli/command-output.ts';
import type { RehearseFlags } from './cli/commands/rehearse-flags.ts';
import type { Config } from './cli/config.ts';
import { installCrashHandler } from './cli/crash-handler.ts';
import { credentialLines, keptCredentialLines } from './cli/credentials.ts';
import { serveOptions } from './cli/definitions/serve.ts';
import { normalizeEnvironment } from './cli/environment.ts';
import { connectionsAllowed } from './cli/open-files.ts';
import { OptionError } from './cli/option-error.ts';
import { ownCommand } from './cli/own-command.ts';
import { requireSeparateFiles } from './cli/result-files.ts';
import { isPortTaken, startupErrorText } from './cli/startup-errors.ts';
import type { Pace } from './clock/clock.ts';
import { systemClock } from './clock/wall-clock.ts';
import { printLine } from './print-line.ts';
import { closeOnSignals, endWithParents, type Parents } from './shutdown.ts';

/** Takes no more connections than this process can open files for, with a warning. */
async function limitConnections(): Promise<void> {
  const allowed = connectionsAllowed(await readFile('/proc/self/limits', 'utf8').catch(() => ''));
  if (allowed === null) return;
  printLine(allowed.warning);
  const { admitAtMost } = await import('./service/http/connections.ts');
  admitAtMost(allowed.count);
}

/** Serves the viewer for a remote arm and proxies its API. */
async function serveUpstream(config: Config, upstream: string, parents: Parents) {
  const signals = closeOnSignals(parents);
  await limitConnections();
  const { startUpstreamProxy } = await import('./service/upstream/upstream-server.ts');
  const starting = startUpstreamProxy({ ...config, upstream });
  signals.attach(starting);
  const { url } = await starting;
  process.stdout.write(`armtwin ready ${url}\n`);
  printLine(`viewer   ${url}/ shows ${upstream}`);
}

/**
 * How V8 compiles Rapier's WebAssembly. Its optimising compiler takes seconds of processor time on
 * other threads and 100 MB, and the end of the process waits for it. At real time that never pays:
 * the engine rests most of a tick. At another pace it comes after some seconds of twin time, so that
 * short commands end without it.
 */
function compileFor(pace: Pace): void {
  const isRealTime = pace.kind === 'scaled' && pace.factor <= 1;
  setFlagsFromString(isRealTime ? '--liftoff-only' : '--wasm-tiering-budget=1000000000');
}

/** Whether this process is a service, which nothing that it prints may end. */
let isServing = false;

async function serve(config: Config, parents: Parents): Promise<void> {
  isServing = true;
  if (config.upstream !== null) {
    await serveUpstream(config, config.upstream, parents);
    return;
  }
  compileFor(config.pace);
  const signals = closeOnSignals(parents);
  let twin: RunningTwin | null = null;
  installCrashHandler(() => twin?.health.lastCommand ?? null);
  await limitConnections();
  const { preferControlLoop } = await import('./threads/thread-priority.ts');
  preferControlLoop();
  const { startTwin } = await import('./app/app.ts');
  const isTerminal = process.stderr.isTTY === true;
  let lines: readonly string[] = [];
  const starting = startTwin(config, (generated) => {
    lines = credentialLines(generated, { data: config.data, isTerminal });
  });
  signals.attach(starting);
  twin = await starting;
  const { url, generatedCredentials: credentials } = twin;
  process.stdout.write(`armtwin ready ${url}\n`);
  const shown = isTerminal ? credentials?.token : null;
  printLine(`viewer   ${url}/${shown ? `#token=${shown}` : ''}`);
  if (twin.foxgloveUrl !== null) {
    printLine(`foxglove ${twin.foxgloveUrl}?token=${shown ?? '<API token>'}`);
  }
  for (const line of lines) printLine(line);
  if (config.data !== ':memory:' && lines.length === 0) {
    for (const line of keptCredentialLines(config.data, config.token !== null)) printLine(line);
  }
  if (config.data === ':memory:') {
    printLine('data     in memory: what is saved is gone at the stop; --data ./arm keeps it');
  }
}

const streams = { out: process.stdout, err: process.stderr };

/** Runs a command against a twin; signals go to the command, and its end closes the twin. */
async function run(config: Config, command: string[], flags: Record<string, unknown>) {
  compileFor(config.pace);
  const [{ startTwin }, { runWithTwin }] = await Promise.all([
    import('./app/app.ts'),
    import('./cli/commands/run.ts'),
  ]);
  endWithParents();
  let twin: RunningTwin | null = null;
  installCrashHandler(() => twin?.health.lastCommand ?? null);
  const start = async (given: Config) => {
    twin = await startTwin(given);
    return twin;
  };
  const request = { config, command, flags, start };
  process.exitCode = await runWithTwin(request, streams);
}

/** Has V8 collect garbage as usual: no tick waits for a command that computes. */
function collectAsUsual(): void {
  process.removeAllListeners('worker');
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString('--heap-growing-percent=0');
}

async function planInto(io: CommandOutput, files: string[], flags: Record<string, unknown>) {
  collectAsUsual();
  const { runPlan } = await import('./cli/commands/plan.ts');
  return runPlan(files, flags, io);
}

async function plan(files: string[], flags: Record<string, unknown>): Promise<void> {
  process.exitCode = await planInto(streams, files, flags);
}

async function rehearseInto(io: CommandOutput, files: string[], flags: Record<string, unknown>) {
  collectAsUsual();
  const [{ startTwin }, { runRehearse }, { RehearsePool }] = await Promise.all([
    import('./app/app.ts'),
    import('./cli/commands/rehearse.ts'),
    import('./cli/commands/rehearse-pool.ts'),
  ]);
  const given = { variations: 0, ...(flags as Omit<RehearseFlags, 'variations'>) };
  const pool = new RehearsePool();
  const request = { flags: given, start: startTwin, elsewhere: pool.run.bind(pool), io };
  try {
    return await runRehearse(files, request);
  } finally {
    await pool.close();
  }
}

async function rehearse(files: string[], flags: Record<string, unknown>): Promise<void> {
  const { expandToolpathPaths } = await import('./cli/commands/toolpath-files.ts');
  // One run is over before the optimising compiler of Rapier's WebAssembly has paid. The flag is for
  // the life of the process, which an agent's goes on.
  const isOneRun = expandToolpathPaths(files).length === 1 && !flags['variations'];
  if (isOneRun) setFlagsFromString('--liftoff-only');
  process.exitCode = await rehearseInto(streams, files, flags);
}

/** Runs a command that an agent asks for; resolves with its exit code. */
async function commandOfAgent(words: readonly string[], io: CommandOutput): Promise<number> {
  let code = 0;
  const handlers = {
    ...commands,
    plan: async (files: string[], flags: object) => {
      code = await planInto(io, files, { ...flags });
    },
    rehearse: async (files: string[], flags: object) => {
      code = await rehearseInto(io, files, { ...flags });
    },
  };
  try {
    await createCommandLine(handlers, productVersion()).parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    io.err.write(`${startupErrorText(error)}\n`);
    return WRONG_OPTIONS;
  }
}

async function mcp({ url, token, allowHardware }: Record<string, unknown>): Promise<void> {
  const { runMcp } = await import('./cli/mcp/run-mcp.ts');
  await runMcp({
    flags: {
      url: String(url),
      token: token === undefined ? token : String(token),
      allowHardware: allowHardware === true,
    },
    version: productVersion(),
    command: commandOfAgent,
    input: process.stdin,
    output: process.stdout,
  });
}

async function exportModel(flags: Record<string, unknown>): Promise<void> {
  const { runExport } = await import('./cli/commands/export.ts');
  process.exitCode = runExport(flags, streams);
}

async function importArm(file: string, flags: Record<string, unknown>): Promise<void> {
  const { runArmImport } = await import('./cli/commands/arm-import.ts');
  process.exitCode = runArmImport(file, flags, streams);
}

async function shard(count: number, command: string[], flags: Record<string, unknown>) {
  const { runShards } = await import('./cli/commands/shard.ts');
  const jobs = flags['jobs'] as number | undefined;
  const request = {
    count,
    command,
    program: [process.execPath, ...process.execArgv, process.argv[1]!],
    completionIndex: process.env['JOB_COMPLETION_INDEX'],
    ...(jobs !== undefined && { jobs }),
  };
  endWithParents();
  process.exitCode = await runShards(request, streams);
}

async function replay(file: string, flags: Record<string, unknown>): Promise<void> {
  collectAsUsual();
  const { runReplay } = await import('./cli/commands/replay.ts');
  process.exitCode = await runReplay(file, flags, streams);
}

/** Records an arm until a signal. */
async function record(url: string, flags: Record<string, unknown>): Promise<void> {
  const { runRecord } = await import('./cli/commands/record.ts');
  const abort = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => abort.abort());
  process.exitCode = await runRecord(url, flags, { ...streams, signal: abort.signal });
}

async function fit(files: string[], flags: Record<string, unknown>): Promise<void> {
  collectAsUsual();
  const { runFit } = await import('./cli/commands/fit.ts');
  process.exitCode = await runFit(files, flags, streams);
}

async function data(action: DataAction, [folder = '', file = '']: string[], flags: object) {
  const { runData } = await import('./cli/commands/data.ts');
  const replace = 'replace' in flags;
  process.exitCode = await runData({ action, folder, file, replace }, streams);
}

async function verify(url: string, flags: Record<string, unknown>): Promise<void> {
  const { runVerify } = await import('./cli/commands/verify.ts');
  const stop = new AbortController();
  const { signal } = stop;
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(name, () => stop.abort(name));
  process.exitCode = await runVerify(url, flags, { ...streams, signal });
  // What a rule waits for would keep the process.
  if (signal.aborted) process.exit();
}

async function emulateBus(flags: Record<string, unknown>): Promise<void> {
  const { runEmulateBus } = await import('./cli/commands/emulate-bus.ts');
  const bus = await runEmulateBus(flags, streams);
  const stop = () => {
    bus.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

async function calibrate(flags: Record<string, unknown>): Promise<void> {
  const { runCalibrate } = await import('./cli/commands/calibrate.ts');
  process.exitCode = await runCalibrate(flags, { ...streams, input: process.stdin });
}

async function release(flags: Record<string, unknown>): Promise<void> {
  const { runRelease } = await import('./cli/commands/release.ts');
  process.exitCode = await runRelease(flags, streams);
}

async function doctor(flags: Record<string, unknown>): Promise<void> {
  const { runDoctor } = await import('./cli/commands/doctor.ts');
  process.exitCode = await runDoctor(flags, streams);
}

const commands = {
  serve,
  run,
  plan,
  rehearse,
  mcp,
  export: exportModel,
  importArm,
  shard,
  replay,
  record,
  fit,
  data,
  verify,
  emulateBus,
  calibrate,
  doctor,
  release,
};

/** Keeps the process alive while a command runs, whatever it waits for. */
const LONG_MS = 2 ** 31 - 1;

/**
 * A reader of the output that closes early, such as `head`, is no error, and nothing that cannot be
 * printed ends the arm; a command whose result cannot be written has failed.
 */
function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    printLine(`The output cannot be written: ${error.message}`);
    if (!isServing) process.exit(1);
  });
  // Node's own warnings go there.
  process.stderr.on('error', () => {});
  // Node would open its debugger, in which every user of the machine runs code as this one.
  process.on('SIGUSR1', () => {});
}

/** The exit code where an option, a variable or a file of the command line is wrong. */
const WRONG_OPTIONS = 2;

/** Runs the command that the command line names. */
export async function main(): Promise<void> {
  watchOutput();
  const old = nodeTooOld(process.versions.node);
  if (old !== null) {
    printLine(old);
    process.exit(WRONG_OPTIONS);
  }
  const release = systemClock.after(LONG_MS, () => {});
  for (const warning of normalizeEnvironment(process.env, serveOptions)) printLine(warning);
  try {
    requireSeparateFiles(process.argv.slice(2));
    await createCommandLine(commands, productVersion()).parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : WRONG_OPTIONS;
      return;
    }
    printLine(startupErrorText(error));
    if (isPortTaken(error)) printLine(`For a free port: ${ownCommand()} --port 0`);
    if (error instanceof OptionError) process.exit(WRONG_OPTIONS);
    // A failed start may leave a listening server, which would keep the process alive.
    process.exit(1);
  } finally {
    release();
  }
}
