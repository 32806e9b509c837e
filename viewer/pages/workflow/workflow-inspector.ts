/**
 * The inspector of the Workflow page: the selected delivery with attempts and body, the selected
 * task or move, or an overview of waiting tasks.
 */

import type { RunDetails } from '../../../contract/types.generated.ts';
import { button, element } from '../../ui/element.ts';
import { type IconName, icon } from '../../ui/icon.ts';
import { deckOf } from './deck-layout.ts';
import { deliveryDetails } from './delivery-details.ts';
import { choicesTable } from './delivery-tables.ts';
import { deliveryStatus, idsText } from './delivery-text.ts';
import { type GanttBar, ganttRows, LATE_THRESHOLD_S, lateness_s } from './gantt-rows.ts';
import { definitionList, section } from './inspector-section.ts';
import { type Resolution, resolutionsOf } from './resolutions.ts';
import { durationText, runHeadText, waitsSince_s } from './run-figures.ts';
import type { WorkflowActions } from './workflow-actions.ts';
import type { WorkflowPanel } from './workflow-panel.ts';
import { shownPlan, type WorkflowView } from './workflow-view.ts';

const STATE_TEXT: Record<GanttBar['state'], string> = {
  planned: 'Planned',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  skipped: 'Skipped',
};

/** What a task waits for: in the end, with what would free it, or its time. */
function reasonTexts({ reasons, blocked_by }: RunDetails['waiting'][number]): readonly string[] {
  if (blocked_by.length === 0) return reasons;
  return blocked_by.map(({ text, freed_by }) => `${text}; it waits for ${freed_by}`);
}

function reasonsOf(run: RunDetails | null, bar: GanttBar): readonly string[] {
  const id = bar.key.slice('task/'.length);
  const waiting = run?.waiting.find(({ task_id }) => task_id === id);
  return waiting ? reasonTexts(waiting) : [];
}

/** What takes longer than planned, and until when. */
function lateTexts(run: RunDetails | null): readonly string[] {
  return (run?.late ?? []).map((one) => {
    const what = one.task_id ?? `the move of ${one.labware_id}`;
    const where = one.instrument_id === null ? '' : ` on ${one.instrument_id}`;
    const late = `late by ${durationText(one.late_s)}`;
    return `${what}${where}: ${late}, expected at ${durationText(one.expected_end_s)}`;
  });
}

const RESOLUTIONS: readonly (readonly [Resolution, IconName, string])[] = [
  ['retry', 'retry', 'Retry'],
  ['complete', 'done', 'Completed by hand'],
  ['skip', 'skip', 'Skip'],
];

/** What the definition of a failed task allows, as buttons; the first is the main one. */
function failureButtons(
  id: string,
  { definition }: WorkflowView,
  actions: WorkflowActions,
): HTMLElement {
  const allowed = resolutionsOf(definition, id);
  const shown = RESOLUTIONS.filter(([choice]) => allowed.includes(choice));
  const buttons = shown.map(([choice, sign, text], i) => {
    const press = () => void actions.resolveTask(id, choice);
    return button({ class: i === 0 ? 'primary' : 'plain' }, press, icon(sign), text);
  });
  const compare = () => void actions.compareChoices(id);
  buttons.push(button({ class: 'plain' }, compare, 'Compare the choices'));
  return element('div', { class: 'inspect-actions' }, ...buttons);
}

interface ShownBar {
  readonly bar: GanttBar;
  /** Name of its row. */
  readonly where: string;
}

function barDetails(
  { bar, where }: ShownBar,
  view: WorkflowView,
  actions: WorkflowActions,
): HTMLElement[] {
  const { planned, shown, state, error } = bar;
  const span = ({ from_s, to_s }: { from_s: number; to_s: number }) =>
    `${durationText(from_s)} to ${durationText(to_s)}`;
  const rows: [string, string][] = [
    ['State', STATE_TEXT[state]],
    [bar.kind === 'task' ? 'Instrument' : 'By', where],
  ];
  if (planned) rows.push(['Planned', span(planned)]);
  if (state !== 'planned') rows.push(['Actual', span(shown)]);
  else if (planned && planned.from_s !== shown.from_s) rows.push(['Now', span(shown)]);
  if (lateness_s(bar) > LATE_THRESHOLD_S) rows.push(['Late by', durationText(lateness_s(bar))]);
  if (error) rows.push(['Error', error]);
  const title = element(
    'p',
    { class: 'inspect-title' },
    element('b', {}, element('bdi', {}, bar.label)),
  );
  const parts = [section(bar.kind === 'task' ? 'Task' : 'Move', '', title, definitionList(rows))];
  const reasons = reasonsOf(view.run, bar);
  if (reasons.length > 0) parts.push(section('Waiting for', '', reasonList(reasons)));
  const id = bar.key.slice('task/'.length);
  if (bar.kind === 'task' && state === 'failed' && view.run?.state === 'paused') {
    parts.push(failureButtons(id, view, actions));
    const { choices } = view;
    if (choices?.task_id === id) parts.push(section('Choices', '', choicesTable(choices.list)));
  }
  return parts;
}

function reasonList(reasons: readonly string[]): HTMLElement {
  return element('ul', {}, ...reasons.map((text) => element('li', {}, element('bdi', {}, text))));
}

/** Executions with scattered durations: their ends, and how often each limit holds. */
function robustnessSection({ robustness }: WorkflowView, actions: WorkflowActions): HTMLElement {
  if (robustness === null) {
    const ask = () => void actions.robustness();
    const press = button({ class: 'plain' }, ask, icon('workflow'), 'Try 1,000 executions');
    return section('Robustness', '', press);
  }
  const percent = (share: number) => `holds in ${(100 * share).toFixed(1)} %`;
  return section(
    'Robustness',
    `${robustness.executions.toLocaleString('en')} executions`,
    definitionList([
      ['Planned end', durationText(robustness.planned_makespan_s)],
      ['Expected end', durationText(robustness.mean_makespan_s)],
      ['Nine of ten end by', durationText(robustness.p90_makespan_s)],
      ...robustness.limits.map(({ id, holds }) => [id, percent(holds)] as const),
    ]),
  );
}

/** Tasks by what they wait for: many tasks often wait for the same. */
export function waitingGroups(
  waiting: RunDetails['waiting'],
): readonly (readonly [reason: string, ids: readonly string[]])[] {
  const groups = new Map<string, string[]>();
  for (const one of waiting) {
    const reason = reasonTexts(one).join('; ');
    groups.set(reason, [...(groups.get(reason) ?? []), one.task_id]);
  }
  return [...groups];
}

function overview(view: WorkflowView, actions: WorkflowActions): HTMLElement[] {
  const { run, preview } = view;
  const plan = run ? run.plan : preview;
  const parts: HTMLElement[] = [];
  if (run?.message)
    parts.push(section('Run', '', element('p', {}, element('bdi', {}, runHeadText(run)))));
  if (plan) {
    const rows: [string, string][] = [
      ['Makespan', durationText(plan.makespan)],
      ['Lower bound', durationText(plan.lower_bound)],
      ['Moves', String(plan.transports.length)],
      ...(plan.cycle ? [['Period', durationText(plan.cycle.period_s)] as [string, string]] : []),
    ];
    parts.push(section('Plan', `no. ${plan.id}`, definitionList(rows)));
  }
  if (preview && !run) parts.push(robustnessSection(view, actions));
  const late = lateTexts(run);
  if (late.length > 0) parts.push(section('Late', `${late.length}`, reasonList(late)));
  const waiting = run?.waiting ?? [];
  const items = waitingGroups(waiting).map(([reason, ids]) =>
    element(
      'li',
      {},
      element('b', {}, element('bdi', {}, idsText(ids))),
      element('span', {}, `: ${reason}`),
    ),
  );
  if (items.length > 0) {
    parts.push(section('Waiting', `${waiting.length}`, element('ul', {}, ...items)));
  }
  if (parts.length === 0) {
    const hint = 'Select a bar or a delivery to see its details.';
    parts.push(section('Details', '', element('p', { class: 'empty' }, hint)));
  }
  return parts;
}

/** Key of the displayed content; equal keys need no redraw. */
function keyOf(view: WorkflowView, shown: unknown): string {
  const { run, preview } = view;
  return JSON.stringify([
    shown,
    run?.state,
    run?.message,
    run?.waiting,
    run?.late,
    run?.plan?.id,
    preview?.id,
    view.robustness,
    view.choices,
  ]);
}

/** Creates the inspector. */
export function createWorkflowInspector(actions: WorkflowActions): WorkflowPanel {
  const panel = element('aside', { class: 'work-inspector', 'aria-label': 'Details' });
  let drawn = '';
  return {
    element: panel,
    update(view) {
      const { selected, deliveries, run, firstPlan, definition } = view;
      const delivery =
        selected?.kind === 'delivery' ? deliveries.find(({ id }) => id === selected.id) : undefined;
      const rows =
        selected?.kind === 'bar'
          ? ganttRows({
              run,
              waitsSince_s: waitsSince_s(run, view.events),
              plan: shownPlan(view),
              firstPlan,
              instruments: deckOf(definition).instruments,
            })
          : [];
      const key = selected?.kind === 'bar' ? selected.key : '';
      const row = rows.find(({ bars }) => bars.some((bar) => bar.key === key));
      const bar = row?.bars.find((one) => one.key === key);
      const status = delivery && deliveryStatus(delivery, deliveries).text;
      const now = keyOf(view, [delivery ?? bar ?? null, status]);
      if (now === drawn) return;
      drawn = now;
      if (delivery) panel.replaceChildren(...deliveryDetails(delivery, view, actions));
      else if (bar && row)
        panel.replaceChildren(...barDetails({ bar, where: row.name }, view, actions));
      else panel.replaceChildren(...overview(view, actions));
    },
  };
}
