/**
 * `npm run generate lockfile`: completes package-lock.json with the optional packages of other
 * platforms. npm leaves out what its registry does not offer, and `npm ci` then refuses the lock on
 * every platform. An added entry states version, os, cpu and libc, but no integrity: npm records
 * that when a registry offers the package.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { completeLock } from './lockfile/platform-packages.mjs';

const LOCK = 'package-lock.json';
const { lock, added } = completeLock(JSON.parse(readFileSync(LOCK, 'utf8')));
writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
for (const name of added) console.log(`added ${name}`);
console.log(`${added.length} packages added to ${LOCK}`);
