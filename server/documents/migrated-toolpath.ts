/** Migrates toolpaths in the bodies of calls to the latest format (D16). */
import type { MigrateToolpathBody } from '../../contract/types.generated.ts';
import { validate } from '../../contract/validator.ts';
import { checkToolpath } from '../../physics/toolpath/check.ts';
import { migrateToolpath, pathBeforeMigration } from '../../physics/toolpath/migrate.ts';
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

/** Migrates a toolpath to the latest format; the result must be valid (D16). */
export function migrated(value: unknown, { dialect }: BodyTask): Uint8Array | InvalidToolpath {
  const { toolpath: given } = value as MigrateToolpathBody;
  const old = dialect === 'fielded' ? withoutNulls(given) : given;
  const migration = migrateToolpath(old);
  if (!migration.ok) return invalid(migration.error);
  const { toolpath: made, breaking_changes } = migration.value;
  const shape = validate('Toolpath', made, { dialect });
  const problems = shape.ok ? checkToolpath(shape.value.value) : shape.error;
  if (problems.length > 0 || !shape.ok) {
    const isNew = made === old;
    return invalid(
      problems.map(({ path, problem }) => {
        return { path: isNew ? path : pathBeforeMigration(old, path), problem };
      }),
    );
  }
  const toolpath = shape.value.value;
  const reply = { toolpath: { hash: canonicalSha256(toolpath)!, toolpath }, breaking_changes };
  return encoder.encode(JSON.stringify(reply));
}
