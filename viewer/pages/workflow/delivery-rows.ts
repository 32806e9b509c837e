/** The rows of the webhook deliveries in the log. */

import type { Delivery } from '../../../contract/types.generated.ts';
import { button, element, setAttribute } from '../../ui/element.ts';
import { icon } from '../../ui/icon.ts';
import {
  bodyOf,
  bodyText,
  type DeliveryStatus,
  deliveryStatus,
  hookText,
  timeText,
} from './delivery-text.ts';
import type { WorkflowView } from './workflow-view.ts';

export function cells(...texts: readonly string[]): HTMLElement[] {
  return texts.map((text) => element('td', {}, element('bdi', {}, text)));
}

/** The rows of deliveries; unchanged rows are reused, so that the focus stays. */
export class DeliveryRows {
  readonly body = element('tbody');
  private readonly kept = new Map<number, { look: string; row: HTMLElement }>();
  private readonly select: (id: number) => void;

  constructor(select: (id: number) => void) {
    this.select = select;
  }

  draw(deliveries: readonly Delivery[], { selected, deliveries: all }: WorkflowView): void {
    const chosen = selected?.kind === 'delivery' ? selected.id : null;
    const rows = deliveries.map((one) => {
      const status = deliveryStatus(one, all);
      const look = `${status.text} ${one.attempts.length}`;
      const old = this.kept.get(one.id);
      const row = old?.look === look ? old.row : this.row(one, status);
      this.kept.set(one.id, { look, row });
      setAttribute(row, 'aria-selected', String(one.id === chosen));
      return row;
    });
    const same = rows.length === this.body.childElementCount;
    if (!same || rows.some((row, i) => row !== this.body.children[i])) {
      this.body.replaceChildren(...rows);
    }
  }

  private row(one: Delivery, look: DeliveryStatus): HTMLElement {
    const { attempts, hook_type, body } = one;
    const last = attempts.at(-1);
    const answer = last ? String(last.status ?? last.error) : '';
    const content = bodyOf(body);
    const state = element('td', { class: 'delivery-state', 'data-tone': look.tone });
    state.append(icon(look.icon), look.text);
    const open = button(
      { class: 'link' },
      () => this.select(one.id),
      timeText(content) || `${one.id}`,
    );
    setAttribute(open, 'aria-label', `Delivery ${one.id}`);
    setAttribute(open, 'title', `Delivery ${one.id}`);
    const row = element(
      'tr',
      { 'data-delivery': String(one.id) },
      element('th', { scope: 'row' }, open),
    );
    const took = last ? `${Math.round(last.duration_ms)} ms` : '';
    row.append(
      ...cells(hookText(hook_type), bodyText(content), answer, `${attempts.length}`, took),
    );
    row.append(state);
    row.addEventListener('click', () => this.select(one.id));
    return row;
  }
}
