/**
 * The arm that this process was started for: the variable ARMTWIN_ARM has its name or its folder, so
 * that threads and processes of this one have the same. In a page, page-arm.ts stands in its place.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Arm } from './arm.ts';
import { armProblems } from './arm-problems.ts';
import { SHIPPED_ARMS } from './shipped-arms.ts';

/** An arm with the name that it is called by. */
export interface GivenArm {
  readonly name: string;
  readonly arm: Arm;
  /** Tells its numbers from those of every other arm; empty for the default arm. */
  readonly fingerprint: string;
}

/** An arm that cannot be used: the message says where, what is wrong and what to do. */
export class ArmError extends Error {}

const FINGERPRINT_CHARACTERS = 16;
const LISTED_PROBLEMS = 8;

/** The variable that names the arm of a process. */
export const ARM_VARIABLE = 'ARMTWIN_ARM';

function readArm(folder: string): unknown {
  const file = join(folder, 'arm.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' || code === 'ENOTDIR' ? 'it does not exist' : message;
    const names = Object.keys(SHIPPED_ARMS).join(', ');
    throw new ArmError(
      `The arm “${folder}” cannot be read: ${file}: ${reason}. ` +
        `Give the folder of an arm.json, or one of ${names}.`,
    );
  }
}

/** The arm of a folder. Throws an `ArmError`. */
export function armOfFolder(folder: string): Arm {
  const value = readArm(folder);
  const problems = armProblems(value);
  if (problems.length === 0) return value as Arm;
  const lines = problems.slice(0, LISTED_PROBLEMS).map((problem) => `  ${problem}`);
  if (problems.length > LISTED_PROBLEMS) lines.push('  and more');
  throw new ArmError(`${join(folder, 'arm.json')} is no arm of this program:\n${lines.join('\n')}`);
}

/** Fields that say something to people, and nothing that an arm is computed from. */
const REMARKS = ['$schema', 'about', 'mark', 'sources'];

/** The numbers of an arm as text, whatever the order of its fields and the remarks on them. */
function numbersText(arm: Arm): string {
  return JSON.stringify(arm, (field, value: unknown) => {
    if (REMARKS.includes(field)) return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Tells the numbers of an arm from those of another. */
export function armFingerprint(arm: Arm): string {
  const text = numbersText(arm);
  if (text === numbersText(SHIPPED_ARMS['default']!)) return '';
  return createHash('sha256').update(text).digest('hex').slice(0, FINGERPRINT_CHARACTERS);
}

/** The value of the variable for a name or a folder, the same from every folder. */
export function armReference(given: string): string {
  return Object.hasOwn(SHIPPED_ARMS, given) ? given : resolve(given);
}

/** The arm of this process; null for the default one. Throws an `ArmError`. */
export function givenArm(): GivenArm | null {
  const given = process.env[ARM_VARIABLE] ?? '';
  if (given === '') return null;
  const isShipped = Object.hasOwn(SHIPPED_ARMS, given);
  const arm = isShipped ? SHIPPED_ARMS[given]! : armOfFolder(resolve(given));
  const fingerprint = armFingerprint(arm);
  if (fingerprint === '') return null;
  return { name: isShipped ? given : basename(resolve(given)), arm, fingerprint };
}
