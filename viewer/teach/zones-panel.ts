/**
 * The zones of the edited toolpath: a list, of which one at a time shows its form. Every change is
 * an edit that can be undone; the scene and the ghost follow it at once. Spec 2.7.
 */
import { limits } from '../../contract/limits.ts';
import type { AvoidanceZone, Toolpath, Vector } from '../../contract/types.ts';
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { icon } from '../panels/icons.ts';
import type { PlanPanel } from '../toolpath/plan-panel.ts';
import type { ToolpathView } from '../toolpath/toolpath-store.ts';
import { zoneWords } from '../toolpath/zone-words.ts';
import type { Editor } from './editor.ts';
import { createFieldList } from './field-view.ts';
import { addZone, removeZone, zoneFields, zonesOf } from './zone-edit.ts';

const EMPTY = 'No zones. The arm may go wherever it reaches.';

export interface ZonesPanelParts {
  readonly editor: Editor;
  /** Where the tip of the taught pose is (m); a new zone comes beside it. */
  readonly tip: () => Vector;
}

/** The panel; which zone's form shows is its own affair. */
class ZonesPanel implements PlanPanel {
  readonly element: HTMLElement;
  private readonly editor: Editor;
  private readonly list = element('ul', { class: 'zone-list' });
  private readonly empty = element('p', { class: 'empty' }, EMPTY);
  private readonly end = element('span', { class: 'end' });
  private readonly add: HTMLButtonElement;
  private readonly form: HTMLElement;
  private readonly fields: ReturnType<typeof createFieldList<Toolpath>>;
  private opened: number | null = null;

  constructor({ editor, tip }: ZonesPanelParts) {
    this.editor = editor;
    this.fields = createFieldList<Toolpath>({
      fieldsOf: (index) => (editor.toolpath ? zoneFields(editor.toolpath, Number(index)) : []),
      take: (toolpath, { words }) => this.change(() => toolpath, `zone ${this.opened} ${words}`),
      settle: () => editor.settle(),
    });
    this.add = button(
      { class: 'plain small' },
      () => {
        const count = this.zones().length;
        this.change((toolpath) => addZone(toolpath, tip()));
        this.open(count);
        this.form.querySelector('input')?.select();
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

  /** Draws the rows anew but for the form, whose fields may be being typed in. */
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
      ...zoneWords(zone),
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

/** The zones of what `editor` holds. */
export function createZonesPanel(parts: ZonesPanelParts): PlanPanel {
  return new ZonesPanel(parts);
}
