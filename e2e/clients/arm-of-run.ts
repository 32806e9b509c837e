/**
 * The arm whose twins the clients meet: `--arm NAME` of `npm run test:clients`, else the default one.
 */
import { fileURLToPath } from 'node:url';
import { ARM_VARIABLE } from '../../arms/given-arm.ts';
import { SHIPPED_ARMS } from '../../arms/shipped-arms.ts';

const FLAG = '--arm';

/** The flags without the arm, and its name; null for the default arm. */
function takeArm(flags: readonly string[]): { name: string | null; flags: readonly string[] } {
  const at = flags.indexOf(FLAG);
  if (at < 0) return { name: null, flags };
  const name = flags[at + 1] ?? '';
  if (!Object.hasOwn(SHIPPED_ARMS, name)) {
    console.error(`${FLAG} ${name}: give one of ${Object.keys(SHIPPED_ARMS).join(', ')}`);
    process.exit(2);
  }
  return { name: name === 'default' ? null : name, flags: flags.toSpliced(at, 2) };
}

const given = takeArm(process.argv.slice(2));
// The programs that are started for the clients inherit it.
if (given.name !== null) process.env[ARM_VARIABLE] = given.name;

/** Name of the arm; null for the default one. */
export const ARM_OF_RUN: string | null = given.name;

/** What is asked of the command besides the arm. */
export const FLAGS: readonly string[] = given.flags;

const fixtures = new URL('../../fixtures/', import.meta.url);
const own = given.name === null ? 'toolpaths' : `arms/${given.name}`;

/** File of a toolpath that the arm can run. */
export const TOOLPATH = fileURLToPath(new URL(`${own}/pick-and-place.json`, fixtures));
