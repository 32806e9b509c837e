/** What the Gantt chart says in words. Pure. */
import { type GanttBar, LATE_THRESHOLD_S, lateness_s } from './gantt-rows.ts';
import { durationText } from './run-figures.ts';
import type { WorkflowState } from './workflow-state.ts';

/** Accessible description of a bar. */
export function barSentence(bar: GanttBar, where: string): string {
  const { planned, shown, state, label, error } = bar;
  const from = `${durationText(shown.from_s)} to ${durationText(shown.to_s)}`;
  const plan = planned
    ? `, planned ${durationText(planned.from_s)} to ${durationText(planned.to_s)}`
    : '';
  const late = lateness_s(bar) > LATE_THRESHOLD_S ? `, ${durationText(lateness_s(bar))} late` : '';
  const piece = bar.labware === '' || label.includes(bar.labware) ? '' : `, ${bar.labware}`;
  const what = `${label}${piece}, ${where}, ${state}`;
  return `${what}, ${from}${plan}${late}${error ? `: ${error}` : ''}`;
}

/** What the plan beside the editor is. */
export function draftText({ draftPlan, isPlanning, checks }: WorkflowState): string {
  if (isPlanning.value) return 'Planning';
  if (!draftPlan.value) return '';
  if (checks.value.errors.length > 0) return 'of the last text without errors';
  return `ends after ${durationText(draftPlan.value.makespan)}`;
}

/** What the chart says while it is empty. */
export function emptyText(state: WorkflowState): string {
  const run = state.run.value;
  const isBeside = state.mode.value === 'json';
  const isOnItsWay = isBeside ? state.isPlanning.value : state.busy.value && !run;
  if (isOnItsWay) return 'Planning…';
  const { checked, errors } = state.checks.value;
  if (isBeside && checked && errors.length === 0) {
    return 'There is nothing to plan yet: add a task.';
  }
  if (isBeside) return 'The plan appears here when the text has no errors.';
  if (run) {
    return 'Only the events of this run are available, because the server has restarted since.';
  }
  return state.draft.value.workflow_id === null
    ? 'Save the definition, then plan it.'
    : 'Plan the workflow to see it here.';
}
