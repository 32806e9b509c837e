/**
 * Edits of a workflow definition as text: add, remove, rename and move tasks, instruments, labware
 * and limits of time. The references follow: the tasks of a piece stay one chain. A part that no
 * edit names stays as it is written. Pure.
 */

import { type JsonPath, nodeAt } from '../../../contract/json-text.ts';
import {
  type DefinitionItem,
  type DefinitionOutline,
  needsOf,
  outlineOf,
  PLACES,
  type TaskNeed,
  textAt,
} from './definition-outline.ts';
import {
  changedText,
  type TextChange,
  withJsonValue,
  withMoved,
  withoutJsonValue,
} from './json-edits.ts';

interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** The keys and values that name a task, an instrument or a piece of labware. */
function references(outline: DefinitionOutline, { section, id }: DefinitionItem): TextRange[] {
  const { root, items } = outline;
  const found: TextRange[] = [];
  const value = (path: JsonPath) => {
    const node = nodeAt(root, path);
    if (node && textAt(outline, path) === id) found.push({ from: node.from, to: node.to });
  };
  const members = (path: JsonPath, see: (path: JsonPath) => void, isNamed = false) => {
    for (const { key, from, keyTo } of nodeAt(root, path)?.members ?? []) {
      if (isNamed && key === id && keyTo > from) found.push({ from, to: keyTo });
      see([...path, key]);
    }
  };
  if (section === 'instruments') {
    for (const { path } of items.labware) value([...path, 'starting_location', 'instrument']);
    const arms = items.instruments.map(({ path }) => [...path, 'config', 'stations']);
    for (const stations of arms) members(stations, () => undefined, true);
  }
  for (const { path } of items.tasks) {
    const [sources, outputs] = [
      [...path, 'labware_sources'],
      [...path, 'labware_outputs'],
    ];
    if (section === 'labware') {
      const piece = (at: JsonPath) => value([...at, 'labware_id']);
      members(sources, piece, true);
      members(outputs, piece, true);
    } else if (section === 'tasks') {
      members([...path, 'dependencies'], value);
      members(sources, (at) => {
        value([...at, 'source_task']);
        members([...at, 'dependencies'], value);
      });
    }
  }
  if (section === 'tasks') {
    for (const { path } of items.limits) {
      value([...path, 'start_task_id']);
      value([...path, 'end_task_id']);
    }
  }
  return found;
}

/** Renames an item and all that names it; null where the name is empty or taken. */
export function renamed(outline: DefinitionOutline, item: DefinitionItem, id: string) {
  const others = outline.items[item.section].filter((other) => other !== item);
  if (id === '' || others.some((other) => other.id === id)) return null;
  const ranges = references(outline, item);
  const own = nodeAt(outline.root, [...item.path, 'id']);
  if (own) ranges.push({ from: own.from, to: own.to });
  if (item.section === 'tasks') {
    const { from, keyTo } = nodeAt(outline.root, PLACES.tasks)!.members[item.index]!;
    ranges.push({ from, to: keyTo });
  }
  const json = JSON.stringify(id);
  const text = changedText(
    outline.text,
    ranges.map((range) => ({ ...range, text: json })),
  );
  return own || item.section === 'tasks' ? text : withJsonValue(text, [...item.path, 'id'], json);
}

function taskNamed({ items }: DefinitionOutline, id: string): DefinitionItem | undefined {
  return items.tasks.find((task) => task.id === id);
}

function needOf(outline: DefinitionOutline, task: DefinitionItem | undefined, piece: string) {
  return task && needsOf(outline, task).find((need) => need.piece === piece);
}

/** The tasks of a piece in the order in which it goes through them; unlinked ones at the end. */
export function chainOf(outline: DefinitionOutline, piece: string): string[] {
  const users = outline.items.tasks.filter((task) => needOf(outline, task, piece));
  const links = users.map((task) => [task.id, needOf(outline, task, piece)!.source] as const);
  const isOpen = ([, source]: readonly [string, string]) =>
    !links.some(([id]) => id === source && source !== '');
  const chain: string[] = [];
  let next = links.find(isOpen);
  for (; next && !chain.includes(next[0]); ) {
    const [id] = next;
    chain.push(id);
    next = links.find(([, source]) => source === id);
  }
  return [...chain, ...links.map(([id]) => id).filter((id) => !chain.includes(id))];
}

/** The change of one part of a definition; none if it is missing. */
export function partChange(
  { text, root }: DefinitionOutline,
  path: JsonPath,
  change: (part: string) => string,
): TextChange[] {
  const node = nodeAt(root, path);
  if (!node) return [];
  const { from, to } = node;
  return [{ from, to, text: change(text.slice(from, to)) }];
}

function withSourceTask(part: string, wasStored: boolean, source: string | undefined): string {
  const type = source === undefined ? 'stored_labware' : 'labware_source';
  const typed = withJsonValue(part, ['type'], JSON.stringify(type));
  if (source === undefined) return withoutJsonValue(typed, ['source_task']);
  const named = withJsonValue(typed, ['source_task'], JSON.stringify(source));
  return wasStored ? withoutJsonValue(named, ['slot']) : named;
}

/** Lets every task of a chain take the piece from the one before, the first from its start. */
function linked(text: string, piece: string, chain: readonly string[]): string {
  const outline = outlineOf(text)!;
  const changes = chain.flatMap((id, i) => {
    const need = needOf(outline, taskNamed(outline, id), piece);
    if (!need) return [];
    const source = chain[i - 1];
    const wasStored = textAt(outline, [...need.path, 'type']) !== 'labware_source';
    if ((need.source || undefined) === source && wasStored === (source === undefined)) return [];
    return partChange(outline, need.path, (part) => withSourceTask(part, wasStored, source));
  });
  return changedText(text, changes);
}

/** A chain with a task behind those of its tasks that are listed above it. */
function placed(outline: DefinitionOutline, chain: readonly string[], id: string): string[] {
  const others = chain.filter((other) => other !== id);
  const own = taskNamed(outline, id)!.index;
  const after = others.findLastIndex((other) => taskNamed(outline, other)!.index < own);
  return others.toSpliced(after + 1, 0, id);
}

/** Moves an item in its list. A task also changes its place in the chains of its pieces. */
export function moved(outline: DefinitionOutline, item: DefinitionItem, to: number): string {
  const { section, index, id } = item;
  const text = withMoved(outline.text, nodeAt(outline.root, PLACES[section])!, {
    from: index,
    to,
  });
  if (section !== 'tasks') return text;
  const after = outlineOf(text)!;
  const [low, high] = [Math.min(index, to), Math.max(index, to)];
  const passed = outline.items.tasks.slice(low, high + 1).filter((other) => other !== item);
  return needsOf(outline, item).reduce((now, { piece }) => {
    if (!passed.some((other) => needOf(outline, other, piece))) return now;
    return linked(now, piece, placed(after, chainOf(outline, piece), id));
  }, text);
}

/** Lets a task take a piece from the task `source`, or from its start. */
export function withSource(
  outline: DefinitionOutline,
  task: DefinitionItem,
  { piece, source }: Pick<TaskNeed, 'piece' | 'source'>,
): string {
  const others = chainOf(outline, piece).filter((id) => id !== task.id);
  const after = source === '' ? -1 : others.indexOf(source);
  return linked(outline.text, piece, others.toSpliced(after + 1, 0, task.id));
}

/** Lets a task take one more piece, in the order of the list. */
export function withNeed(outline: DefinitionOutline, task: DefinitionItem, piece: string): string {
  const place = [...task.path, 'labware_sources'];
  const keys = nodeAt(outline.root, place)?.members.map(({ key }) => key) ?? [];
  let key = piece;
  while (keys.includes(key)) key += '_';
  const need = { type: 'stored_labware', labware_id: piece, destination_slot: 1 };
  const chain = placed(outline, [...chainOf(outline, piece), task.id], task.id);
  const text = withJsonValue(outline.text, [...place, key], JSON.stringify(need, null, 2));
  return linked(text, piece, chain);
}

/** Takes a piece from a task; the next task takes it from the one before. */
export function withoutNeed(
  outline: DefinitionOutline,
  task: DefinitionItem,
  { path, piece }: TaskNeed,
): string {
  const rest = chainOf(outline, piece).filter((id) => id !== task.id);
  const text = linked(withoutJsonValue(outline.text, path), piece, rest);
  const outputs = [...task.path, 'labware_outputs'];
  const now = outlineOf(text)!;
  return changedText(
    text,
    partChange(now, outputs, (part) => withoutPiece(part, piece)),
  );
}

/** An object or list of uses of labware without those of a piece. */
export function withoutPiece(part: string, piece: string): string {
  const uses = JSON.parse(part) as Readonly<
    Record<string, { readonly labware_id?: unknown } | null>
  >;
  const own = Object.keys(uses).filter((key) => uses[key]?.labware_id === piece);
  return own.reverse().reduce((now, key) => withoutJsonValue(now, [key]), part);
}
