/** The fields of the items of a workflow definition, with their choices. Pure. */

import type { JsonPath } from '../../../contract/json-text.ts';
import {
  type DefinitionItem,
  type DefinitionOutline,
  type DefinitionSection,
  textAt,
} from './definition-outline.ts';
import { withJsonValue, withoutJsonValue } from './json-edits.ts';

type FieldChoice = readonly [value: string, label: string];

export interface DefinitionField {
  /** Path within the item. */
  readonly path: JsonPath;
  readonly label: string;
  /** `id` is a name that other parts refer to. */
  readonly kind: 'id' | 'text' | 'number' | 'choice';
  readonly choices?: (outline: DefinitionOutline) => readonly FieldChoice[];
}

/** The ids of a section, each once. */
export function idsOf({ items }: DefinitionOutline, section: DefinitionSection): string[] {
  return [...new Set(items[section].map(({ id }) => id))];
}

/** Values that are their own texts. */
export function same(values: readonly string[]): FieldChoice[] {
  return values.map((value) => [value, value]);
}

/** The types of the instruments that can do a task. */
export function typesOf(outline: DefinitionOutline): string[] {
  const types = outline.items.instruments.map(({ path }) => textAt(outline, [...path, 'type']));
  return [...new Set(types.filter((type) => type !== '' && type !== 'transport'))];
}

const tasks = (outline: DefinitionOutline) => same(idsOf(outline, 'tasks'));
export const holders = (outline: DefinitionOutline) => {
  const { items } = outline;
  const isArm = ({ path }: DefinitionItem) => textAt(outline, [...path, 'type']) === 'transport';
  return same(items.instruments.filter((item) => !isArm(item)).map(({ id }) => id));
};
const roles = (): FieldChoice[] => [
  ['', 'instrument'],
  ['buffer', 'buffer: the planner may put labware aside here'],
];
const limitTypes = (): FieldChoice[] => [
  ['end_to_start', 'from its end to the start'],
  ['start_to_end', 'from its start to the end'],
  ['start_to_start', 'from its start to the start'],
  ['end_to_end', 'from its end to the end'],
];
const policies = (): FieldChoice[] => [
  ['', 'go on'],
  ['pause', 'pause the run'],
  ['abort_labware', 'abort the labware'],
  ['stop', 'stop the run'],
];

export const FIELDS: Readonly<Record<DefinitionSection, readonly DefinitionField[]>> = {
  instruments: [
    { path: ['id'], label: 'Id', kind: 'id' },
    { path: ['name'], label: 'Name', kind: 'text' },
    { path: ['type'], label: 'Type', kind: 'text' },
    { path: ['capacity'], label: 'Slots', kind: 'number' },
    { path: ['bench'], label: 'Bench', kind: 'text' },
    { path: ['role'], label: 'Role', kind: 'choice', choices: roles },
  ],
  labware: [
    { path: ['id'], label: 'Id', kind: 'id' },
    { path: ['labware_type'], label: 'Type', kind: 'text' },
    {
      path: ['starting_location', 'instrument'],
      label: 'Starts in',
      kind: 'choice',
      choices: holders,
    },
    { path: ['starting_location', 'slot'], label: 'Slot', kind: 'number' },
    { path: ['barcode'], label: 'Barcode', kind: 'text' },
    { path: ['units'], label: 'Units', kind: 'number' },
  ],
  tasks: [
    { path: ['id'], label: 'Id', kind: 'id' },
    {
      path: ['instrument', 'type'],
      label: 'Instrument type',
      kind: 'choice',
      choices: (outline) => same(typesOf(outline)),
    },
    { path: ['action'], label: 'Action', kind: 'text' },
    { path: ['time_estimate'], label: 'Duration, s', kind: 'number' },
    { path: ['description'], label: 'Description', kind: 'text' },
  ],
  limits: [
    { path: ['id'], label: 'Id', kind: 'id' },
    { path: ['start_task_id'], label: 'After task', kind: 'choice', choices: tasks },
    { path: ['type'], label: 'Counts', kind: 'choice', choices: limitTypes },
    { path: ['end_task_id'], label: 'Of task', kind: 'choice', choices: tasks },
    { path: ['min_duration'], label: 'At least, s', kind: 'number' },
    { path: ['max_duration'], label: 'At most, s', kind: 'number' },
    { path: ['on_violation'], label: 'When broken', kind: 'choice', choices: policies },
  ],
};

/** The fields of the definition itself. */
export const GENERAL_FIELDS: readonly DefinitionField[] = [
  { path: ['name'], label: 'Name of the workflow', kind: 'text' },
  { path: ['workcell', 'transport_matrix', 'default'], label: 'Time of a move, s', kind: 'number' },
];

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** A typed value as JSON: a number where the field is one and it can be read, else a text. */
function fieldJson({ kind }: Pick<DefinitionField, 'kind'>, typed: string): string {
  return kind === 'number' && NUMBER.test(typed) ? typed : JSON.stringify(typed);
}

/** Sets a field; an empty one is removed. */
export function withField(
  { text }: DefinitionOutline,
  path: JsonPath,
  { field, typed }: { readonly field: DefinitionField; readonly typed: string },
): string {
  return typed === ''
    ? withoutJsonValue(text, path)
    : withJsonValue(text, path, fieldJson(field, typed));
}
