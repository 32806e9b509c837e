// @module-tag ci
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from '../../../contract/json-text.ts';
import { chainOf, moved, renamed, withNeed, withoutNeed, withSource } from './definition-edits.ts';
import { withField } from './definition-fields.ts';
import { withDependency, withItem, withoutItem } from './definition-items.ts';
import {
  type DefinitionOutline,
  type DefinitionSection,
  needsOf,
  outlineOf,
  SECTIONS,
  textAt,
} from './definition-outline.ts';

const FILES = new URL('../../../fixtures/', import.meta.url);
const ASSAY = readFileSync(new URL('workflows/assay.json', FILES), 'utf8');
const NAMES = JSON.parse(readFileSync(new URL('names/hostile.json', FILES), 'utf8')) as string[];
const PLATE = 'plate_1';

const outline = outlineOf(ASSAY)!;
const idsOf = ({ items }: DefinitionOutline, section: DefinitionSection) =>
  items[section].map(({ id }) => id);
const task = (of: DefinitionOutline, id: string) => of.items.tasks.find((one) => one.id === id)!;
/** The lines of a text that another one does not have. */
function newLines(text: string, before = ASSAY): string[] {
  const known = new Set(before.split('\n'));
  return text.split('\n').filter((line) => !known.has(line));
}

test('reads the parts of a definition in the order of the text', () => {
  expect(idsOf(outline, 'labware')).toEqual(['plate_1', 'plate_2', 'plate_3']);
  expect(idsOf(outline, 'tasks').slice(0, 3)).toEqual(['dispense_1', 'incubate_1', 'wash_1']);
  const numbered = outlineOf('{"workflow":{"tasks":{"10":{},"b":{},"2":{},"__proto__":{}}}}')!;
  expect(idsOf(numbered, 'tasks')).toEqual(['10', 'b', '2', '__proto__']);
  expect(outlineOf('[]')).toBeNull();
  expect(outlineOf('{')).toBeNull();
});

test('a field changes its own line only, and digits stay as they are typed', () => {
  const path = [...task(outline, 'wash_1').path, 'time_estimate'];
  const field = { path: [], label: '', kind: 'number' } as const;
  const set = (typed: string) => withField(outline, path, { field, typed });
  expect(newLines(set('41.50'))).toEqual(['        "time_estimate": 41.50,']);
  expect(newLines(set('1e400'))).toEqual(['        "time_estimate": 1e400,']);
  expect(newLines(set('forty'))).toEqual(['        "time_estimate": "forty",']);
  const tasks = (text: string) => (JSON.parse(text) as typeof sample).workflow.tasks['wash_1']!;
  const sample = { workflow: { tasks: {} as Record<string, object> } };
  expect(tasks(set(''))).not.toHaveProperty('time_estimate');
});

test('a task that passes others of its piece changes its place in the chain', () => {
  const up = outlineOf(moved(outline, task(outline, 'read_1'), 1))!;
  expect(idsOf(up, 'tasks').slice(0, 4)).toEqual(['dispense_1', 'read_1', 'incubate_1', 'wash_1']);
  expect(chainOf(up, PLATE)).toEqual(['dispense_1', 'read_1', 'incubate_1', 'wash_1', 'store_1']);
  const first = outlineOf(moved(up, task(up, 'read_1'), 0))!;
  const [need] = needsOf(first, task(first, 'read_1'));
  expect([need!.source, textAt(first, [...need!.path, 'type'])]).toEqual(['', 'stored_labware']);
  expect(chainOf(first, PLATE)[1]).toBe('dispense_1');
  // Behind tasks of other plates only, nothing but the order of the text changes.
  const far = moved(outline, task(outline, 'store_1'), 9);
  expect(newLines(far)).toEqual([]);
});

test('a source chosen for a task keeps one chain', () => {
  const text = withSource(outline, task(outline, 'wash_1'), { piece: PLATE, source: 'read_1' });
  const chain = ['dispense_1', 'incubate_1', 'read_1', 'wash_1', 'store_1'];
  expect(chainOf(outlineOf(text)!, PLATE)).toEqual(chain);
});

test('a task takes one more piece in the order of the list, and gives it back', () => {
  const added = withNeed(outline, task(outline, 'wash_2'), PLATE);
  const now = outlineOf(added)!;
  expect(chainOf(now, PLATE).at(-1)).toBe('wash_2');
  const need = needsOf(now, task(now, 'wash_2')).find(({ piece }) => piece === PLATE)!;
  const back = withoutNeed(now, task(now, 'wash_2'), need);
  expect(JSON.parse(back)).toEqual(JSON.parse(ASSAY));
});

test('a removed item takes with it what names it', () => {
  const waits = outlineOf(withDependency(outline, task(outline, 'read_2'), 'wash_1'))!;
  const without = withoutItem(waits, task(waits, 'wash_1'));
  expect(chainOf(outlineOf(without)!, PLATE)).toEqual([
    'dispense_1',
    'incubate_1',
    'read_1',
    'store_1',
  ]);
  expect(without).not.toContain('wash_1');
  const plate = withoutItem(outline, outline.items.labware[1]!);
  expect(plate).not.toContain('"plate_2"');
  const washer = outline.items.instruments.find(({ id }) => id === 'washer')!;
  const stations = (text: string) => text.split('"washer"').length;
  expect(stations(withoutItem(outline, washer))).toBe(stations(ASSAY) - 3);
});

test('a new item is the last of its list, and the text parses', () => {
  for (const start of [ASSAY, '{}', '{"workflow":{},"workcell":{}}']) {
    for (const section of SECTIONS) {
      const { text, id } = withItem(outlineOf(start)!, section);
      expect(idsOf(outlineOf(text)!, section).at(-1)).toBe(id);
    }
  }
});

test('any name is taken over by everything that has it, and back', () => {
  for (const name of NAMES) {
    for (const section of SECTIONS) {
      const item = outline.items[section][1]!;
      const text = renamed(outline, item, name)!;
      const now = outlineOf(text)!;
      expect(idsOf(now, section)[1]).toBe(name);
      expect(newLines(text).every((line) => line.includes(JSON.stringify(name)))).toBe(true);
      expect(renamed(now, now.items[section][1]!, item.id)).toBe(ASSAY);
    }
  }
  expect(renamed(outline, outline.items.tasks[0]!, 'wash_1')).toBeNull();
  expect(renamed(outline, outline.items.tasks[0]!, '')).toBeNull();
});

/** A definition as text, with members that no form shows, in an arbitrary layout. */
const TEXTS = fc.constantFrom(
  ASSAY,
  JSON.stringify(JSON.parse(ASSAY)),
  ASSAY.replaceAll('\n', '\r\n'),
  ASSAY.replaceAll(/^ +/gm, '\t'),
);

test('whatever is edited in whatever order, what was not edited stays', () => {
  const edit = fc.record({
    kind: fc.constantFrom('move', 'rename', 'remove', 'add', 'take', 'wait'),
    section: fc.constantFrom(...SECTIONS),
    at: fc.nat(),
    to: fc.nat(),
    name: fc.constantFrom(...NAMES),
  });
  fc.assert(
    fc.property(TEXTS, fc.array(edit, { maxLength: 6 }), (start, edits) => {
      let now = outlineOf(start)!;
      for (const { kind, section, at, to, name } of edits) {
        const items = now.items[section];
        const item = items[at % Math.max(items.length, 1)];
        if (!item) continue;
        const isTask = section === 'tasks';
        const text = {
          move: () => moved(now, item, to % items.length),
          rename: () => renamed(now, item, name) ?? now.text,
          remove: () => withoutItem(now, item),
          add: () => withItem(now, section).text,
          take: () => (isTask ? withNeed(now, item, now.items.labware[0]?.id ?? name) : now.text),
          wait: () => (isTask ? withDependency(now, item, items[to % items.length]!.id) : now.text),
        }[kind]();
        expect(readJson(text).ok).toBe(true);
        const count = { add: 1, remove: -1 }[kind as string] ?? 0;
        const after = outlineOf(text)!;
        expect(after.items[section].length).toBe(items.length + count);
        now = after;
      }
      const rest = JSON.parse(now.text) as Record<string, unknown>;
      expect(rest['metadata']).toEqual((JSON.parse(ASSAY) as typeof rest)['metadata']);
      for (const { id } of now.items.labware) {
        const chain = chainOf(now, id);
        expect(new Set(chain).size).toBe(chain.length);
      }
    }),
    { numRuns: 15 },
  );
});
