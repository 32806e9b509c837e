/** A map of the deck from above with the arm, the nests and the labware. */

import type { LabwarePlace, RunMove } from '../../../contract/types.generated.ts';
import { REACH_M } from '../../../physics/arm/arm-model.ts';
import { createFrames, forward } from '../../../physics/kinematics/forward.ts';
import { FLANGE_TOOL, POSE_SIZE, toolPose } from '../../../physics/kinematics/tool.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import { element, setAttribute } from '../../ui/element.ts';
import { svg } from '../../ui/svg.ts';
import { type Deck, deckOf, type Nest, nestOf, PLATE_M, startingPlaces } from './deck-layout.ts';
import { armTimes } from './gantt-rows.ts';
import type { WorkflowPanel } from './workflow-panel.ts';
import type { WorkflowView } from './workflow-view.ts';

const GRID_M = 0.5;
const MARGIN_M = 0.16;
/** Names nearer to the middle than this stand above or below their nests, otherwise beside them. */
const SIDE_M = 0.2;
/** Space for the names beside the outermost nests. */
const NAME_M = 0.2;

function mm(metres: number): string {
  return (metres * 1000).toFixed(1);
}

function boxAt(nest: Nest, grow_m: number, name: string): SVGElement {
  const [x, y] = nest.at_m;
  const [w, h] = [PLATE_M.x + grow_m, PLATE_M.y + grow_m];
  const turn = ((-nest.turn_rad * 180) / Math.PI).toFixed(2);
  return svg('rect', {
    class: name,
    x: mm(-w / 2),
    y: mm(-h / 2),
    width: mm(w),
    height: mm(h),
    rx: 8,
    transform: `translate(${mm(x)} ${mm(-y)}) rotate(${turn})`,
  });
}

function mapLabel(at: readonly [number, number], name: string, text: string): SVGElement {
  const side = Math.abs(at[0]) < SIDE_M ? 'middle' : at[0] > 0 ? 'right' : 'left';
  return svg('text', { class: name, x: mm(at[0]), y: mm(-at[1]), 'data-side': side }, text);
}

/** Position of an instrument's name: beyond the middle of its nests, away from the base. */
function namePlace(nests: readonly Nest[]): readonly [number, number] {
  const mean = (axis: 0 | 1) => nests.reduce((sum, { at_m }) => sum + at_m[axis], 0) / nests.length;
  const [x, y] = [mean(0), mean(1)];
  const far = Math.max(...nests.map(({ at_m }) => Math.hypot(at_m[0], at_m[1])));
  const length = Math.hypot(x, y) || 1;
  const out = (far + 0.1) / length;
  return [x * out, y * out];
}

const PLATE_CHARACTERS = 4;

/** Short name of each plate: the distinguishing part of its id, truncated. */
export function plateNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const [first = '', ...others] = ids;
  let same = 0;
  while (
    others.length > 0 &&
    same < first.length &&
    others.every((id) => id[same] === first[same])
  ) {
    same++;
  }
  return new Map(
    ids.map((id) => {
      const rest = [...(id.slice(same) || id)];
      const cut = rest.length > PLATE_CHARACTERS;
      return [id, cut ? `…${rest.slice(1 - PLATE_CHARACTERS).join('')}` : rest.join('')];
    }),
  );
}

function ground(half_m: number): SVGElement[] {
  const lines: SVGElement[] = [];
  for (let at = -Math.ceil(half_m / GRID_M); at <= Math.ceil(half_m / GRID_M); at++) {
    const [place, end] = [mm(at * GRID_M), mm(2 * half_m)];
    lines.push(
      svg('path', { class: 'deck-grid', d: `M${place} -${end}V${end}M-${end} ${place}H${end}` }),
    );
  }
  const circle = { class: 'deck-reach', r: mm(REACH_M), cx: 0, cy: 0 };
  return [...lines, svg('circle', circle)];
}

function mapHalfWidth({ nests }: Deck): number {
  const reach = nests.map(({ at_m }) => Math.max(Math.abs(at_m[0]), Math.abs(at_m[1])));
  return Math.max(REACH_M, ...reach.map((most) => most + MARGIN_M));
}

/** Labware locations of the run; before a run, those of the definition. */
export function labwarePlaces({ run, definition }: WorkflowView): readonly LabwarePlace[] {
  return run && run.labware.length > 0 ? run.labware : startingPlaces(definition);
}

/** The active move. */
function currentMove({ run }: WorkflowView): RunMove | null {
  return run?.moves.find((move) => armTimes(move).to_s === null) ?? null;
}

class DeckMap implements WorkflowPanel {
  readonly element: HTMLElement;
  private readonly arm: ArmStore;
  private readonly drawing = svg('svg', { class: 'deck-map', role: 'img' });
  private readonly fixed = svg('g');
  private readonly loose = svg('g');
  private readonly armLine = svg('path', { class: 'deck-arm' });
  private readonly tip = svg('circle', { class: 'deck-tip', r: 16 });
  private readonly held = svg('g');
  private readonly list = element('ul', { class: 'sr-only', 'aria-label': 'Where labware is' });
  private readonly without = element('ul', { class: 'deck-places' });
  private readonly frames = createFrames();
  private readonly pose = new Float64Array(POSE_SIZE);
  private deck: Deck = { instruments: [], nests: [] };
  private here = false;

  constructor(arm: ArmStore) {
    this.arm = arm;
    setAttribute(this.drawing, 'aria-label', 'Deck from above');
    const base = svg('circle', { class: 'deck-base', r: 75 });
    this.drawing.append(this.fixed, this.loose, base, this.armLine, this.tip, this.held);
    this.element = element('div', { class: 'deck-body' }, this.drawing, this.list, this.without);
    arm.subscribe((view, before) => {
      if (this.here && view.snapshot !== before.snapshot) this.drawArm();
    });
  }

  update(view: WorkflowView, before: WorkflowView | null): void {
    if (view.definition !== before?.definition || before === null)
      this.setDefinition(view.definition);
    const places = labwarePlaces(view);
    this.drawLabware(places, currentMove(view));
    this.drawArm();
    const sentences = places.map((place) => this.sentence(place));
    const items = () => sentences.map((text) => element('li', {}, element('bdi', {}, text)));
    this.list.replaceChildren(...items());
    const bare = this.deck.nests.length === 0;
    this.without.replaceChildren(...(bare ? items() : []));
    this.drawing.classList.toggle('hidden', bare);
    this.here = !bare;
  }

  private sentence({ labware_id, instrument_id, slot }: LabwarePlace): string {
    if (instrument_id === null) return `${labware_id}: on the arm`;
    const { instruments } = this.deck;
    const name = instruments.find(({ id }) => id === instrument_id)?.name ?? instrument_id;
    return `${labware_id}: ${name}${slot === null ? '' : `, slot ${slot}`}`;
  }

  private setDefinition(definition: unknown): void {
    this.deck = deckOf(definition);
    const half_m = mapHalfWidth(this.deck);
    const wide_m = half_m + NAME_M;
    const box = [-wide_m, -half_m, 2 * wide_m, 2 * half_m].map(mm).join(' ');
    this.drawing.setAttribute('viewBox', box);
    const names = this.deck.instruments.flatMap(({ id, name }) => {
      const own = this.deck.nests.filter(({ instrument_id }) => instrument_id === id);
      return own.length > 0 ? [mapLabel(namePlace(own), 'deck-name', name)] : [];
    });
    const nests = this.deck.nests.map((nest) => boxAt(nest, 0.03, 'deck-nest'));
    this.fixed.replaceChildren(...ground(half_m), ...nests, ...names);
  }

  private drawLabware(places: readonly LabwarePlace[], move: RunMove | null): void {
    const names = plateNames(places.map(({ labware_id }) => labware_id));
    const plates = places.flatMap(({ labware_id, instrument_id, slot }) => {
      const nest = nestOf(this.deck, instrument_id, slot);
      if (!nest) return [];
      const at = [nest.at_m[0], nest.at_m[1]] as const;
      return [boxAt(nest, 0, 'deck-plate'), mapLabel(at, 'deck-label', names.get(labware_id)!)];
    });
    this.loose.replaceChildren(...plates, ...this.moveArc(move));
    const carried = places.find(({ instrument_id }) => instrument_id === null);
    const text = carried ? names.get(carried.labware_id)! : '';
    const nest: Nest = { instrument_id: '', slot: 0, at_m: [0, 0, 0], turn_rad: 0 };
    this.held.replaceChildren(
      ...(carried
        ? [boxAt(nest, 0, 'deck-plate deck-held'), mapLabel([0, 0], 'deck-label', text)]
        : []),
    );
  }

  /** An arc from source to destination of a move, bent about the base. */
  private moveArc(move: RunMove | null): SVGElement[] {
    if (!move) return [];
    const from = nestOf(this.deck, move.source_instrument_id, move.source_slot);
    const to = nestOf(this.deck, move.destination_instrument_id, move.destination_slot);
    if (!from || !to) return [];
    const [a, b] = [from.at_m, to.at_m];
    const middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] as const;
    const bend = `${mm(middle[0] * 1.25)} ${mm(-middle[1] * 1.25)}`;
    const d = `M${mm(a[0])} ${mm(-a[1])}Q${bend} ${mm(b[0])} ${mm(-b[1])}`;
    return [boxAt(to, 0.03, 'deck-target'), svg('path', { class: 'deck-path', d })];
  }

  private drawArm(): void {
    const joints = this.arm.view().snapshot?.['servos.telemetry.position'];
    if (!joints) return;
    forward(joints, this.frames);
    toolPose(this.frames, FLANGE_TOOL, this.pose);
    const elbow = (i: number) =>
      `${mm(this.frames[i * 12 + 9]!)} ${mm(-this.frames[i * 12 + 10]!)}`;
    const tip = `${mm(this.pose[9]!)} ${mm(-this.pose[10]!)}`;
    this.armLine.setAttribute('d', `M0 0L${elbow(3)}L${tip}`);
    this.tip.setAttribute('transform', `translate(${tip})`);
    this.held.setAttribute('transform', `translate(${tip})`);
  }
}

/** Creates the map; it updates the arm with each snapshot. */
export function createDeckMap(arm: ArmStore): WorkflowPanel {
  return new DeckMap(arm);
}
