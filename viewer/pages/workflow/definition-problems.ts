/** Where the form of a definition says what is wrong with it. Pure. */
import { type JsonPath, pointerOf } from '../../../contract/json-text.ts';
import { FIELDS, GENERAL_FIELDS } from './definition-fields.ts';
import {
  type DefinitionItem,
  type DefinitionOutline,
  listAt,
  needsOf,
  PLACES,
  SECTIONS,
} from './definition-outline.ts';
import type { WorkflowFinding } from './workflow-state.ts';

/** The parts of an open item that the form shows. */
function placesOf(outline: DefinitionOutline, item: DefinitionItem): JsonPath[] {
  const fields = FIELDS[item.section].map(({ path }) => [...item.path, ...path]);
  if (item.section !== 'tasks') return fields;
  const needs = needsOf(outline, item).flatMap(({ path }) => [
    path,
    [...path, 'source_task'],
    [...path, 'destination_slot'],
  ]);
  const listed = [...item.path, 'dependencies'];
  const waits = listAt(outline, listed).map((_, i) => [...listed, String(i)]);
  return [...fields, ...needs, ...waits];
}

/**
 * What is wrong, by the JSON pointers of the places that the form shows: each problem at the nearest
 * place around it.
 */
export function problemTexts(
  outline: DefinitionOutline,
  open: DefinitionItem | null,
  errors: readonly WorkflowFinding[],
): ReadonlyMap<string, string> {
  const places = new Set(
    [
      [],
      ...GENERAL_FIELDS.map(({ path }) => path),
      ...SECTIONS.flatMap((section) => [
        PLACES[section],
        ...outline.items[section].map(({ path }) => path),
      ]),
      ...(open ? placesOf(outline, open) : []),
    ].map(pointerOf),
  );
  const texts = new Map<string, string>();
  for (const { path, message } of errors) {
    let pointer = path;
    while (!places.has(pointer)) pointer = pointer.slice(0, pointer.lastIndexOf('/'));
    const before = texts.get(pointer);
    texts.set(pointer, before ? `${before}; ${message}` : message);
  }
  return texts;
}
