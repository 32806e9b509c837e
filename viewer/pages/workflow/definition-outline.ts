/**
 * The outline of a workflow definition, read from its text: tasks, instruments, labware and limits
 * of time. Pure.
 */
import { type JsonNode, type JsonPath, nodeAt, readJson } from '../../../contract/json-text.ts';

export const PLACES = {
  instruments: ['workcell', 'instruments'],
  labware: ['workflow', 'labware'],
  tasks: ['workflow', 'tasks'],
  limits: ['workflow', 'time_constraints'],
} as const satisfies Record<string, JsonPath>;

export type DefinitionSection = keyof typeof PLACES;
export const SECTIONS = Object.keys(PLACES) as readonly DefinitionSection[];

export interface DefinitionItem {
  readonly section: DefinitionSection;
  readonly id: string;
  readonly index: number;
  readonly path: JsonPath;
}

/** A definition, which may be wrong elsewhere, with its parts in the order of the text. */
export interface DefinitionOutline {
  readonly text: string;
  readonly root: JsonNode;
  readonly items: Readonly<Record<DefinitionSection, readonly DefinitionItem[]>>;
}

/** What a task takes: a piece, from its start or from the task `source`. */
export interface TaskNeed {
  readonly path: JsonPath;
  readonly piece: string;
  readonly source: string;
}

/** The text of a value: a string without quotes, anything else as it is written. */
export function textAt({ text, root }: DefinitionOutline, path: JsonPath): string {
  const node = nodeAt(root, path);
  if (!node) return '';
  const source = text.slice(node.from, node.to);
  return source.startsWith('"') ? (JSON.parse(source) as string) : source;
}

function itemsOf(text: string, root: JsonNode, section: DefinitionSection): DefinitionItem[] {
  const place = PLACES[section];
  const members = nodeAt(root, place)?.members ?? [];
  return members.map(({ key }, index) => {
    const path = [...place, key];
    const isTask = section === 'tasks';
    const id = isTask ? key : textAt({ text, root } as DefinitionOutline, [...path, 'id']);
    return { section, id, index, path };
  });
}

/** Reads a definition; null if the text is no JSON object. */
export function outlineOf(text: string): DefinitionOutline | null {
  const read = readJson(text);
  if (!read.ok || read.value.root.kind !== 'object') return null;
  const { root } = read.value;
  const listed = SECTIONS.map((section) => [section, itemsOf(text, root, section)]);
  return { text, root, items: Object.fromEntries(listed) as DefinitionOutline['items'] };
}

/** Whether items can be added: the part is missing, or of the right kind. */
export function canAdd({ root }: DefinitionOutline, section: DefinitionSection): boolean {
  const place = PLACES[section];
  const [outer, node] = [nodeAt(root, place.slice(0, 1)), nodeAt(root, place)];
  if (outer && outer.kind !== 'object') return false;
  return !node || node.kind === (section === 'tasks' ? 'object' : 'array');
}

/** What a task takes, in the order of the text. */
export function needsOf(outline: DefinitionOutline, task: DefinitionItem): TaskNeed[] {
  const place = [...task.path, 'labware_sources'];
  return (nodeAt(outline.root, place)?.members ?? []).map(({ key }) => {
    const path = [...place, key];
    const source = textAt(outline, [...path, 'source_task']);
    return { path, piece: textAt(outline, [...path, 'labware_id']), source };
  });
}

/** The items of a list of texts, such as `dependencies`. */
export function listAt(outline: DefinitionOutline, path: JsonPath): string[] {
  const members = nodeAt(outline.root, path)?.members ?? [];
  return members.map(({ key }) => textAt(outline, [...path, key]));
}
