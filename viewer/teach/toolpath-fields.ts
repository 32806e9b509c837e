/**
 * The fields of what is not an action: a waypoint, a branch, a routine and the toolpath itself, as
 * rows like those of actions. Each gives the changed toolpath. Spec 2.1, 2.2. Pure.
 */
import { limits } from '../../contract/limits.ts';
import type { IfBranch, TcpConfig, Toolpath, ToolpathMetadata } from '../../contract/types.ts';
import { actionFields } from './action-fields.ts';
import { type Field, flagField, numberField, textField } from './field.ts';
import { testFields } from './io-fields.ts';
import { elementOf, valueAt, withValue } from './pointer.ts';
import { actionAt, changeWaypoint, renameRoutine } from './toolpath-edit.ts';

type Fields = readonly Field<Toolpath>[];

const NAME_MAX = limits.name_max_characters;
const NOWHERE = { x: 0, y: 0, z: 0 };
const BARE_TOOL: TcpConfig = { offsets: { ...NOWHERE, z: 0.1 }, rotations: NOWHERE, radius: 0.03 };
const DEGREES = 180 / Math.PI;

/** The field with the whole toolpath in place of a part of it. */
function lifted<Part>(field: Field<Part>, lift: (part: Part) => Toolpath): Field<Toolpath> {
  return {
    ...field,
    set(text) {
      const part = field.set(text);
      return part === null ? null : lift(part);
    },
  };
}

function branchFields(toolpath: Toolpath, at: string): Fields {
  const branch = valueAt(toolpath, at) as IfBranch;
  return testFields(branch.condition, (condition) =>
    withValue(toolpath, `${at}/condition`, condition),
  );
}

function routineFields(toolpath: Toolpath, at: string): Fields {
  const { index } = elementOf(at);
  const name = toolpath.routines?.[index]?.name ?? '';
  const row = { words: 'Name', most: NAME_MAX };
  return [
    textField(row, name, (text) => (text === '' ? null : renameRoutine(toolpath, index, text))),
  ];
}

/** The fields of the action, branch or routine at a pointer. */
export function stepFields(toolpath: Toolpath, at: string): Fields {
  const action = actionAt(toolpath, at);
  if (action) {
    return actionFields(action, toolpath).map((field) =>
      lifted(field, (changed) => withValue(toolpath, at, changed)),
    );
  }
  if (/\/branches\/\d+$/.test(at) && valueAt(toolpath, at)) return branchFields(toolpath, at);
  return /^\/routines\/\d+$/.test(at) ? routineFields(toolpath, at) : [];
}

/** The fields of a waypoint. */
export function waypointFields(toolpath: Toolpath, index: number): Fields {
  const waypoint = toolpath.waypoints[index];
  if (!waypoint) return [];
  const row = { words: 'Label', most: limits.label_max_characters };
  return [
    textField(row, waypoint.label ?? '', (text) =>
      changeWaypoint(toolpath, index, ({ label: _, ...rest }) =>
        text === '' ? rest : { ...rest, label: text },
      ),
    ),
  ];
}

function toolFields(tool: TcpConfig, set: (tool: TcpConfig) => Toolpath): Fields {
  const mm = { unit: 'mm', factor: 1000 };
  const offsets = (['x', 'y', 'z'] as const).map((axis) =>
    numberField({ ...mm, words: `Tip ${axis}` }, tool.offsets[axis], (value) =>
      set({ ...tool, offsets: { ...tool.offsets, [axis]: value } }),
    ),
  );
  const angles = (['x', 'y', 'z'] as const).map((axis) =>
    numberField(
      { words: `Tip turn ${axis}`, unit: '°', factor: DEGREES },
      tool.rotations[axis],
      (value) => set({ ...tool, rotations: { ...tool.rotations, [axis]: value } }),
    ),
  );
  const radius = numberField({ ...mm, words: 'Radius', least: 0, most: 10_000 }, tool.radius, (r) =>
    set({ ...tool, radius: r }),
  );
  return [...offsets, radius, ...angles];
}

/** The fields of the toolpath as a whole: speed, payload and tool. */
export function wholeFields(toolpath: Toolpath): Fields {
  const { metadata } = toolpath;
  const { tcp_config, ...bare } = metadata;
  const set = (patch: Partial<ToolpathMetadata>) => ({
    ...toolpath,
    metadata: { ...metadata, ...patch },
  });
  const speed = { words: 'Usual speed', unit: 'mm/s', factor: 1000, step: 10, least: 0.1 };
  const payload = {
    words: 'Payload',
    unit: 'kg',
    step: 0.05,
    least: 0,
    most: limits.payload_max_kg,
  };
  const tool = tcp_config ? toolFields(tcp_config, (next) => set({ tcp_config: next })) : [];
  return [
    numberField(speed, metadata.default_max_speed, (value) => set({ default_max_speed: value })),
    numberField(payload, metadata.payload, (value) => set({ payload: value })),
    flagField('Tool', tcp_config !== undefined, (on) =>
      on ? set({ tcp_config: BARE_TOOL }) : { ...toolpath, metadata: bare },
    ),
    ...tool,
  ];
}
