/** What the twin itself tells: its log by tick, and what touches what right now. */
import type { SimLogEvent } from '../../contract/types.ts';
import type { ArmView } from '../link/arm-store.ts';
import { element, setText } from '../panels/element.ts';
import { twinLine } from '../panels/events-panel.ts';
import { heading } from '../panels/panel.ts';
import { decimal } from '../panels/value-text.ts';
import type { BenchPanel } from './bench-panel.ts';

const SHOWN_MAX = 100;
/** What touches what, with the force. */
export function touchWords({ sim }: ArmView): string {
  const touches = sim?.touches ?? [];
  if (touches.length === 0) return 'Nothing touches.';
  const one = ({ link, obstacle, force_n }: (typeof touches)[number]) =>
    `${link === 7 ? 'Tool' : `Link ${link}`} touches ${obstacle}, ${decimal(force_n, 1)} N`;
  return `${touches.map(one).join('; ')}.`;
}

/** The panel of the twin's own log. */
export function createTwinLogPanel(): BenchPanel {
  const list = element('ol', { class: 'bench-log', tabindex: '0' });
  const touching = element('p', { class: 'wrap', role: 'status' });
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': "Twin's log" },
    heading("Twin's log").element,
    touching,
    list,
  );
  let drawn: readonly SimLogEvent[] | null = null;
  return {
    element: panel,
    update(view) {
      setText(touching, touchWords(view));
      const log = view.sim?.log ?? [];
      if (log === drawn) return;
      drawn = log;
      list.replaceChildren(...log.slice(0, SHOWN_MAX).map(twinLine));
    },
  };
}
