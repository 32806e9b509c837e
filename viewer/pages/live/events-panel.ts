/** The list of events, newest first: those this page received, or the twin log. */

import { heading } from '../../shell/heading.ts';
import { eventRow, type LogRow, twinLogRows } from '../../shell/log-rows.ts';
import type { Panel } from '../../shell/panel.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { icon } from '../../ui/icon.ts';

const SHOWN_MAX = 60;

function itemOf({ kind, icon: name, time, title, text }: LogRow): HTMLElement {
  const item = { class: `event event-${kind}` };
  if (name === null) return element('li', item, text);
  return element(
    'li',
    item,
    element('time', { title: title || undefined }, time),
    icon(name),
    element('span', {}, text),
  );
}

/** The panel; it can switch to the twin log if there is one. */
export function createEventsPanel(): Panel {
  let showTwinLog = false;
  const toggle = button(
    { class: 'chip', 'aria-pressed': 'false', hidden: true },
    () => {
      showTwinLog = !showTwinLog;
      setAttribute(toggle, 'aria-pressed', String(showTwinLog));
    },
    'Twin log',
  );
  const head = heading('Events', toggle);
  const list = element('ol', { class: 'events-list' });
  const empty = element('p', { class: 'empty' });
  const panel = element(
    'section',
    { class: 'panel events', 'data-tab': 'events', 'aria-label': 'Events' },
    head.element,
    empty,
    list,
  );
  let drawn: readonly unknown[] | null = null;
  return {
    element: panel,
    update({ view }) {
      setAttribute(toggle, 'hidden', view.sim === null);
      const twinLog = showTwinLog ? view.sim?.log : undefined;
      const shown = twinLog ?? view.log;
      if (shown === drawn) return;
      drawn = shown;
      setText(empty, shown.length === 0 ? 'No events since this page was opened.' : '');
      const rows = twinLog
        ? twinLogRows(twinLog, SHOWN_MAX)
        : view.log.slice(0, SHOWN_MAX).map(eventRow);
      list.replaceChildren(...rows.map(itemOf));
    },
  };
}
