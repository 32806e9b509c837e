/**
 * The panel of avoidance zones of the edited toolpath: a list in which one zone at a time shows its
 * form. Every change can be undone; scene and ghost update at once. §2.7. Also: the edits of zones.
 */
import { limits } from '../../contract/limits.ts';
import type { AvoidanceZone, Toolpath, Vector } from '../../contract/types.ts';
import {
  matrixToQuaternion,
  normaliseQuaternion,
  quaternionToMatrix,
} from '../../physics/math/rotation.ts';
import { button, element, icon, setAttribute, setText } from '../panels/element.ts';
import type { ToolpathPanel } from '../toolpath/toolpath-panel.ts';
import { zoneRow } from '../toolpath/toolpath-panel.ts';
import type { ToolpathView } from '../toolpath/toolpath-store.ts';
import type { ToolpathEditor } from './editor.ts';
import {
  choiceFormField,
  createFieldList,
  type FormField,
  numberFormField,
  textFormField,
} from './form-fields.ts';
import { poseFromValues, poseValues } from './gizmo-geometry.ts';

/** Edits of a toolpath's avoidance zones: add, remove, and the form fields of each. §2.7. Pure. */

/** Edge length of a new zone (m). */
const NEW_M = 0.1;
/** Distance of a new zone's centre from the tool (m), so that the tool is not inside it. */
const ASIDE_M = 0.25;
const AXES = ['x', 'y', 'z'] as const;
const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 };

/** The zones of a toolpath. */
export function zonesOf(toolpath: Toolpath): readonly AvoidanceZone[] {
  return toolpath.metadata.avoidance_zones ?? [];
}

function withZones(toolpath: Toolpath, zones: readonly AvoidanceZone[]): Toolpath {
  const { avoidance_zones: _, ...bare } = toolpath.metadata;
  const metadata = zones.length === 0 ? bare : { ...bare, avoidance_zones: [...zones] };
  return { ...toolpath, metadata };
}

/**
 * Corner (m, whole mm) of a new zone farther from the base than the tool, on or above the ground.
 */
function cornerBeside({ x, y, z }: Vector): Vector {
  const out = Math.hypot(x, y);
  const [along, across] = out > 0 ? [x / out, y / out] : [1, 0];
  const whole = (value: number) => Math.round(value * 1000) / 1000;
  return {
    x: whole(x + along * ASIDE_M - NEW_M / 2),
    y: whole(y + across * ASIDE_M - NEW_M / 2),
    z: whole(Math.max(z - NEW_M / 2, 0)),
  };
}

/** The toolpath with one more zone beside the tool tip (m); unchanged at the limit of zones. */
export function addZone(toolpath: Toolpath, tip: Vector): Toolpath {
  const zones = zonesOf(toolpath);
  if (zones.length >= limits.avoidance_zones) return toolpath;
  const taken = new Set(zones.map(({ name }) => name));
  const names = Array.from({ length: zones.length + 1 }, (_, i) => `Zone ${i + 1}`);
  const added: AvoidanceZone = {
    name: names.find((name) => !taken.has(name))!,
    position: cornerBeside(tip),
    orientation: UPRIGHT,
    dimensions: { x: NEW_M, y: NEW_M, z: NEW_M },
    avoid: 'inside',
  };
  return withZones(toolpath, [...zones, added]);
}

/** The toolpath without the zone of that index. */
export function removeZone(toolpath: Toolpath, index: number): Toolpath {
  return withZones(
    toolpath,
    zonesOf(toolpath).filter((_, i) => i !== index),
  );
}

type Set = (patch: Partial<AvoidanceZone>) => Toolpath;

/** Corner (mm) and rotations (°, about the base's axes). */
function placeFields({ position: p, orientation }: AvoidanceZone, set: Set) {
  const pose = new Float64Array(12);
  quaternionToMatrix(normaliseQuaternion(orientation) ?? UPRIGHT, pose);
  pose.set([p.x, p.y, p.z], 9);
  const values = poseValues(pose).map((value) => Number(value.toFixed(6)));
  const corner = AXES.map((axis, i) =>
    numberFormField({ label: `Corner ${axis}`, unit: 'mm', step: 10 }, values[i]!, (value) =>
      set({ position: { ...p, [axis]: Number((value / 1000).toPrecision(12)) } }),
    ),
  );
  const turns = AXES.map((axis, i) =>
    numberFormField({ label: `Turn ${axis}`, unit: '°', step: 5 }, values[3 + i]!, (value) =>
      set({ orientation: matrixToQuaternion(poseFromValues(values.with(3 + i, value))) }),
    ),
  );
  return { corner, turns };
}

/** Fields of the zone of that index; empty if there is none. */
export function zoneFields(toolpath: Toolpath, index: number): readonly FormField<Toolpath>[] {
  const zones = zonesOf(toolpath);
  const zone = zones[index];
  if (!zone) return [];
  const set: Set = (patch) =>
    withZones(
      toolpath,
      zones.map((one, i) => (i === index ? { ...one, ...patch } : one)),
    );
  const free = (name: string) =>
    name !== '' && zones.every((one, i) => i === index || one.name !== name);
  const { corner, turns } = placeFields(zone, set);
  const sizes = AXES.map((axis) =>
    numberFormField(
      { label: `Size ${axis}`, unit: 'mm', factor: 1000, step: 10, min: 1 },
      zone.dimensions[axis],
      (value) => set({ dimensions: { ...zone.dimensions, [axis]: value } }),
    ),
  );
  const kinds = [
    ['inside', 'Keep out'],
    ['outside', 'Keep inside'],
  ] as const;
  return [
    textFormField({ label: 'Name', maxLength: limits.name_max_characters }, zone.name, (name) =>
      free(name) ? set({ name }) : null,
    ),
    choiceFormField({ label: 'Rule', options: kinds }, zone.avoid, (avoid) =>
      set({ avoid: avoid === 'outside' ? 'outside' : 'inside' }),
    ),
    ...corner,
    ...sizes,
    ...turns,
  ];
}

const EMPTY = 'No zones. The arm may use its whole reach.';

export interface ZonesPanelParts {
  readonly editor: ToolpathEditor;
  /** Tool tip of the target pose (m); a new zone is placed beside it. */
  readonly targetTip: () => Vector;
}

class ZonesPanel implements ToolpathPanel {
  readonly element: HTMLElement;
  private readonly editor: ToolpathEditor;
  private readonly list = element('ul', { class: 'zone-list' });
  private readonly empty = element('p', { class: 'empty' }, EMPTY);
  private readonly end = element('span', { class: 'end' });
  private readonly add: HTMLButtonElement;
  private readonly form: HTMLElement;
  private readonly fields: ReturnType<typeof createFieldList<Toolpath>>;
  private opened: number | null = null;

  constructor({ editor, targetTip }: ZonesPanelParts) {
    this.editor = editor;
    this.fields = createFieldList<Toolpath>({
      fieldsOf: (index) => (editor.toolpath ? zoneFields(editor.toolpath, Number(index)) : []),
      onChange: (toolpath, { label }) =>
        this.change(() => toolpath, `zone ${this.opened} ${label}`),
      settle: () => editor.settle(),
    });
    this.add = button(
      { class: 'plain small' },
      () => {
        const count = this.zones().length;
        this.change((toolpath) => addZone(toolpath, targetTip()));
        this.openZone(count);
      },
      'Add zone',
    );
    const remove = button({ class: 'plain' }, () => this.remove(), icon('remove'), 'Remove zone');
    this.form = element('div', { class: 'zone-form' }, this.fields.element, remove);
    const head = element('header', { class: 'section-head' }, element('h2', {}, 'Zones'));
    head.append(this.end, this.add);
    const label = { class: 'panel zones-panel', 'aria-label': 'Zones' };
    this.element = element('section', label, head, this.empty, this.list);
  }

  update({ opened }: ToolpathView, before: ToolpathView | null): void {
    const zones = opened ? zonesOf(opened.toolpath) : [];
    if (before && zones === (before.opened ? zonesOf(before.opened.toolpath) : null)) return;
    setAttribute(this.element, 'hidden', opened === null);
    setText(this.end, zones.length > 0 ? `${zones.length} of ${limits.avoidance_zones}` : '');
    setAttribute(this.add, 'disabled', zones.length >= limits.avoidance_zones);
    setAttribute(this.empty, 'hidden', zones.length > 0);
    if (this.opened !== null && this.opened >= zones.length) this.opened = null;
    this.show(zones);
  }

  private zones(): readonly AvoidanceZone[] {
    return this.editor.toolpath ? zonesOf(this.editor.toolpath) : [];
  }

  private change(edit: (toolpath: Toolpath) => Toolpath, gesture?: string): void {
    this.editor.change((toolpath, selected) => ({ toolpath: edit(toolpath), selected }), gesture);
  }

  /** Shows the form of a zone and goes to its first field. */
  openZone(index: number): void {
    this.open(index);
    const first = this.form.querySelector('input');
    first?.focus();
    first?.select();
  }

  private open(index: number | null): void {
    this.opened = index;
    this.show(this.zones());
  }

  private remove(): void {
    const { opened } = this;
    this.opened = null;
    if (opened !== null) this.change((toolpath) => removeZone(toolpath, opened));
    this.add.focus();
  }

  /** Redraws the rows except the form, which may have the focus. */
  private show(zones: readonly AvoidanceZone[]): void {
    if (this.opened !== null) this.fields.show(`${this.opened}`);
    const rows = [...this.list.children];
    if (rows.length !== zones.length) this.list.replaceChildren(...zones.map(() => emptyRow()));
    for (const [i, zone] of zones.entries()) this.fill(this.list.children[i]!, { zone, index: i });
  }

  private fill(
    row: Element,
    { zone, index }: { readonly zone: AvoidanceZone; readonly index: number },
  ): void {
    const open = this.opened === index;
    const head = button(
      { class: 'zone-row', 'aria-expanded': String(open) },
      () => this.open(open ? null : index),
      ...zoneRow(zone),
      icon('chevron'),
    );
    const focused = row.firstElementChild === document.activeElement;
    if (row.firstElementChild) row.firstElementChild.replaceWith(head);
    else row.append(head);
    if (focused) head.focus();
    if (open && this.form.parentElement !== row) row.append(this.form);
    if (!open && this.form.parentElement === row) this.form.remove();
  }
}

function emptyRow(): HTMLElement {
  return element('li');
}

/** Creates the panel for the toolpath in `editor`. */
export function createZonesPanel(
  parts: ZonesPanelParts,
): ToolpathPanel & Pick<ZonesPanel, 'openZone'> {
  return new ZonesPanel(parts);
}
