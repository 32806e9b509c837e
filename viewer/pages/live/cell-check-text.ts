import type { CellPathCheck } from '../../../contract/types.generated.ts';

/** What the loaded toolpath meets in the cell, and what it was checked against; '' where not known. */
export function cellCheckText(check: CellPathCheck | null): {
  readonly text: string;
  readonly more: string;
} {
  if (!check) return { text: '', more: '' };
  const { findings, problem, checked_against } = check;
  if (problem !== null) return { text: 'not checked', more: problem };
  const more = `Checked against ${checked_against.join(', ')}`;
  const [first, ...others] = findings;
  if (!first) return { text: 'meets nothing', more };
  const counted = others.length > 0 ? ` (and ${others.length} more)` : '';
  return { text: `${first.problem}${counted}`, more };
}
