import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import type { Toolpath } from '../../../contract/types.generated.ts';
import { shapeProblems } from '../../toolpath/shape-check.ts';
import { emptyToolpath } from '../../toolpath/toolpath-edit.ts';
import { addZone, removeZone, zoneFields, zonesOf } from './zone-edit.ts';

const sorter = JSON.parse(
  readFileSync(new URL('../../../fixtures/toolpaths/sorter.json', import.meta.url), 'utf8'),
) as Toolpath;
const TIP = { x: 0.3, y: -0.4, z: 0.02 };

/** The toolpath with one field of its first zone set; null if the text is invalid. */
function set(toolpath: Toolpath, label: string, text: string): Toolpath | null {
  const field = zoneFields(toolpath, 0).find((each) => each.label === label);
  if (!field) throw new Error(`no field ${label}`);
  return field.set(text);
}

describe('zones', () => {
  it('are added beside the tool, on the ground or above, up to the limit', () => {
    let toolpath = emptyToolpath();
    for (let i = 0; i < limits.avoidance_zones; i++) toolpath = addZone(toolpath, TIP);
    expect(new Set(zonesOf(toolpath).map(({ name }) => name)).size).toBe(limits.avoidance_zones);
    expect(zonesOf(toolpath)[0]).toMatchObject({
      position: { x: 0.4, y: -0.65, z: 0 },
      avoid: 'inside',
    });
    expect(shapeProblems('Toolpath', toolpath)).toEqual([]);
    expect(addZone(toolpath, TIP)).toBe(toolpath);
  });

  it('get an unused name', () => {
    const two = addZone(addZone(emptyToolpath(), TIP), TIP);
    const names = (toolpath: Toolpath) => zonesOf(toolpath).map(({ name }) => name);
    expect(names(two)).toEqual(['Zone 1', 'Zone 2']);
    expect(names(addZone(removeZone(two, 0), TIP))).toEqual(['Zone 2', 'Zone 1']);
    expect(set(two, 'Name', 'Zone 2')).toBeNull();
    expect(set(two, 'Name', '')).toBeNull();
    expect(names(set(two, 'Name', 'post')!)).toEqual(['post', 'Zone 2']);
  });

  it('leave no field behind when removed', () => {
    expect(removeZone(addZone(emptyToolpath(), TIP), 0)).toEqual(emptyToolpath());
    const [, cabinet] = zonesOf(sorter);
    expect(zonesOf(removeZone(sorter, 0))).toEqual([cabinet]);
  });
});

describe('the form of a zone', () => {
  it('sets only its own value', () => {
    const [post, cabinet] = zonesOf(sorter);
    const moved = set(sorter, 'Corner x', '555.5')!;
    expect(zonesOf(moved)).toEqual([
      { ...post, position: { ...post!.position, x: 0.5555 } },
      cabinet,
    ]);
    const wider = set(sorter, 'Size y', '130')!;
    expect(zonesOf(wider)[0]!.dimensions).toEqual({ ...post!.dimensions, y: 0.13 });
    expect(set(sorter, 'Size y', '0')).toBeNull();
    expect(zonesOf(set(sorter, 'Rule', 'outside')!)[0]!.avoid).toBe('outside');
    expect(zoneFields(sorter, 7)).toEqual([]);
  });

  it('rotates about the base axes, and shows the given rotation', () => {
    const turned = set(set(sorter, 'Turn z', '90')!, 'Turn x', '30')!;
    const { w, x, y, z } = zonesOf(turned)[0]!.orientation;
    expect(Math.hypot(w, x, y, z)).toBeCloseTo(1, 12);
    const shown = zoneFields(turned, 0).filter(({ label }) => label.startsWith('Turn'));
    expect(shown.map(({ value }) => Number(value))).toEqual([30, 0, 90]);
  });

  it('reads an orientation that is not normalised', () => {
    const [post] = zonesOf(sorter);
    const scaled = { ...post!, orientation: { w: 2, x: 0, y: 0, z: 2 } };
    const metadata = { ...sorter.metadata, avoidance_zones: [scaled] };
    const shown = zoneFields({ ...sorter, metadata }, 0).find(({ label }) => label === 'Turn z');
    expect(Number(shown!.value)).toBeCloseTo(90, 6);
  });
});
