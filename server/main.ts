#!/usr/bin/env node
/** The process: reads the command line, runs a verb, and goes down cleanly when told to. */
import { setFlagsFromString } from 'node:v8';
import { CommanderError } from 'commander';
import type { RunningTwin } from './app.ts';
import { systemClock } from './clock/wall-clock.ts';
import { createCommandLine, serveOptions } from './command-line.ts';
import type { Config } from './config.ts';
import { settleEnvironment } from './environment.ts';
import { nodeTooOld, productVersion } from './identity.ts';
import { boundShutdown, crashReports } from './last-resort.ts';
import { startTrouble } from './start-trouble.ts';

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Takes the service down when the process is told to go, from the first moment on. */
function closeOnSignals(starting: Promise<{ close(): Promise<void> }>): void {
  const stop = () => {
    boundShutdown();
    starting
      .then((twin) => twin.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          tell(`The service could not close cleanly: ${String(error)}`);
          process.exit(1);
        },
      );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** No arm of its own: the page, and the API of an arm elsewhere. */
async function passThrough(config: Config, upstream: string): Promise<void> {
  const { startPassThrough } = await import('./upstream/upstream-server.ts');
  const starting = startPassThrough({ ...config, upstream });
  closeOnSignals(starting);
  const { url } = await starting;
  process.stdout.write(`armtwin ready ${url}\n`);
  tell(`viewer   ${url}/ shows ${upstream}`);
}

/**
 * Keeps the young part of the heap from growing with the load, before the service's modules fill
 * it. Left alone, at two thousand calls a second each of its collections takes two ticks' time and
 * keeps what has long been answered.
 */
function keepPausesShort(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

async function serve(config: Config): Promise<void> {
  keepPausesShort();
  if (config.upstream !== null) {
    await passThrough(config, config.upstream);
    return;
  }
  let twin: RunningTwin | null = null;
  crashReports(() => twin?.blackBox.lastCommand ?? null);
  const { startTwin } = await import('./app.ts');
  const starting = startTwin(config);
  closeOnSignals(starting);
  twin = await starting;
  const { url, madeUp } = twin;
  process.stdout.write(`armtwin ready ${url}\n`);
  tell(`viewer   ${url}/${madeUp?.token ? `#token=${madeUp.token}` : ''}`);
  if (!madeUp) return;
  tell(`admin    ${madeUp.email}`);
  if (madeUp.password) tell(`password ${madeUp.password}`);
  if (madeUp.token) tell(`token    ${madeUp.token}`);
}

async function plan(files: string[], flags: Record<string, unknown>): Promise<void> {
  const { planVerb } = await import('./verbs/plan.ts');
  process.exitCode = await planVerb(files, flags, { out: process.stdout, err: process.stderr });
}

async function replay(file: string, flags: Record<string, unknown>): Promise<void> {
  const { replayVerb } = await import('./verbs/replay.ts');
  process.exitCode = await replayVerb(file, flags, { out: process.stdout, err: process.stderr });
}

async function verify(url: string, flags: Record<string, unknown>): Promise<void> {
  const { verifyVerb } = await import('./verbs/verify.ts');
  process.exitCode = await verifyVerb(url, flags, { out: process.stdout, err: process.stderr });
}

const streams = { out: process.stdout, err: process.stderr };

async function emulateBus(flags: Record<string, unknown>): Promise<void> {
  const { emulateBusVerb } = await import('./verbs/emulate-bus.ts');
  const bus = await emulateBusVerb(flags, streams);
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
  const { calibrateVerb } = await import('./verbs/calibrate.ts');
  process.exitCode = await calibrateVerb(flags, { ...streams, input: process.stdin });
}

async function doctor(flags: Record<string, unknown>): Promise<void> {
  const { doctorVerb } = await import('./verbs/doctor.ts');
  process.exitCode = await doctorVerb(flags, streams);
}

const verbs = { serve, plan, replay, verify, emulateBus, calibrate, doctor };

/** Waits on a bus do not keep the process alive; as long as a verb works, this does. */
const LONG_MS = 2 ** 31 - 1;

async function main(): Promise<void> {
  const old = nodeTooOld(process.versions.node);
  if (old !== null) {
    tell(old);
    process.exit(2);
  }
  const sleep = systemClock.after(LONG_MS, () => {});
  for (const doubt of settleEnvironment(process.env, serveOptions)) tell(doubt);
  try {
    await createCommandLine(verbs, productVersion()).parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    tell(startTrouble(error));
    // A start that broke off may have left its door open, which would keep the process alive.
    process.exit(1);
  } finally {
    sleep();
  }
}

await main();
