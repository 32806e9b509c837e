import type { WorkflowActions } from './workflow-actions.ts';
import type { WorkflowState } from './workflow-state.ts';

/** What the panels of the Workflow page draw, and what they do. */
export interface WorkflowProps {
  readonly state: WorkflowState;
  readonly actions: WorkflowActions;
}
