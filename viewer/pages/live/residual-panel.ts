/**
 * The difference between a mirrored arm and its model, per joint; for admins. Loaded as its own
 * chunk, because most arms are not mirrored.
 */

import type { JointDifference } from '../../../contract/types.generated.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import { element, setText } from '../../ui/element.ts';
import { decimal, degrees } from '../../ui/value-text.ts';

const POLL_MS = 1000;

function cell(unit: string) {
  const number = element('span', { class: 'number' });
  const value = element(
    'span',
    { class: 'value' },
    number,
    element('span', { class: 'unit' }, unit),
  );
  return { value, number };
}

function row(joint: number) {
  const [angle, torque] = [cell('°'), cell('Nm')];
  const maximum = element('span', { class: 'number quiet' });
  return {
    element: element(
      'div',
      { class: 'joint', title: `Joint ${joint + 1}: real minus model` },
      element('b', {}, `J${joint + 1}`),
      maximum,
      angle.value,
      torque.value,
    ),
    clear(): void {
      for (const text of [angle.number, torque.number]) setText(text, '–');
    },
    show(difference: JointDifference): void {
      setText(angle.number, decimal(degrees(difference.position_rad), 2));
      setText(torque.number, decimal(difference.torque_n_m, 1));
      setText(maximum, `max ${decimal(degrees(difference.position_max_rad), 2)}°`);
    },
  };
}

let shown = false;

/** Adds the panel at the end of the inspector and polls its values; only the first call counts. */
export function showResiduals(page: HTMLElement, calls: ArmCalls): void {
  const inspector = page.querySelector('.inspector');
  if (!inspector || shown) return;
  shown = true;
  const rows = [0, 1, 2, 3, 4, 5].map(row);
  const head = element('header', { class: 'section-head' }, element('h2', {}, 'Real minus model'));
  const attributes = {
    class: 'panel residuals',
    'data-tab': 'joints',
    'aria-label': 'Real minus model',
  };
  const panel = element('section', attributes, head, ...rows.map((each) => each.element));
  const poll = async () => {
    if (document.hidden || !calls.client()) return;
    const reply = await calls.call((client) => client.getServos());
    // A difference that is not known now must not stay on the page as if it were.
    if (!reply.ok || !reply.value.mirror) {
      for (const each of rows) each.clear();
      return;
    }
    if (!panel.isConnected) inspector.append(panel);
    for (const difference of reply.value.mirror) rows[difference.joint]?.show(difference);
  };
  void poll();
  setInterval(() => void poll(), POLL_MS);
}
