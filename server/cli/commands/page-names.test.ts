/**
 * Pages with names of markup and script: every name is data of the page, and adds no element.
 * @module-tag ci
 */
import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import { expect, it } from 'vitest';
import {
  DOCUMENT_ID,
  type ExportDocument,
  type RecordingDocument,
} from '../../../contract/export-document.ts';
import type { Cell } from '../../../contract/types.generated.ts';
import { writePage } from './offline-page.ts';
import { PICK_AND_PLACE, rehearsed } from './rehearse.cases.ts';

const [IMAGE = '', SCRIPT = '', ...NAMES] = JSON.parse(
  readFileSync('fixtures/names/hostile.json', 'utf8'),
) as readonly string[];
const folder = mkdtempSync(join(tmpdir(), 'page-names-'));
/** Nothing of it says anything; the elements of its page are those of every page. */
const PLAIN = { kind: 'toolpath', name: '', made_by: '', text: '' } as const;

/** The elements of a page in order with their attributes, and the document in it. */
function parsed(path: string) {
  const { document } = parseHTML(readFileSync(path, 'utf8'));
  const elements = Array.from(document.querySelectorAll('*'), ({ localName, attributes }) => [
    localName,
    ...Array.from(attributes, ({ name, value }) => `${name}=${value}`),
  ]);
  const text = document.getElementById(DOCUMENT_ID)?.textContent ?? '';
  return { elements, shown: JSON.parse(text) as ExportDocument };
}

function written(document: ExportDocument) {
  const path = join(folder, 'written.html');
  writePage(document, path);
  return parsed(path);
}

it('the replay of a rehearsal has the names of the cell and of the toolpath as data', async () => {
  const text = readFileSync('fixtures/cells/trays.json', 'utf8');
  const ended = '</script><script>window.hostile=1</script>';
  const names = { 'part 1': SCRIPT, A1: ended, B1: `"><b>'`, gripper: IMAGE };
  const renamed = Object.entries(names).reduce(
    (all, [was, name]) => all.replaceAll(JSON.stringify(was), JSON.stringify(name)),
    text,
  );
  const [toolpath, html] = [join(folder, `${IMAGE}.json`), join(folder, 'run.html')];
  copyFileSync(PICK_AND_PLACE, toolpath);
  const { err } = await rehearsed('trays', toolpath, { cell: JSON.parse(renamed) as Cell, html });
  expect(err).toBe('');
  const { elements, shown } = parsed(html);
  expect(elements).toEqual(written(PLAIN).elements);
  const { name, remarks, cell } = shown as RecordingDocument;
  expect(name).toBe(IMAGE);
  const words = remarks.map((remark) => remark.words);
  expect(words).toContain(`${IMAGE} grasped ${SCRIPT} at ${ended}`);
  expect(cell[0]?.cell?.objects?.[0]?.name).toBe(SCRIPT);
});

it('a report has its facts and findings as data', () => {
  const all = [IMAGE, SCRIPT, ...NAMES];
  const report = {
    verdict: SCRIPT,
    facts: all.map((name) => [name, name] as const),
    findings: all,
    planned: SCRIPT,
  };
  const remarks = all.map((words, at_s) => ({ at_s, kind: 'log', words }) as const);
  const motion = { times_s: [], position_rad: '', velocity_rad_s: '' };
  const recorded = { metadata: null, motion, remarks, cell: [], report };
  const document: ExportDocument = { kind: 'recording', name: SCRIPT, made_by: IMAGE, ...recorded };
  const { elements, shown } = written(document);
  expect(elements).toEqual(written(PLAIN).elements);
  expect(shown).toEqual(document);
});
