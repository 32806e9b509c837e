/**
 * Obstacles in the simulated world that the arm's software does not know. The user types their
 * values or places them on the ground with a click into the scene. Lengths are in mm here and in m
 * in the API.
 */

import type { AddObstacleBody, SimObstacle, Vector } from '../../../contract/types.generated.ts';
import { reuseIfEqual } from '../../link/reuse-if-equal.ts';
import { heading } from '../../shell/heading.ts';
import { button, element, setAttribute } from '../../ui/element.ts';
import { createRowList } from '../../ui/row-list.ts';
import { AXES, MM_PER_M } from '../../ui/units.ts';
import { numberInput, textInput, type ValueInput } from '../../ui/value-input.ts';
import { decimal } from '../../ui/value-text.ts';
import type { SimulationContext, SimulationPanel } from './simulation-panel.ts';

export interface ObstaclesPanel extends SimulationPanel {
  /** Whether the next click into the scene places an obstacle. */
  placing(): boolean;
  /** Places an obstacle of the typed size on the ground at a point (m). */
  placeAt(x_m: number, y_m: number): void;
}

function lengthFields(label: string, values: readonly number[], min?: number): ValueInput<Vector> {
  const fields = AXES.map((axis, i) =>
    numberInput(`${label} ${axis}, mm`, {
      value: values[i]!,
      ...(min !== undefined && { min }),
    }),
  );
  const metres = (i: number) => (fields[i]!.read() ?? 0) / MM_PER_M;
  return {
    element: element('div', { class: 'simulation-line' }, ...fields.map((field) => field.element)),
    read: () => ({ x: metres(0), y: metres(1), z: metres(2) }),
  };
}

function obstacleText({ name, position: p, half: h }: SimObstacle): string {
  const mm = (value: number) => decimal(value * MM_PER_M, 0);
  const size = [h.x, h.y, h.z].map((half) => mm(2 * half)).join(' × ');
  return `${name}, ${size} mm at ${[p.x, p.y, p.z].map(mm).join(', ')}`;
}

/** The fields of a new obstacle. */
function createForm() {
  const name = textInput('Name', 'crate');
  const stiffness = numberInput('Stiffness, N/m', { value: 25_000, min: 100, max: 1_000_000 });
  const at = lengthFields('At', [400, 0, 50]);
  const size = lengthFields('Size', [100, 100, 100], 1);
  return {
    elements: [
      element('div', { class: 'simulation-line' }, name.element, stiffness.element),
      at.element,
      size.element,
    ],
    read(): AddObstacleBody {
      const size_m = size.read()!;
      const stiffness_n_per_m = stiffness.read();
      return {
        name: name.read() ?? 'obstacle',
        position: at.read()!,
        half: { x: size_m.x / 2, y: size_m.y / 2, z: size_m.z / 2 },
        ...(stiffness_n_per_m !== undefined && { stiffness_n_per_m }),
      };
    },
  };
}

function obstacleRow(obstacle: SimObstacle, remove: (obstacle: SimObstacle) => void): HTMLElement {
  return element(
    'li',
    {},
    element('span', { class: 'grow' }, obstacleText(obstacle)),
    button(
      { class: 'plain', 'aria-label': `Remove ${obstacle.name}` },
      () => remove(obstacle),
      'Remove',
    ),
  );
}

/** The panel of obstacles. */
export function createObstaclesPanel({ calls, view }: SimulationContext): ObstaclesPanel {
  const form = createForm();
  const rows = createRowList('No obstacles.');
  let placing = false;
  const placeButton = button(
    { class: 'plain', 'aria-pressed': 'false' },
    togglePlacing,
    'Place by click',
  );
  function togglePlacing(): void {
    placing = !placing;
    setAttribute(placeButton, 'aria-pressed', String(placing));
  }
  const refresh = async (): Promise<void> => {
    const reply = await calls.query((client) => client.listObstacles());
    const before = view().sim?.obstacles ?? null;
    const obstacles = reply && reuseIfEqual(before, reply.obstacles);
    if (obstacles && obstacles !== before) calls.patchView({ obstacles });
  };
  const refreshAfter = (call: Promise<unknown>): void => void call.then(refresh);
  const add = (body: AddObstacleBody): void =>
    refreshAfter(calls.run((client) => client.addObstacle(body)));
  const remove = (obstacle: SimObstacle): void =>
    refreshAfter(calls.run((client) => client.removeObstacle({ obstacle_id: obstacle.id })));
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Obstacles' },
    heading('Obstacles').element,
    ...form.elements,
    element(
      'div',
      { class: 'simulation-line' },
      button({ class: 'primary' }, () => add(form.read()), 'Add obstacle'),
      placeButton,
    ),
    ...rows.elements,
  );
  return {
    element: panel,
    update({ sim }) {
      setAttribute(panel, 'hidden', sim?.obstacles === null);
      const obstacles = sim?.obstacles ?? [];
      rows.set(JSON.stringify(obstacles), () => obstacles.map((one) => obstacleRow(one, remove)));
    },
    refresh,
    placing: () => placing,
    placeAt(x_m, y_m) {
      const body = form.read();
      add({ ...body, position: { x: x_m, y: y_m, z: body.half.z } });
      togglePlacing();
    },
  };
}
