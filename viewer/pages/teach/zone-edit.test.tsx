import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import type { AvoidanceZone, Toolpath } from '../../../contract/types.generated.ts';
import { shapeProblems } from '../../toolpath/shape-check.ts';
import { emptyToolpath } from '../../toolpath/toolpath-edit.ts';
import { drawForm } from './drawn-form.cases.tsx';
import { addZone, removeZone, replaceZone, zonesOf } from './zone-edit.ts';
import { ZoneFields } from './zone-fields.tsx';

afterEach(() => vi.unstubAllGlobals());

const sorter = JSON.parse(
  readFileSync(new URL('../../../fixtures/toolpaths/sorter.json', import.meta.url), 'utf8'),
) as Toolpath;
const TIP = { x: 0.3, y: -0.4, z: 0.02 };
const [POST, CABINET] = zonesOf(sorter) as [AvoidanceZone, AvoidanceZone];

const names = (toolpath: Toolpath) => zonesOf(toolpath).map(({ name }) => name);

/** The form of a zone that has another beside it. */
const formOf = (zone: AvoidanceZone) =>
  drawForm<AvoidanceZone>(
    (bound) => <ZoneFields {...bound} isFree={(name) => name !== CABINET.name} />,
    zone,
  );

describe('zones', () => {
  it('are added beside the tool, on the ground or above, up to the limit', () => {
    let toolpath = emptyToolpath();
    for (let i = 0; i < limits.avoidance_zones; i++) toolpath = addZone(toolpath, TIP);
    expect(new Set(names(toolpath)).size).toBe(limits.avoidance_zones);
    expect(zonesOf(toolpath)[0]).toMatchObject({
      position: { x: 0.4, y: -0.65, z: 0 },
      avoid: 'inside',
    });
    expect(shapeProblems('Toolpath', toolpath)).toEqual([]);
    expect(addZone(toolpath, TIP)).toBe(toolpath);
  });

  it('get an unused name', () => {
    const two = addZone(addZone(emptyToolpath(), TIP), TIP);
    expect(names(two)).toEqual(['Zone 1', 'Zone 2']);
    expect(names(addZone(removeZone(two, 0), TIP))).toEqual(['Zone 2', 'Zone 1']);
  });

  it('leave no field behind when removed, and the others as they are', () => {
    expect(removeZone(addZone(emptyToolpath(), TIP), 0)).toEqual(emptyToolpath());
    expect(zonesOf(removeZone(sorter, 0))).toEqual([CABINET]);
    expect(zonesOf(replaceZone(sorter, 0, { ...POST, name: 'pole' }))).toEqual([
      { ...POST, name: 'pole' },
      CABINET,
    ]);
  });
});

describe('the form of a zone', () => {
  it('sets only its own value', async () => {
    const form = formOf(POST);
    await form.enter('Corner x', '555.5');
    expect(form.value()).toEqual({ ...POST, position: { ...POST.position, x: 0.5555 } });
    await form.reset();
    await form.enter('Size y', '130');
    expect(form.value().dimensions).toEqual({ ...POST.dimensions, y: 0.13 });
    await form.enter('Rule', 'outside');
    expect(form.value().avoid).toBe('outside');
  });

  it.each([
    ['Size y', '0'],
    ['Name', ''],
    ['Name', CABINET.name],
  ])('refuses as %s %j', async (label, text) => {
    const form = formOf(POST);
    await form.enter(label, text);
    expect([form.value(), form.isWrong(label)]).toEqual([POST, true]);
  });

  it('rotates about the base axes, and shows the given rotation', async () => {
    const form = formOf(POST);
    await form.enter('Turn z', '90');
    await form.enter('Turn x', '30');
    const { w, x, y, z } = form.value().orientation;
    expect(Math.hypot(w, x, y, z)).toBeCloseTo(1, 12);
    const shown = formOf(form.value());
    expect(['x', 'y', 'z'].map((axis) => Number(shown.text(`Turn ${axis}`)))).toEqual([30, 0, 90]);
  });

  it('reads an orientation that is not normalised', () => {
    const form = formOf({ ...POST, orientation: { w: 2, x: 0, y: 0, z: 2 } });
    expect(Number(form.text('Turn z'))).toBeCloseTo(90, 6);
  });
});
