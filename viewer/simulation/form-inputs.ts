/**
 * Form fields of the Simulation page: labelled inputs, and forms generated from API schemas. The
 * generated forms offer every fault kind of the contract with its bounds. Also: size and mass of an
 * object, and what all panels of the Simulation page share.
 */

import type { ArmClient } from '../../contract/client.ts';
import { resolved, type Schema, type SchemaId, schemaOf } from '../../contract/schemas.ts';
import type { CellShape, SimClock } from '../../contract/types.ts';
import { jointName } from '../../physics/arm/arm-model.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore, ArmView, SimView } from '../link/arm-store.ts';
import { failureNotice } from '../link/commands.ts';
import { element, setAttribute } from '../panels/element.ts';
import { type NumberBounds, numberElement, typedNumber } from '../panels/number-input.ts';
import { ioName } from '../panels/value-text.ts';

/**
 * Common parts of the Simulation page's panels: the panel interface and the calls of the simulation
 * control API (/sim/v1). A failed call becomes the page's notice; a returned clock goes into the
 * store at once.
 */

/** A panel of the Simulation page. */
export interface SimulationPanel {
  readonly element: HTMLElement;
  /** Renders the view; called at most 20 times a second. */
  update(view: ArmView): void;
  /** Polls data that no stream delivers; called on page entry, then once a second. */
  refresh?(): Promise<void>;
}

/** What the panels receive. */
export interface SimulationContext {
  readonly calls: SimulationCalls;
  readonly view: () => ArmView;
}

export interface SimulationCalls {
  /** Runs a command; shows a notice and returns null when it fails. */
  run<Reply>(
    call: (client: ArmClient) => Promise<Reply>,
  ): Promise<{ readonly reply: Reply } | null>;
  /** Runs a query; returns null when it fails, without a notice. */
  query<Reply>(call: (client: ArmClient) => Promise<Reply>): Promise<Reply | null>;
  /** Merges a patch into the simulation view of the store. */
  patchView(patch: Partial<SimView>): void;
  setClock(clock: SimClock): void;
  /** Shows a notice. */
  showProblem(text: string): void;
}

/** Creates the calls over the signed-in client. */
export function createSimulationCalls(store: ArmStore, calls: ArmCalls): SimulationCalls {
  function patchView(patch: Partial<SimView>): void {
    const { sim } = store.view();
    if (sim) store.set({ sim: { ...sim, ...patch } });
  }
  return {
    patchView,
    setClock: (clock) => patchView({ clock }),
    showProblem: (text) => store.set({ notice: { text, code: '' } }),
    async run(call) {
      const outcome = await calls.call(call);
      if (!outcome.ok) {
        store.set({ notice: failureNotice(outcome.error) });
        return null;
      }
      if (store.view().notice) store.set({ notice: null });
      return { reply: outcome.value };
    },
    async query(call) {
      const outcome = await calls.call(call);
      return outcome.ok ? outcome.value : null;
    },
  };
}

/** A labelled input that is read as a value. */
export interface ValueInput<Value> {
  readonly element: HTMLElement;
  /** The value; undefined while the field is empty. */
  read(): Value | undefined;
}

interface NumberInputOptions extends NumberBounds {
  readonly value?: number;
}

function labelled(label: string, field: HTMLElement): HTMLElement {
  // Without aria-label, a select's options would become part of its accessible name.
  field.setAttribute('aria-label', label);
  return element('label', { class: 'simulation-field' }, element('span', {}, label), field);
}

/** Fields and buttons in one line of a form. */
export function inputLine(...parts: readonly HTMLElement[]): HTMLElement {
  return element('div', { class: 'simulation-line' }, ...parts);
}

/** A number input. */
export function numberInput(label: string, options: NumberInputOptions = {}): ValueInput<number> {
  const { value, ...bounds } = options;
  const text = value === undefined ? undefined : String(value);
  const field = numberElement({ class: 'field', value: text }, bounds);
  return { element: labelled(label, field), read: () => typedNumber(field.value) ?? undefined };
}

/** A one-line text input. */
export function textInput(label: string, value = ''): ValueInput<string> {
  const field = element('input', { type: 'text', class: 'field', value, spellcheck: 'false' });
  return { element: labelled(label, field), read: () => field.value.trim() || undefined };
}

/** A select; an option with an empty value means none. */
export function selectInput(
  label: string,
  options: readonly (readonly [value: string, label: string])[],
  onChange: (value: string) => void = () => undefined,
): ValueInput<string> {
  const field = element(
    'select',
    { class: 'field' },
    ...options.map(([value, text]) => element('option', { value }, text)),
  );
  field.addEventListener('change', () => onChange(field.value));
  return { element: labelled(label, field), read: () => field.value || undefined };
}

/** A list of rows; shows `empty` while there are none. */
export function createRowList(emptyText: string, forAll?: HTMLButtonElement) {
  const list = element('ul', { class: 'simulation-rows' });
  const empty = element('p', { class: 'empty' }, emptyText);
  let shownKey = '';
  if (forAll) setAttribute(forAll, 'disabled', true);
  return {
    elements: [empty, list] as const,
    /** Renders the rows again when `key` has changed. */
    set(key: string, render: () => readonly HTMLElement[]): void {
      if (key === shownKey) return;
      shownKey = key;
      const rows = render();
      list.replaceChildren(...rows);
      empty.hidden = rows.length > 0;
      if (forAll) setAttribute(forAll, 'disabled', rows.length === 0);
    },
  };
}

interface Bounds extends Schema {
  readonly minimum?: number;
  readonly maximum?: number;
}

const UNITS: Readonly<Record<string, string>> = {
  s: 's',
  rad: 'rad',
  rad_s: 'rad/s',
  c: '°C',
};
const JOINTS = ['0', '1', '2', '3', '4', '5'].map(
  (joint) => [joint, jointName(Number(joint))] as const,
);

/** `sensor_noise` as "Sensor noise". */
export function readableName(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Whether a field such as `part_present_input` holds an input or an output of the arm. */
export function sideOf(field: string): 'input' | 'output' | null {
  if (field.endsWith('input')) return 'input';
  return field.endsWith('output') ? 'output' : null;
}

/** A choice as text: lines of the arm have the names of the Live page, other words are readable. */
export function choiceText(field: string, value: string): string {
  const side = sideOf(field);
  return side ? ioName(value, side) : readableName(value);
}

/** `delay_s` as "Delay, s". */
export function fieldLabel(name: string): string {
  const [label, unit] = splitUnit(name);
  return unit ? `${label}, ${unit}` : label;
}

/** `delay_s` and 0.5 as "delay 0.5 s". */
export function valueText(name: string, value: number): string {
  const [label, unit] = splitUnit(name);
  return `${label.toLowerCase()} ${value}${unit && ` ${unit}`}`;
}

/** Splits a wire name into a readable name and its unit; the unit may be empty. */
function splitUnit(name: string): readonly [label: string, unit: string] {
  const unit = Object.keys(UNITS)
    .sort((a, b) => b.length - a.length)
    .find((suffix) => name.endsWith(`_${suffix}`));
  if (!unit) return [readableName(name), ''];
  return [readableName(name.slice(0, -unit.length - 1)), UNITS[unit]!];
}

function fieldFor(name: string, schema: Schema, required: boolean): ValueInput<string | number> {
  const rules = resolved(schema) as Bounds;
  const label = fieldLabel(name);
  if (name === 'joint') {
    const joint = selectInput(label, JOINTS);
    return { element: joint.element, read: () => Number(joint.read()) };
  }
  if (rules.enum) {
    const options = rules.enum.map((value) => [`${value}`, choiceText(name, `${value}`)] as const);
    return selectInput(label, required ? options : [['', 'any'], ...options]);
  }
  if (rules.type !== 'number' && rules.type !== 'integer') return textInput(label);
  const { minimum, maximum } = rules;
  return numberInput(label, {
    ...(minimum !== undefined && { min: minimum }),
    ...(maximum !== undefined && { max: maximum }),
    whole: rules.type === 'integer',
  });
}

export interface SchemaForm {
  readonly elements: readonly HTMLElement[];
  /** The request body without the empty fields. */
  read(): object;
}

/** A form with one field for each property except the tag. */
function createSchemaForm(rules: Schema, tag: string): SchemaForm {
  const properties = Object.entries(rules.properties ?? {}).filter(([name]) => name !== tag);
  const fields = properties.map(([name, schema]) => {
    return [name, fieldFor(name, schema, rules.required?.includes(name) ?? false)] as const;
  });
  return {
    elements: fields.map(([, field]) => field.element),
    read: () =>
      Object.fromEntries(
        fields.map(([name, { read }]) => [name, read()]).filter(([, value]) => value !== undefined),
      ),
  };
}

export interface SchemaVariant {
  readonly name: string;
  readonly description: string;
  form(): SchemaForm;
}

/** The variants of a tagged union schema, each with its form. */
export function schemaVariants(id: SchemaId): readonly SchemaVariant[] {
  const { oneOf = [], discriminator } = schemaOf(id);
  const tag = discriminator?.propertyName ?? 'kind';
  return oneOf.map((each) => {
    const rules = resolved(each);
    const name = String(rules.properties?.[tag]?.const);
    return {
      name,
      description: rules.description ?? '',
      form() {
        const form = createSchemaForm(rules, tag);
        return { elements: form.elements, read: () => ({ [tag]: name, ...form.read() }) };
      },
    };
  });
}

const MM_PER_M = 1000;
const G_PER_KG = 1000;

/** Inputs for the numbers of a shape, by the names of the API. */
export function shapeInputs(shape: CellShape) {
  const flat =
    shape.kind === 'box'
      ? Object.entries(shape.size_m)
      : Object.entries(shape).filter(([name]) => name.endsWith('_m'));
  const inputs = flat.map(([name, value]): [string, ValueInput<number>] => {
    const label = shape.kind === 'box' ? `Size ${name}` : name.replace('_m', '');
    const millimetres = Number(((value as number) * MM_PER_M).toFixed(2));
    return [name, numberInput(`${label}, mm`, { value: millimetres, min: 0.1 })];
  });
  return {
    elements: inputs.map(([, input]) => input.element),
    read(): CellShape {
      const sizes = Object.fromEntries(
        inputs.map(([name, input]) => [name, (input.read() ?? 1) / MM_PER_M]),
      );
      return (shape.kind === 'box' ? { ...shape, size_m: sizes } : { ...shape, ...sizes }) as never;
    },
  };
}

/** Input for a mass (kg). */
export function massInput(mass_kg: number): ValueInput<number> {
  const grams = Number((mass_kg * G_PER_KG).toFixed(1));
  const input = numberInput('Mass, g', { value: grams, min: 0.1 });
  return { element: input.element, read: () => (input.read() ?? 1) / G_PER_KG };
}
