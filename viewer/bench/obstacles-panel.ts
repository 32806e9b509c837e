/**
 * Bodies that the arm's own software is never told of: typed in, or put on the ground with a
 * click into the scene. Lengths are millimetres here and metres on the wire.
 */
import type { AddObstacleBody, SimObstacle, Vector } from '../../contract/types.ts';
import { knownObstacles } from '../link/sim-link.ts';
import { button, element, setAttribute } from '../panels/element.ts';
import { heading } from '../panels/panel.ts';
import { decimal } from '../panels/value-text.ts';
import type { BenchPanel, BenchParts } from './bench-panel.ts';
import { createRows, type Entry, numberEntry, wordEntry } from './entries.ts';

export interface ObstaclesPanel extends BenchPanel {
  /** Whether the next click into the scene puts an obstacle there. */
  placing(): boolean;
  /** Puts an obstacle of the typed size on the ground at a point (m). */
  placeAt(x_m: number, y_m: number): void;
}

const MM_PER_M = 1000;
const AXES = ['x', 'y', 'z'] as const;

function lengths(words: string, values: readonly number[], low?: number): Entry<Vector> {
  const entries = AXES.map((axis, i) =>
    numberEntry(`${words} ${axis}, mm`, { value: values[i]!, ...(low !== undefined && { low }) }),
  );
  const at = (i: number) => (entries[i]!.read() ?? 0) / MM_PER_M;
  return {
    element: element('div', { class: 'bench-line' }, ...entries.map((entry) => entry.element)),
    read: () => ({ x: at(0), y: at(1), z: at(2) }),
  };
}

function rowWords({ name, position: p, half: h }: SimObstacle): string {
  const mm = (value: number) => decimal(value * MM_PER_M, 0);
  const size = [h.x, h.y, h.z].map((half) => mm(2 * half)).join(' × ');
  return `${name}, ${size} mm at ${[p.x, p.y, p.z].map(mm).join(', ')}`;
}

/** Entries for a new obstacle. */
function createForm() {
  const name = wordEntry('Name', 'crate');
  const stiffness = numberEntry('Stiffness, N/m', { value: 25_000, low: 100, high: 1_000_000 });
  const at = lengths('At', [400, 0, 50]);
  const size = lengths('Size', [100, 100, 100], 1);
  return {
    elements: [
      element('div', { class: 'bench-line' }, name.element, stiffness.element),
      at.element,
      size.element,
    ],
    read(): AddObstacleBody {
      const whole = size.read()!;
      const stiff = stiffness.read();
      return {
        name: name.read() ?? 'obstacle',
        position: at.read()!,
        half: { x: whole.x / 2, y: whole.y / 2, z: whole.z / 2 },
        ...(stiff !== undefined && { stiffness_n_per_m: stiff }),
      };
    },
  };
}

/** The panel of obstacles. */
export function createObstaclesPanel({ calls, view }: BenchParts): ObstaclesPanel {
  const form = createForm();
  const rows = createRows('Nothing stands in the way.');
  let placing = false;
  const click = button({ class: 'plain', 'aria-pressed': 'false' }, flip, 'Place by click');
  function flip(): void {
    placing = !placing;
    setAttribute(click, 'aria-pressed', String(placing));
  }
  const refresh = async (): Promise<void> => {
    const got = await calls.read((client) => client.listObstacles());
    const before = view().sim?.obstacles ?? null;
    const obstacles = got && knownObstacles(before, got.obstacles);
    if (obstacles && obstacles !== before) calls.learn({ obstacles });
  };
  const then = (done: Promise<unknown>): void => void done.then(refresh);
  const add = (body: AddObstacleBody): void =>
    then(calls.act((client) => client.addObstacle(body)));
  const row = (obstacle: SimObstacle): HTMLElement =>
    element(
      'li',
      {},
      element('span', { class: 'grow' }, rowWords(obstacle)),
      button(
        { class: 'plain', 'aria-label': `Remove ${obstacle.name}` },
        () => then(calls.act((client) => client.removeObstacle({ obstacle_id: obstacle.id }))),
        'Remove',
      ),
    );
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Obstacles' },
    heading('Obstacles').element,
    ...form.elements,
    element(
      'div',
      { class: 'bench-line' },
      button({ class: 'primary' }, () => add(form.read()), 'Add obstacle'),
      click,
    ),
    ...rows.elements,
  );
  return {
    element: panel,
    update({ sim }) {
      setAttribute(panel, 'hidden', sim?.obstacles === null);
      const obstacles = sim?.obstacles ?? [];
      rows.set(JSON.stringify(obstacles), () => obstacles.map(row));
    },
    refresh,
    placing: () => placing,
    placeAt(x_m, y_m) {
      const body = form.read();
      add({ ...body, position: { x: x_m, y: y_m, z: body.half.z } });
      flip();
    },
  };
}
