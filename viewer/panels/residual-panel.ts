/**
 * How far a real arm is from the model that runs beside it, joint by joint: what a mirrored driver
 * tells an admin. In a chunk of its own, for most arms have no mirror.
 */
import type { JointDifference } from '../../contract/types.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import { element, setText } from './element.ts';
import { decimal, degrees } from './value-text.ts';

const ASK_MS = 1000;

function cell(unit: string) {
  const number = element('span', { class: 'number' });
  const place = element(
    'span',
    { class: 'value' },
    number,
    element('span', { class: 'unit' }, unit),
  );
  return { place, number };
}

function row(joint: number) {
  const [angle, torque] = [cell('°'), cell('Nm')];
  const most = element('span', { class: 'number quiet' });
  return {
    element: element(
      'div',
      { class: 'joint', title: `Joint ${joint + 1}: real minus model` },
      element('b', {}, `J${joint + 1}`),
      most,
      angle.place,
      torque.place,
    ),
    show(difference: JointDifference): void {
      setText(angle.number, decimal(degrees(difference.position_rad), 2));
      setText(torque.number, decimal(difference.torque_n_m, 1));
      setText(most, `max ${decimal(degrees(difference.position_max_rad), 2)}°`);
    },
  };
}

let shown = false;

/** Shows the differences at the end of the inspector, and goes on asking for them; once a page. */
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
  const panel = element('section', attributes, head, ...rows.map((one) => one.element));
  const ask = async () => {
    if (document.hidden || !calls.client()) return;
    const reply = await calls.call((client) => client.getServos());
    if (!reply.ok || !reply.value.mirror) return;
    if (!panel.isConnected) inspector.append(panel);
    for (const difference of reply.value.mirror) rows[difference.joint]?.show(difference);
  };
  void ask();
  setInterval(() => void ask(), ASK_MS);
}
