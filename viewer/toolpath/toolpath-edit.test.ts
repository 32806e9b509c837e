import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Joints, Toolpath } from '../../contract/types.generated.ts';
import { allActions } from './placed-action.ts';
import { programRows } from './program-rows.ts';
import { shapeProblems } from './shape-check.ts';
import {
  actionAt,
  addWaypoint,
  changeWaypoint,
  type EditResult,
  emptyToolpath,
  insertAction,
  moveBy,
  placeAfter,
  removeAt,
  renameRoutine,
  waypointsOf,
} from './toolpath-edit.ts';

const sorter = JSON.parse(
  readFileSync(new URL('../../fixtures/toolpaths/sorter.json', import.meta.url), 'utf8'),
) as Toolpath;
const POSES = [0.1, 0.2, 0.3].map((first): Joints => [first, 0.5, -1.7, 0, -1.2, 0]);

function taught(): EditResult {
  return POSES.reduce<EditResult>(
    ({ toolpath, selected }, joints) => addWaypoint(toolpath, { joints, selected }),
    { toolpath: emptyToolpath(), selected: null },
  );
}

/** Joint angles of all waypoints that actions refer to, in program order. */
function poses(toolpath: Toolpath): string[] {
  return allActions(toolpath).flatMap(({ action }) =>
    waypointsOf(action).map((index) => String(toolpath.waypoints[index]?.joints)),
  );
}

describe('adding waypoints', () => {
  it('makes the first one home and appends moves to the others', () => {
    const { toolpath, selected } = taught();
    expect(toolpath.timeline.map(({ type }) => type)).toEqual(['home', 'trajectory', 'trajectory']);
    expect(poses(toolpath)).toEqual(POSES.map(String));
    expect(selected).toBe('/timeline/2');
    expect(toolpath.waypoints.map(({ label_id }) => label_id)).toEqual([1, 2, 3]);
    expect(toolpath.metadata.next_label_id).toBe(4);
    expect(shapeProblems('Toolpath', toolpath)).toEqual([]);
  });

  it('adds after the selected action, and inside a selected branch', () => {
    const { toolpath } = taught();
    const after = addWaypoint(toolpath, { joints: POSES[0]!, selected: '/timeline/0' });
    expect(after.selected).toBe('/timeline/1');
    const branch = programRows(sorter).find(({ kind }) => kind === 'branch')!.at;
    const { list } = placeAfter(sorter, branch);
    expect(list).toBe(`${branch}/timeline`);
    expect(placeAfter(sorter, `${branch.replace(/\/branches.*/, '')}/else`).list).not.toContain(
      'branches',
    );
  });

  it('never assigns a label id twice, whatever next_label_id is', () => {
    const { toolpath } = taught();
    const wrong = { ...toolpath, metadata: { ...toolpath.metadata, next_label_id: 2 } };
    const { waypoints } = addWaypoint(wrong, { joints: POSES[0]!, selected: null }).toolpath;
    expect(new Set(waypoints.map(({ label_id }) => label_id)).size).toBe(4);
  });

  it('does not modify the original toolpath', () => {
    const before = JSON.stringify(sorter);
    addWaypoint(sorter, { joints: POSES[0]!, selected: '/timeline/3/timeline/0' });
    removeAt(sorter, '/timeline/3');
    moveBy(sorter, '/timeline/3', -1);
    expect(JSON.stringify(sorter)).toBe(before);
  });
});

describe('removing', () => {
  it('removes a waypoint that nothing else uses, and renumbers the others', () => {
    const { toolpath, selected } = removeAt(taught().toolpath, '/timeline/1');
    expect(poses(toolpath)).toEqual([POSES[0], POSES[2]].map(String));
    expect(toolpath.waypoints).toHaveLength(2);
    expect(selected).toBe('/timeline/1');
  });

  it('keeps a waypoint that is used elsewhere or was unused before', () => {
    const { toolpath } = taught();
    const twice = insertAction(
      { ...toolpath, waypoints: [...toolpath.waypoints, { label_id: 9, joints: POSES[0]! }] },
      { list: '/timeline', index: 3 },
      { type: 'trajectory', waypoint_id: 1, trajectory: 'linear' },
    );
    expect(removeAt(twice.toolpath, '/timeline/1').toolpath.waypoints).toHaveLength(4);
  });

  it('selects a remaining neighbour, or the container', () => {
    const { toolpath } = taught();
    expect(removeAt(toolpath, '/timeline/2').selected).toBe('/timeline/1');
    const branch = { type: 'if', branches: [] } as const;
    const { selected } = removeAt(
      { ...toolpath, timeline: [{ ...branch, branches: [] }] },
      '/timeline/0',
    );
    expect(selected).toBeNull();
  });
});

describe('moving', () => {
  it('swaps with its neighbours', () => {
    const { toolpath, selected } = moveBy(taught().toolpath, '/timeline/2', -1);
    expect(poses(toolpath)).toEqual([POSES[0], POSES[2], POSES[1]].map(String));
    expect(selected).toBe('/timeline/1');
  });

  it('moves into and out of a grid, and back', () => {
    const at = sorter.timeline.findIndex(({ type }) => type === 'grid');
    let edited: EditResult = { toolpath: sorter, selected: `/timeline/${at - 1}` };
    const inside = moveBy(sorter, edited.selected!, 1);
    expect(inside.selected).toBe(`/timeline/${at - 1}/timeline/0`);
    for (let i = 0; i < 30; i++) edited = moveBy(edited.toolpath, edited.selected!, 1);
    for (let i = 0; i < 60; i++) edited = moveBy(edited.toolpath, edited.selected!, -1);
    expect(edited.selected).toBe('/timeline/0');
    expect(actionAt(edited.toolpath, '/timeline/0')).toEqual(sorter.timeline[at - 1]);
  });

  it('stays in place at the ends', () => {
    const { toolpath } = taught();
    expect(moveBy(toolpath, '/timeline/0', -1).toolpath).toEqual(toolpath);
    expect(moveBy(toolpath, '/timeline/2', 1).toolpath).toEqual(toolpath);
  });
});

it('keeps every toolpath valid, without dangling waypoints, after random edits', () => {
  const act = fc.record({ kind: fc.nat(3), at: fc.nat(), up: fc.boolean() });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 25 }), (edits) => {
      let edited: EditResult = { toolpath: sorter, selected: null };
      for (const { kind, at, up } of edits) {
        const rows = programRows(edited.toolpath).filter((row) => !row.at.endsWith('/else'));
        const selected = rows[at % Math.max(rows.length, 1)]?.at ?? null;
        const { toolpath } = edited;
        if (kind > 1) edited = addWaypoint(toolpath, { joints: POSES[0]!, selected, passes: up });
        else if (selected && kind === 1) edited = moveBy(toolpath, selected, up ? -1 : 1);
        else if (selected) edited = removeAt(toolpath, selected);
      }
      expect(shapeProblems('Toolpath', edited.toolpath)).toEqual([]);
      expect(poses(edited.toolpath)).not.toContain('undefined');
    }),
    { numRuns: 40 },
  );
});

it('renames a routine in its calls too', () => {
  const old = sorter.routines![0]!.name;
  const calls = (toolpath: Toolpath, name: string) =>
    allActions(toolpath).filter(
      ({ action }) => action.type === 'call-routine' && action.routine === name,
    ).length;
  const renamed = renameRoutine(sorter, 0, 'fetch');
  expect(calls(sorter, old)).toBeGreaterThan(0);
  expect([calls(renamed, old), calls(renamed, 'fetch')]).toEqual([0, calls(sorter, old)]);
});

it('changes only one waypoint', () => {
  const changed = changeWaypoint(sorter, 1, (waypoint) => ({ ...waypoint, label: 'here' }));
  expect(changed.waypoints[1]!.label).toBe('here');
  expect(changed.waypoints[0]).toBe(sorter.waypoints[0]);
});
