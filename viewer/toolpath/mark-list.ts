/** The marks of a toolpath: waypoints, cells of grids, zones and findings. Pure. */
import type { Toolpath } from '../../contract/types.generated.ts';
import { createTool } from '../../physics/kinematics/tool.ts';
import type { Finding } from './finding.ts';
import type { PlacedGrid } from './grid-lattice.ts';
import type { Mark } from './mark.ts';
import { toolTipAt } from './path-samples.ts';
import { allActions } from './placed-action.ts';
import { motionErrorText } from './toolpath-text.ts';
import type { ToolpathView } from './toolpath-view.ts';
import { waypointName } from './waypoint-name.ts';

const CELLS_MAX = 200;

type WaypointKind = 'home' | 'waypoint' | 'pass';
const STRENGTH: Record<WaypointKind, number> = { pass: 0, waypoint: 1, home: 2 };

interface Use {
  readonly kind: WaypointKind;
  /** JSON pointers of the actions that go there, in order. */
  readonly targets: readonly string[];
}

/** Use of each waypoint: home before goal before pass-through. */
function usesOf(toolpath: Toolpath): ReadonlyMap<number, Use> {
  const uses = new Map<number, Use>();
  for (const { at, action } of allActions(toolpath)) {
    if (action.type !== 'home' && action.type !== 'trajectory') continue;
    const passes = action.type === 'trajectory' && action.pass_through === true;
    const kind = action.type === 'home' ? 'home' : passes ? 'pass' : 'waypoint';
    const known = uses.get(action.waypoint_id);
    const stronger = !known || STRENGTH[kind] > STRENGTH[known.kind];
    const targets = [...(known?.targets ?? []), at];
    uses.set(action.waypoint_id, { kind: stronger ? kind : known.kind, targets });
  }
  return uses;
}

function waypointMarks(toolpath: Toolpath, selected: string | null): Mark[] {
  const tool = createTool(toolpath.metadata.tcp_config);
  return [...usesOf(toolpath)].map(([index, { kind, targets }]) => ({
    kind,
    text: waypointName(toolpath, index),
    at_m: toolTipAt(toolpath.waypoints[index]!.joints, tool),
    target: targets[0]!,
    selected: selected !== null && targets.includes(selected),
  }));
}

function cellMarks(grids: readonly PlacedGrid[]): Mark[] {
  return grids
    .flatMap(({ cells }) => cells)
    .slice(0, CELLS_MAX)
    .map(({ number, at_m }) => ({
      kind: 'cell',
      text: `${number + 1}`,
      at_m,
      target: null,
      selected: false,
    }));
}

function zoneMarks(toolpath: Toolpath): Mark[] {
  return (toolpath.metadata.avoidance_zones ?? []).map(({ name, position, dimensions, avoid }) => ({
    kind: 'zone',
    text: avoid === 'inside' ? name : `${name}, keep in`,
    // Centre of the upper face, for zones that stand upright.
    at_m: [position.x + dimensions.x / 2, position.y + dimensions.y / 2, position.z + dimensions.z],
    target: null,
    selected: false,
  }));
}

function findingMarks(findings: readonly Finding[], current: Finding | null): Mark[] {
  return findings.flatMap((finding) =>
    finding.tip_m
      ? [
          {
            kind: finding.kind,
            text: motionErrorText(finding.code),
            at_m: finding.tip_m,
            target: finding.at,
            selected: finding === current,
          },
        ]
      : [],
  );
}

/** All marks of a view. */
export function toolpathMarks(view: ToolpathView, grids: readonly PlacedGrid[]): readonly Mark[] {
  const { opened, layers, selected, finding } = view;
  if (!opened) return [];
  const { toolpath, findings } = opened;
  return [
    ...findingMarks(findings, finding),
    ...(layers.waypoints ? [...waypointMarks(toolpath, selected), ...cellMarks(grids)] : []),
    ...(layers.zones ? zoneMarks(toolpath) : []),
  ];
}
