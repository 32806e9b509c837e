#!/usr/bin/env node
/** The process: reads the command line, runs a verb, and goes down cleanly when told to. */
import { CommanderError } from 'commander';
import { startTwin } from './app.ts';
import { createCommandLine } from './command-line.ts';
import type { Config } from './config.ts';
import { productVersion } from './identity.ts';

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function serve(config: Config): Promise<void> {
  const twin = await startTwin(config);
  process.stdout.write(`armtwin ready ${twin.url}\n`);
  tell(`viewer   ${twin.url}/${twin.madeUp?.token ? `#token=${twin.madeUp.token}` : ''}`);
  if (twin.madeUp) {
    const { email, password, token } = twin.madeUp;
    tell(`admin    ${email}`);
    if (password) tell(`password ${password}`);
    if (token) tell(`token    ${token}`);
  }
  const stop = () => {
    twin.close().then(
      () => process.exit(0),
      (error: unknown) => {
        tell(`The twin could not close cleanly: ${String(error)}`);
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

async function plan(files: string[], flags: Record<string, unknown>): Promise<void> {
  const { planVerb } = await import('./verbs/plan.ts');
  const args = flags['json'] ? [...files, '--json'] : files;
  process.exitCode = await planVerb(args, { out: process.stdout, err: process.stderr });
}

async function main(): Promise<void> {
  try {
    await createCommandLine({ serve, plan }, productVersion()).parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    tell(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

await main();
