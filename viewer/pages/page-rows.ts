/**
 * The pages beside the Live page, as rows: a word, an icon and the chunk each comes from. A page
 * loads when it is first shown, so that the live view stays small; its place is its number key.
 */
import type { ArmView } from '../link/arm-store.ts';
import type { IconName } from '../panels/icons.ts';
import type { Page, PageParts } from './page.ts';

export interface PageRow {
  readonly name: string;
  /** What the rail calls it. */
  readonly words: string;
  readonly icon: IconName;
  /** Whether the page is there for this user and this arm; always, if absent. */
  readonly offered?: (view: ArmView) => boolean;
  load(parts: PageParts): Promise<Page>;
}

/** The page that dropped files open on. */
export const FILES_PAGE = 'paths';

export const PAGE_ROWS: readonly PageRow[] = [
  {
    name: 'paths',
    words: 'Paths',
    icon: 'paths',
    load: async (parts) => (await import('./toolpaths-page.ts')).createToolpathsPage(parts),
  },
  {
    name: 'teach',
    words: 'Teach',
    icon: 'teach',
    load: async (parts) => (await import('./teach-page.ts')).createTeachPage(parts),
  },
  {
    name: 'workflow',
    words: 'Workflow',
    icon: 'workflow',
    load: async (parts) => (await import('./workflow-page.ts')).createWorkflowPage(parts),
  },
  {
    name: 'bench',
    words: 'Bench',
    icon: 'bench',
    offered: (view) => view.sim !== null,
    load: async (parts) => (await import('./bench-page.ts')).createBenchPage(parts),
  },
  {
    name: 'people',
    words: 'People',
    icon: 'people',
    load: async (parts) => (await import('./people-page.ts')).createPeoplePage(parts),
  },
];
