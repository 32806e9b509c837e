/**
 * The panel of avoidance zones of the edited toolpath: a list in which one zone at a time shows
 * its form. Every change can be undone; scene and ghost update at once. §2.7.
 */

import { limits } from '../../../contract/limits.ts';
import type { AvoidanceZone, Toolpath, Vector } from '../../../contract/types.generated.ts';
import type { ToolpathEditor } from '../../toolpath/toolpath-editor.ts';
import type { ToolpathPanel } from '../../toolpath/toolpath-panel.ts';
import type { ToolpathView } from '../../toolpath/toolpath-view.ts';
import { zoneRow } from '../../toolpath/zone-row.tsx';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { createFieldList } from '../../ui/field-list.ts';
import { icon } from '../../ui/icon.ts';
import { addZone, removeZone, zoneFields, zonesOf } from './zone-edit.ts';

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
