/**
 * The lines with which the program of an external arm answers. docs/drivers.md describes them.
 */
import {
  ARM_FAULT_KINDS,
  type ArmFault,
  type ContactReactionReport,
  REACTION_PHASES,
} from './arm-driver.ts';

const KINDS: ReadonlySet<string> = new Set(ARM_FAULT_KINDS);
const PHASES: ReadonlySet<unknown> = new Set(REACTION_PHASES);
/** The figures of a reaction, none of which is negative. */
const FIGURES = ['force_n', 'peak_n', 'retreated_rad', 'yielded_rad', 'relieved'] as const;
export const ARRAYS = ['position_rad', 'velocity_rad_s', 'temperature_c', 'torque_n_m'] as const;
/** No joint has a greater value; an answer with one is in other units, or broken. */
const LARGEST = {
  position_rad: 10,
  velocity_rad_s: 100,
  temperature_c: 500,
  torque_n_m: 10_000,
} as const;

export interface Answer extends Record<(typeof ARRAYS)[number], readonly number[]> {
  /** Number of the line that it answers. */
  readonly line: number;
  readonly fault: ArmFault | null;
  /** The joint that touches something, or null. */
  readonly contact: number | null;
  readonly standing: boolean;
  readonly estop?: boolean;
  /** What the program does about a contact; null: nothing. */
  readonly reaction?: ContactReactionReport | null;
}

function isReaction(value: unknown): value is ContactReactionReport {
  if (typeof value !== 'object' || value === null) return false;
  const found = value as Record<string, unknown>;
  const isFigure = (name: string) => Number.isFinite(found[name]) && (found[name] as number) >= 0;
  return PHASES.has(found['phase']) && FIGURES.every(isFigure);
}

function isJoint(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 6;
}

function isFault(value: unknown): value is ArmFault {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, joint, message } = value as Record<string, unknown>;
  const isNamed = typeof kind === 'string' && KINDS.has(kind) && typeof message === 'string';
  return isNamed && (joint === null || isJoint(joint));
}

/** Reads an answer; the text names what is wrong with it. */
export function readAnswer(text: string): Answer | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'a line that is not JSON';
  }
  if (typeof value !== 'object' || value === null) return 'a line that is no object';
  const found = value as Record<string, unknown>;
  for (const name of ARRAYS) {
    const six = found[name];
    const isRight = Array.isArray(six) && six.length === 6 && six.every(Number.isFinite);
    if (!isRight) return `${name} that is not six numbers`;
    const size = Math.max(...six.map(Math.abs));
    if (size > LARGEST[name]) return `${name} that no joint has (more than ${LARGEST[name]})`;
  }
  const { line, fault, contact, standing, estop, reaction = null } = found;
  if (!Number.isInteger(line)) return 'no number of the line that it answers';
  if (fault !== null && !isFault(fault)) return 'a fault without kind, joint and message';
  if (contact !== null && !isJoint(contact)) return 'a contact that is neither a joint nor null';
  if (typeof standing !== 'boolean') return 'standing that is neither true nor false';
  if (estop !== undefined && typeof estop !== 'boolean') return 'an estop that is no boolean';
  if (reaction !== null && !isReaction(reaction)) return 'a reaction without phase and figures';
  return value as Answer;
}
