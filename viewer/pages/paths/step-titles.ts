import { programRows } from '../../toolpath/program-rows.ts';
import type { ToolpathView } from '../../toolpath/toolpath-view.ts';

/** Each row of the program as it is called, "Step 4" from 1 or "Branch", by its pointer. */
export function stepTitles(opened: ToolpathView['opened']): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  let number = 0;
  for (const { at, branch } of opened ? programRows(opened.toolpath) : []) {
    if (!branch) number += 1;
    titles.set(at, branch ? 'Branch' : `Step ${number}`);
  }
  return titles;
}
