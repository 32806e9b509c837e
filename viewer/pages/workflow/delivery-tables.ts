/** Tables of a delivery: the choices that it offers, and the attempts to send it. */
import type { Delivery, WhatIfChoice } from '../../../contract/types.generated.ts';
import { element, tableHead } from '../../ui/element.ts';
import { timeOfDayText } from '../../ui/value-text.ts';
import { cells } from './delivery-rows.ts';
import { idsText, reasonsText } from './delivery-text.ts';
import { durationText } from './run-figures.ts';

const CHOICE_TEXT: Record<WhatIfChoice['choice'], string> = {
  retry: 'Retry',
  complete_manually: 'Completed by hand',
  ignore: 'Skip',
  abort_labware: 'Give up the labware',
  stop: 'Stop the run',
};

/** What each choice for a failed task leads to, side by side. */
export function choicesTable(choices: readonly WhatIfChoice[]): HTMLElement {
  const rows = choices.map((one) => {
    const name = `${CHOICE_TEXT[one.choice]}${one.is_allowed ? '' : ' (not allowed)'}`;
    const end = one.makespan_s === null ? 'no plan' : durationText(one.makespan_s);
    const lost = idsText([...one.broken_limits, ...one.aborted_tasks]);
    const row = element('tr', {}, ...cells(name, end, lost || 'nothing'));
    if (one.makespan_s !== null || one.problems.length === 0) return row;
    // Below the name, over the whole width: in a column the reasons would be a tower of words.
    const given = lost === '' ? '' : ` Given up: ${lost}.`;
    const why = element('bdi', {}, `No plan: ${reasonsText(one.problems)}.${given}`);
    const reasons = element('p', { class: 'sub', title: one.problems.join('\n') }, why);
    row.replaceChildren(element('td', { colspan: '3' }, element('bdi', {}, name), reasons));
    return row;
  });
  return element(
    'table',
    { class: 'work-table', 'aria-label': 'Choices' },
    tableHead(['Choice', 'Run ends at', 'Broken or given up']),
    element('tbody', {}, ...rows),
  );
}

/** The attempts of a delivery as a table. */
export function attemptsTable({ attempts }: Delivery): HTMLElement {
  const rows = attempts.map(({ at, status, error, duration_ms }) => {
    const good = status !== null && status >= 200 && status < 300;
    const answer = element(
      'td',
      good ? {} : { class: 'bad' },
      status === null ? error : `${status}`,
    );
    const took = element('td', {}, `${Math.round(duration_ms)} ms`);
    return element('tr', {}, element('td', {}, timeOfDayText(new Date(at))), answer, took);
  });
  return element(
    'table',
    { class: 'work-table', 'aria-label': 'Attempts' },
    tableHead(['When', 'Answer', 'Took']),
    element('tbody', {}, ...rows),
  );
}

export function table(columns: readonly string[], rows: HTMLElement, label: string): HTMLElement {
  return element('table', { class: 'work-table', 'aria-label': label }, tableHead(columns), rows);
}
