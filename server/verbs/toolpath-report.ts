/**
 * What `armtwin plan` finds out about one file: read, checked by schema and toolpath check, built,
 * measured. Also the entry of the verb's threads: one file in, one report out.
 */
import { readFileSync } from 'node:fs';
import type { MotionError } from '../../contract/motion-errors.ts';
import type { Problem } from '../../contract/result.ts';
import type { Toolpath } from '../../contract/types.ts';
import { validate } from '../../contract/validator.ts';
import { buildToolpath } from '../../physics/toolpath/build.ts';
import { checkToolpath } from '../../physics/toolpath/check.ts';
import { type Demand, demandOf } from '../../physics/toolpath/demand.ts';
import { hashToolpath } from '../../physics/toolpath/hash.ts';
import { startTrouble } from '../start-trouble.ts';

/** A sentence about one place of a toolpath. */
export interface Remark {
  /** JSON pointer; '' for the file as a whole. */
  readonly path: string;
  readonly problem: string;
  /** The motion error, where it is one. */
  readonly code?: MotionError;
}

export interface ToolpathReport {
  readonly file: string;
  readonly ok: boolean;
  readonly hash: string | null;
  /** One loop without branches; waits for inputs count as none (s). */
  readonly duration_s: number | null;
  readonly demand: Demand | null;
  readonly warnings: readonly Remark[];
  readonly errors: readonly Remark[];
}

function refused(file: string, errors: readonly Remark[], hash: string | null): ToolpathReport {
  return { file, ok: false, hash, duration_s: null, demand: null, warnings: [], errors };
}

function read(file: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(readFileSync(file, 'utf8')) };
  } catch (error) {
    return { problem: startTrouble(error) };
  }
}

function problemsOf(value: unknown): readonly Problem[] {
  const valid = validate('Toolpath', value, { dialect: 'documented' });
  return valid.ok ? checkToolpath(valid.value.value) : valid.error;
}

/** Reads, checks and builds one toolpath file. Never throws for what is in the file. */
export function reportOn(file: string): ToolpathReport {
  const content = read(file);
  if ('problem' in content) return refused(file, [{ path: '', problem: content.problem }], null);
  const problems = problemsOf(content.value);
  if (problems.length > 0) return refused(file, problems, null);
  const toolpath = content.value as Toolpath;
  const hash = hashToolpath(toolpath);
  const built = buildToolpath(toolpath, { program: true, trajectory: true });
  if (built.kind !== 'built') {
    const { path, code, error: problem } = built;
    return refused(file, [{ path, code, problem }], hash);
  }
  const warnings = built.warnings.map(({ path, code, message }) => {
    return { path, code, problem: message };
  });
  const duration_s = built.trajectory?.duration ?? null;
  const demand = built.program && demandOf(built.program);
  return { file, ok: true, hash, duration_s, demand, warnings, errors: [] };
}

export default reportOn;
