#!/usr/bin/env node
/**
 * The command `armtwin`: runs the built program. In a clone it first installs packages and builds
 * what is missing or out of date, as `npm start` does; in the package tools/setup is absent. Like
 * tools/setup.mjs it must not import packages statically.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Brings a clone up to date; true in the package. */
async function isPrepared() {
  if (!existsSync(new URL('setup/start.mjs', import.meta.url))) return true;
  const [{ ensureProgram }, { refuseOldNode }] = await Promise.all([
    import('./setup/start.mjs'),
    import('./setup/node-version.mjs'),
  ]);
  const folder = process.cwd();
  process.chdir(fileURLToPath(new URL('..', import.meta.url)));
  try {
    refuseOldNode();
    return await ensureProgram('start');
  } finally {
    process.chdir(folder);
  }
}

if (await isPrepared()) await import(new URL('../dist/server/main.js', import.meta.url).href);
else process.exitCode = 1;
