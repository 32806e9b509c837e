/**
 * The table of the pages. Each page other than Live loads as its own chunk when it is first shown.
 */

import type { PageParts } from '../shell/page.ts';
import type { PageEntry } from '../shell/page-entry.ts';
import type { ToolpathEditor } from '../toolpath/toolpath-editor.ts';

/** Creates the pages, in the order of their number keys, from 2 on. */
export function createPages(): readonly PageEntry[] {
  let editor: Promise<ToolpathEditor> | null = null;
  /** One document across the pages: what is open, with its undo, goes from page to page. */
  const shared = ({ store }: PageParts): Promise<ToolpathEditor> => {
    editor ??= import('../toolpath/shared-editor.ts').then(({ createSharedEditor }) =>
      createSharedEditor(store),
    );
    // A chunk that could not be loaded is asked for again.
    editor.catch(() => {
      editor = null;
    });
    return editor;
  };
  return [
    {
      name: 'paths',
      label: 'Paths',
      icon: 'paths',
      async load(parts) {
        const { createPathsPage } = await import('./paths/paths-page.tsx');
        return createPathsPage(parts, { editor: await shared(parts) });
      },
    },
    {
      name: 'teach',
      label: 'Teach',
      icon: 'teach',
      async load(parts) {
        const { createTeachPage } = await import('./teach/teach-page.tsx');
        return createTeachPage(parts, await shared(parts));
      },
    },
    {
      name: 'workflow',
      label: 'Workflow',
      icon: 'workflow',
      load: async (parts) =>
        (await import('./workflow/workflow-page.tsx')).createWorkflowPage(parts),
    },
    {
      name: 'simulation',
      label: 'Simulation',
      icon: 'simulation',
      offered: (view) => view.sim !== null,
      load: async (parts) =>
        (await import('./simulation/simulation-page.tsx')).createSimulationPage(parts),
    },
    {
      name: 'users',
      label: 'Users',
      icon: 'users',
      load: async (parts) => (await import('./users/users-page.tsx')).createUsersPage(parts),
    },
  ];
}
