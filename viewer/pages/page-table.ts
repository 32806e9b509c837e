/**
 * The table of the pages. Each page other than Live loads as its own chunk when it is first shown.
 */

import type { PageEntry } from '../shell/page-entry.ts';

/** The pages in the order of their number keys, from 2 on. */
export const PAGES: readonly PageEntry[] = [
  {
    name: 'paths',
    label: 'Paths',
    icon: 'paths',
    load: async (parts) => (await import('./paths/paths-page.ts')).createPathsPage(parts),
  },
  {
    name: 'teach',
    label: 'Teach',
    icon: 'teach',
    load: async (parts) => (await import('./teach/teach-page.ts')).createTeachPage(parts),
  },
  {
    name: 'workflow',
    label: 'Workflow',
    icon: 'workflow',
    load: async (parts) => (await import('./workflow/workflow-page.ts')).createWorkflowPage(parts),
  },
  {
    name: 'simulation',
    label: 'Simulation',
    icon: 'simulation',
    offered: (view) => view.sim !== null,
    load: async (parts) =>
      (await import('./simulation/simulation-page.ts')).createSimulationPage(parts),
  },
  {
    name: 'users',
    label: 'Users',
    icon: 'users',
    load: async (parts) => (await import('./users/users-page.ts')).createUsersPage(parts),
  },
];
