/** Checks the toolpaths of a seed, in every form that toolpath files have. */
import type { SeedBody, SeedToolpath } from '../../contract/types.generated.ts';
import { validate } from '../../contract/validator.ts';
import { readToolpathText, readToolpathValue } from '../../physics/toolpath/toolpath-file.ts';
import { type InBody, type InvalidToolpath, invalid } from './checked-toolpath.ts';
import { type ToolpathText, toolpathText } from './toolpath-text.ts';

/** A seed with its toolpaths checked. */
export type CheckedSeed = Omit<SeedBody, 'toolpaths'> & {
  readonly toolpaths?: readonly InBody<SeedToolpath>[];
};

function problemsOf(value: unknown) {
  const valid = validate('Toolpath', value, { dialect: 'documented' });
  return valid.ok ? [] : valid.error;
}

function readSeedToolpath(given: SeedToolpath['toolpath']): ToolpathText | InvalidToolpath {
  const result =
    typeof given === 'string'
      ? readToolpathText(given, problemsOf)
      : readToolpathValue(given, problemsOf);
  return result.ok ? toolpathText(result.value.toolpath) : invalid(result.error);
}

/** Checks the toolpaths of a seed. */
export function checkedSeed({ toolpaths, ...rest }: SeedBody): CheckedSeed {
  if (!toolpaths) return rest;
  const checked = toolpaths.map((one) => ({ ...one, toolpath: readSeedToolpath(one.toolpath) }));
  return { ...rest, toolpaths: checked };
}
