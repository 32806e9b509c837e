/**
 * Edits JSON text in place: an edit changes only its own part, so that formatting, unknown
 * members, number digits and key order stay. Pure.
 */
import { type JsonNode, type JsonPath, nodeAt, readJson } from '../../../contract/json-text.ts';

/** A part of a text and what replaces it. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Replaces parts that do not overlap. */
export function changedText(text: string, changes: readonly TextChange[]): string {
  const ordered = [...changes].sort((a, b) => b.from - a.from);
  return ordered.reduce((now, one) => now.slice(0, one.from) + one.text + now.slice(one.to), text);
}

const INDENT = '  ';

function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))![0];
}

/** Where and how a new member stands before the member at `index`, or at the end. */
function insertion(text: string, parent: JsonNode, index: number) {
  const { members } = parent;
  const [first, before, after] = [members[0], members[index - 1], members[index]];
  if (!first) {
    const outer = indentAt(text, parent.from);
    const wrap = (member: string) => `\n${outer}${INDENT}${member}\n${outer}`;
    return { at: parent.from + 1, to: parent.to - 1, indent: outer + INDENT, wrap };
  }
  const isOwnLine = /\n[ \t]*$/.test(text.slice(parent.from, first.from));
  const indent = indentAt(text, first.from);
  const gap = isOwnLine ? `\n${indent}` : ' ';
  if (after) return { at: after.from, to: after.from, indent, wrap: (m: string) => `${m},${gap}` };
  const end = before!.node.to;
  return { at: end, to: end, indent, wrap: (member: string) => `,${gap}${member}` };
}

/** Inserts a value, written as JSON, into an object (with a key) or a list. */
export function withMember(
  text: string,
  parent: JsonNode,
  added: { readonly key?: string; readonly json: string; readonly index?: number },
): string {
  const { key, json, index = parent.members.length } = added;
  const { at, to, indent, wrap } = insertion(text, parent, index);
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
  const member = name + json.replaceAll('\n', `\n${indent}`);
  return changedText(text, [{ from: at, to, text: wrap(member) }]);
}

/** The change that removes a member with its comma. */
function removal({ from, to, members }: JsonNode, index: number): TextChange {
  const [removed, before, after] = [members[index]!, members[index - 1], members[index + 1]];
  if (after) return { from: removed.from, to: after.from, text: '' };
  if (before) return { from: before.node.to, to: removed.node.to, text: '' };
  return { from: from + 1, to: to - 1, text: '' };
}

/** Moves a member to another index; what stands between the members stays. */
export function withMoved(
  text: string,
  parent: JsonNode,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const sources = parent.members.map((member) => text.slice(member.from, member.node.to));
  sources.splice(to, 0, ...sources.splice(from, 1));
  const changes = parent.members.map((member, i) => {
    return { from: member.from, to: member.node.to, text: sources[i]! };
  });
  return changedText(text, changes);
}

/** Sets the value at a path, written as JSON; adds it, and objects on the way, where missing. */
export function withJsonValue(text: string, path: JsonPath, json: string): string {
  const read = readJson(text);
  if (!read.ok) return text;
  const { root } = read.value;
  const node = nodeAt(root, path);
  if (node) return changedText(text, [{ from: node.from, to: node.to, text: json }]);
  let depth = path.length - 1;
  while (!nodeAt(root, path.slice(0, depth))) depth--;
  const parent = nodeAt(root, path.slice(0, depth))!;
  if (parent.kind !== 'object') return text;
  const inner = path.slice(depth + 1).reduceRight((now, key) => {
    return `{ ${JSON.stringify(key)}: ${now} }`;
  }, json);
  return withMember(text, parent, { key: path[depth]!, json: inner });
}

/** Removes the value at a path; the text is unchanged if there is none. */
export function withoutJsonValue(text: string, path: JsonPath): string {
  const read = readJson(text);
  const parent = read.ok ? nodeAt(read.value.root, path.slice(0, -1)) : null;
  const index = parent?.members.findLastIndex(({ key }) => key === path.at(-1)) ?? -1;
  return parent && index >= 0 ? changedText(text, [removal(parent, index)]) : text;
}
