/**
 * The items of the form of a workflow definition: new items, and what goes with a removed one.
 * Pure.
 */

import { nodeAt } from '../../../contract/json-text.ts';
import { partChange, withoutNeed, withoutPiece } from './definition-edits.ts';
import { holders, idsOf, typesOf } from './definition-fields.ts';
import {
  type DefinitionItem,
  type DefinitionOutline,
  type DefinitionSection,
  needsOf,
  outlineOf,
  PLACES,
  textAt,
} from './definition-outline.ts';
import { changedText, withJsonValue, withMember, withoutJsonValue } from './json-edits.ts';

export const SECTION_TEXT = {
  instruments: { title: 'Instruments', one: 'instrument' },
  labware: { title: 'Labware', one: 'labware' },
  tasks: { title: 'Tasks', one: 'task' },
  limits: { title: 'Limits of time', one: 'limit' },
} as const satisfies Record<DefinitionSection, object>;

/** What a row says about an item beside its id. */
export function itemText(outline: DefinitionOutline, { section, path }: DefinitionItem): string {
  const at = (...keys: readonly string[]) => textAt(outline, [...path, ...keys]);
  if (section === 'tasks') {
    const seconds = at('time_estimate') && `${at('time_estimate')} s`;
    return [at('instrument', 'type'), seconds].filter(Boolean).join(', ');
  }
  if (section === 'labware') {
    return [at('starting_location', 'instrument'), at('starting_location', 'slot')].join(' ');
  }
  if (section === 'limits') return `${at('start_task_id')} → ${at('end_task_id')}`;
  return [...new Set([at('name'), at('type')])].filter(Boolean).join(', ');
}

function freeId(outline: DefinitionOutline, section: DefinitionSection, word: string): string {
  const taken = idsOf(outline, section);
  let number = taken.length + 1;
  while (taken.includes(`${word}_${number}`)) number++;
  return `${word}_${number}`;
}

function freeSlot(outline: DefinitionOutline, instrument: string): number {
  const taken = outline.items.labware.flatMap(({ path }) => {
    const place = [...path, 'starting_location'];
    const isThere = textAt(outline, [...place, 'instrument']) === instrument;
    return isThere ? [Number(textAt(outline, [...place, 'slot']))] : [];
  });
  let slot = 1;
  while (taken.includes(slot)) slot++;
  return slot;
}

function newItem(outline: DefinitionOutline, section: DefinitionSection, id: string): object {
  const { items } = outline;
  const last = (...path: readonly string[]) => {
    const item = items[section].at(-1);
    return item ? textAt(outline, [...item.path, ...path]) : '';
  };
  if (section === 'instruments') {
    const bench = last('bench');
    return { id, type: id, ...(bench && { bench }), capacity: 1 };
  }
  if (section === 'labware') {
    const instrument = last('starting_location', 'instrument') || (holders(outline)[0]?.[0] ?? '');
    const labware_type = last('labware_type');
    const starting_location = { instrument, slot: freeSlot(outline, instrument) };
    return { id, ...(labware_type && { labware_type }), starting_location };
  }
  if (section === 'tasks') {
    const type = last('instrument', 'type') || (typesOf(outline)[0] ?? '');
    const instrument = { type };
    return { id, instrument, action: type || 'run', time_estimate: 60, labware_sources: {} };
  }
  const [first = '', second = first] = idsOf(outline, 'tasks');
  const between = { start_task_id: first, end_task_id: second };
  return { id, type: 'end_to_start', ...between, max_duration: 600 };
}

/** Adds an item of defaults behind the others. */
export function withItem(
  outline: DefinitionOutline,
  section: DefinitionSection,
): { readonly text: string; readonly id: string } {
  const place = PLACES[section];
  const isObject = section === 'tasks';
  const word = section === 'labware' ? 'plate' : SECTION_TEXT[section].one;
  const id = freeId(outline, section, word);
  const json = JSON.stringify(newItem(outline, section, id), null, 2);
  const parent = nodeAt(outline.root, place);
  if (parent) {
    return { id, text: withMember(outline.text, parent, { ...(isObject && { key: id }), json }) };
  }
  const whole = isObject ? `{ ${JSON.stringify(id)}: ${json} }` : `[${json}]`;
  return { id, text: withJsonValue(outline.text, place, whole) };
}

/** Lets a task wait for another one. */
export function withDependency(
  { text, root }: DefinitionOutline,
  { path }: DefinitionItem,
  id: string,
): string {
  const place = [...path, 'dependencies'];
  const list = nodeAt(root, place);
  const json = JSON.stringify(id);
  return list ? withMember(text, list, { json }) : withJsonValue(text, place, `[${json}]`);
}

/** A list without the items that are `id`. */
function withoutListed(part: string, id: string): string {
  const list: unknown = JSON.parse(part);
  const own = Object.keys(list as object).filter((key) => Reflect.get(list as object, key) === id);
  return own.reverse().reduce((now, key) => withoutJsonValue(now, [key]), part);
}

function withoutTaskNames(outline: DefinitionOutline, { id }: DefinitionItem): string {
  const lists = outline.items.tasks.flatMap((task) => [
    [...task.path, 'dependencies'],
    ...needsOf(outline, task).map(({ path }) => [...path, 'dependencies']),
  ]);
  const isOf = ({ path }: DefinitionItem) =>
    ['start_task_id', 'end_task_id'].some((key) => textAt(outline, [...path, key]) === id);
  const limits = outline.items.limits.filter(isOf).reverse();
  const unlist = (part: string) => withoutListed(part, id);
  const changes = lists
    .filter((path) => nodeAt(outline.root, path)?.kind === 'array')
    .flatMap((path) => partChange(outline, path, unlist));
  const text = changedText(outline.text, changes);
  return limits.reduce((now, { path }) => withoutJsonValue(now, path), text);
}

function withoutLabwareUses(outline: DefinitionOutline, { id }: DefinitionItem): string {
  const uses = outline.items.tasks.flatMap(({ path }) => [
    [...path, 'labware_sources'],
    [...path, 'labware_outputs'],
  ]);
  const changes = uses
    .filter((path) => nodeAt(outline.root, path)?.members.length)
    .flatMap((path) => partChange(outline, path, (part) => withoutPiece(part, id)));
  return changedText(outline.text, changes);
}

/** Removes an item, and what names it: uses of labware, dependencies, limits, stations. */
export function withoutItem(outline: DefinitionOutline, item: DefinitionItem): string {
  const { items } = outline;
  let now = outline;
  const edit = (change: (of: DefinitionOutline) => string) => {
    now = outlineOf(change(now))!;
  };
  if (item.section === 'labware') edit((of) => withoutLabwareUses(of, item));
  if (item.section === 'tasks') {
    for (const need of needsOf(outline, item)) edit((of) => withoutNeed(of, item, need));
    edit((of) => withoutTaskNames(of, item));
  }
  if (item.section === 'instruments') {
    for (const { path } of items.instruments) {
      edit(({ text }) => withoutJsonValue(text, [...path, 'config', 'stations', item.id]));
    }
  }
  return withoutJsonValue(now.text, item.path);
}
