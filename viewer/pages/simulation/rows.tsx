import type { ComponentChild } from 'preact';
import { Empty } from '../../ui/empty.tsx';

interface RowsProps {
  /** What stands in the place of no rows. */
  readonly empty: string;
  readonly children: readonly ComponentChild[];
}

/** A list of rows. */
export function Rows({ empty, children }: RowsProps) {
  if (children.length === 0) return <Empty>{empty}</Empty>;
  return <ul class="simulation-rows">{children}</ul>;
}
