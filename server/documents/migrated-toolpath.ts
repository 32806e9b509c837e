/** Migrates toolpaths in the bodies of calls to the latest format (D16). */
import type { Problem } from '../../contract/problem.ts';
import type { MigrateToolpathBody } from '../../contract/types.generated.ts';
import { validate } from '../../contract/validator.ts';
import { checkToolpath } from '../../physics/toolpath/check.ts';
import { inPlainNotation } from '../../physics/toolpath/field-notation.ts';
import { migrateToolpath, pathBeforeMigration } from '../../physics/toolpath/migrate.ts';
import { wrapperProblem } from '../../physics/toolpath/toolpath-record.ts';
import type { BodyTask } from './body-task.ts';
import { type InvalidToolpath, invalid } from './checked-toolpath.ts';
import { canonicalSha256 } from './sha256.ts';
import { encoder } from './utf8.ts';

/** The toolpath without members of its metadata that are null: absent in the fielded dialect. */
function withoutNulls(old: MigrateToolpathBody['toolpath']): MigrateToolpathBody['toolpath'] {
  const { metadata } = old as { readonly metadata?: unknown };
  if (typeof metadata !== 'object' || metadata === null) return old;
  const entries = Object.entries(metadata).filter(([, value]) => value !== null);
  return { ...old, metadata: Object.fromEntries(entries) };
}

/** Problems of a migrated toolpath at their places in the old one. */
function placedIn(old: MigrateToolpathBody['toolpath'], problems: readonly Problem[]): Problem[] {
  return problems.map(({ path, problem }) => ({ path: pathBeforeMigration(old, path), problem }));
}

/** Migrates a toolpath to the latest format; the result must be valid (D16). */
export function migrated(value: unknown, { dialect }: BodyTask): Uint8Array | InvalidToolpath {
  const { toolpath: given } = value as MigrateToolpathBody;
  const wrapped = wrapperProblem(given);
  if (wrapped) return invalid([{ path: '', problem: wrapped }]);
  const old = dialect === 'fielded' ? withoutNulls(given) : given;
  const migration = migrateToolpath(old);
  if (!migration.ok) return invalid(migration.error);
  const { toolpath: made, breaking_changes } = migration.value;
  const isNew = made === old;
  const shape = validate('Toolpath', made, { dialect });
  if (!shape.ok) return invalid(isNew ? shape.error : placedIn(old, shape.error));
  const fitting = shape.value.value;
  // Older files have digital lines in the notation of the arm's editor, as the field has them.
  const toolpath = isNew && dialect === 'documented' ? fitting : inPlainNotation(fitting).toolpath;
  const problems = checkToolpath(toolpath);
  if (problems.length > 0) return invalid(isNew ? problems : placedIn(old, problems));
  const reply = { toolpath: { hash: canonicalSha256(toolpath)!, toolpath }, breaking_changes };
  return encoder.encode(JSON.stringify(reply));
}
