/**
 * The form fields of a waypoint, a branch, a routine and the whole toolpath, as rows. Each returns
 * the changed toolpath. §2.1, §2.2. Pure.
 */

import { limits } from '../../../contract/limits.ts';
import type {
  IfBranch,
  TcpConfig,
  Toolpath,
  ToolpathMetadata,
} from '../../../contract/types.generated.ts';
import {
  actionAt,
  changeWaypoint,
  listElementOf,
  renameRoutine,
  valueAt,
  withValue,
} from '../../toolpath/toolpath-edit.ts';
import {
  type FormField,
  flagFormField,
  numberFormField,
  textFormField,
} from '../../ui/form-field.ts';
import { actionFields } from './action-fields.ts';
import { testFields } from './io-fields.ts';

type Fields = readonly FormField<Toolpath>[];

const NAME_MAX = limits.name_max_characters;
const ZERO_VECTOR = { x: 0, y: 0, z: 0 };
const BARE_TOOL: TcpConfig = {
  offsets: { ...ZERO_VECTOR, z: 0.1 },
  rotations: ZERO_VECTOR,
  radius: 0.03,
};
const DEGREES = 180 / Math.PI;

/** Converts a field of a part to a field of the whole toolpath. */
function lifted<Part>(field: FormField<Part>, lift: (part: Part) => Toolpath): FormField<Toolpath> {
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
  const { index } = listElementOf(at);
  const name = toolpath.routines?.[index]?.name ?? '';
  const row = { label: 'Name', maxLength: NAME_MAX };
  return [
    textFormField(row, name, (text) => (text === '' ? null : renameRoutine(toolpath, index, text))),
  ];
}

/** Fields of the action, branch or routine at a pointer. */
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

/** Fields of a waypoint. */
export function waypointFields(toolpath: Toolpath, index: number): Fields {
  const waypoint = toolpath.waypoints[index];
  if (!waypoint) return [];
  const row = { label: 'Label', maxLength: limits.label_max_characters };
  return [
    textFormField(row, waypoint.label ?? '', (text) =>
      changeWaypoint(toolpath, index, ({ label: _, ...rest }) =>
        text === '' ? rest : { ...rest, label: text },
      ),
    ),
  ];
}

function toolFields(tool: TcpConfig, set: (tool: TcpConfig) => Toolpath): Fields {
  const mm = { unit: 'mm', factor: 1000 };
  const offsets = (['x', 'y', 'z'] as const).map((axis) =>
    numberFormField({ ...mm, label: `Tip ${axis}` }, tool.offsets[axis], (value) =>
      set({ ...tool, offsets: { ...tool.offsets, [axis]: value } }),
    ),
  );
  const angles = (['x', 'y', 'z'] as const).map((axis) =>
    numberFormField(
      { label: `Tip rotation ${axis}`, unit: '°', factor: DEGREES },
      tool.rotations[axis],
      (value) => set({ ...tool, rotations: { ...tool.rotations, [axis]: value } }),
    ),
  );
  const radius = numberFormField(
    { ...mm, label: 'Radius', min: 0, max: 10_000 },
    tool.radius,
    (r) => set({ ...tool, radius: r }),
  );
  return [...offsets, radius, ...angles];
}

/** Fields of the whole toolpath: speed, payload and tool. */
export function wholeFields(toolpath: Toolpath): Fields {
  const { metadata } = toolpath;
  const { tcp_config, ...bare } = metadata;
  const set = (patch: Partial<ToolpathMetadata>) => ({
    ...toolpath,
    metadata: { ...metadata, ...patch },
  });
  const speed = { label: 'Default speed', unit: 'mm/s', factor: 1000, step: 10, min: 0.1 };
  const payload = {
    label: 'Payload',
    unit: 'kg',
    step: 0.05,
    min: 0,
    max: limits.payload_max_kg,
  };
  const tool = tcp_config ? toolFields(tcp_config, (next) => set({ tcp_config: next })) : [];
  return [
    numberFormField(speed, metadata.default_max_speed, (value) =>
      set({ default_max_speed: value }),
    ),
    numberFormField(payload, metadata.payload, (value) => set({ payload: value })),
    flagFormField('Tool', tcp_config !== undefined, (on) =>
      on ? set({ tcp_config: BARE_TOOL }) : { ...toolpath, metadata: bare },
    ),
    ...tool,
  ];
}
