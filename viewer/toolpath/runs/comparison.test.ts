/** Two toolpaths differ in what was changed and in nothing else. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Toolpath } from '../../../contract/types.generated.ts';
import { previewToolpath } from '../preview.ts';
import { type ComparedProgram, compareSteps, differs } from './comparison.ts';

const url = new URL('../../../fixtures/toolpaths/pick-and-place.json', import.meta.url);
const toolpath = JSON.parse(readFileSync(url, 'utf8')) as Toolpath;

function program(change: (toolpath: Toolpath) => void = () => {}): ComparedProgram {
  const changed = structuredClone(toolpath);
  change(changed);
  const outcome = previewToolpath(changed);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return { toolpath: changed, path: outcome.value.path({}) };
}

const own = program();

it('finds no difference between a toolpath and itself', () => {
  const steps = compareSteps(own, program());
  expect(steps.length).toBeGreaterThan(5);
  expect(steps.filter(differs)).toEqual([]);
});

it('lists a step that only one of them has', () => {
  const index = toolpath.timeline.findIndex(({ type }) => type === 'wait');
  const shorter = program(({ timeline }) => void timeline.splice(index, 1));
  const different = compareSteps(own, shorter).filter(differs);
  expect(different).toHaveLength(1);
  expect(different[0]!.other_s).toBeNull();
  const [reversed] = compareSteps(shorter, own).filter(differs);
  expect(reversed!.own_s).toBeNull();
});

it('lists the moves with a different duration', () => {
  const slower = program(({ metadata }) => {
    metadata.default_max_speed = 0.05;
  });
  const different = compareSteps(own, slower).filter(differs);
  expect(different.length).toBeGreaterThan(0);
  for (const { own_s, other_s } of different) expect(other_s!).toBeGreaterThan(own_s!);
});
