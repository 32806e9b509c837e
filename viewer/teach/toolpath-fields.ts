/**
 * The form fields of a waypoint, a branch, a routine and the whole toolpath, as rows. Each returns
 * the changed toolpath. §2.1, §2.2. Pure. Also: those of each kind of action.
 */

import { limits } from '../../contract/limits.ts';
import type {
  Action,
  IfBranch,
  TcpConfig,
  Toolpath,
  ToolpathMetadata,
  TrajectoryAction,
} from '../../contract/types.ts';
import { waypointName } from '../toolpath/program-rows.ts';
import {
  choiceFormField,
  type FormField,
  flagFormField,
  numberFormField,
  textFormField,
} from './form-fields.ts';
import { levelField, levelFor, lineField, testFields, waitFields } from './io-fields.ts';
import {
  actionAt,
  changeWaypoint,
  listElementOf,
  renameRoutine,
  valueAt,
  withValue,
} from './toolpath-edit.ts';

/**
 * The form fields of each kind of action, as rows. The form of the selected step is drawn from
 * them. §2.2. Pure.
 */

type ActionOf<Type extends Action['type']> = Extract<Action, { type: Type }>;
type ActionFields = readonly FormField<Action>[];

const MOVES = [
  ['joint_space', 'Joint'],
  ['linear', 'Linear'],
  ['spline', 'Spline'],
] as const;
const PACES = [
  ['default', 'Default speed'],
  ['max_speed', 'Own speed'],
  ['time', 'Own time'],
] as const;
const TIME_START_S = 2;
const SPEED_START_M_S = 0.1;

function waypointField<Subject>(
  toolpath: Toolpath,
  { label, index }: { readonly label: string; readonly index: number },
  set: (index: number) => Subject,
): FormField<Subject> {
  const options = toolpath.waypoints.map((_, i) => [`${i}`, waypointName(toolpath, i)] as const);
  return choiceFormField({ label, options }, `${index}`, (text) => set(Number(text)));
}

type Paced = ActionOf<'trajectory'> | ActionOf<'grid-waypoint'>;

/** Speed of a move: the toolpath's default, or its own speed or time. */
function paceFields(action: Paced): ActionFields {
  const { time, max_speed, ...plain } = action;
  const now = time !== undefined ? 'time' : max_speed !== undefined ? 'max_speed' : 'default';
  const how = choiceFormField<Action>({ label: 'Pace', options: PACES }, now, (pace) => {
    if (pace === 'time') return { ...plain, time: TIME_START_S };
    return pace === 'max_speed' ? { ...plain, max_speed: SPEED_START_M_S } : plain;
  });
  if (time !== undefined) {
    const row = { label: 'Time', unit: 's', step: 0.1, min: 0.001 };
    return [how, numberFormField<Action>(row, time, (value) => ({ ...plain, time: value }))];
  }
  if (max_speed === undefined) return [how];
  const row = { label: 'Speed', unit: 'mm/s', factor: 1000, step: 10, min: 0.1 };
  return [
    how,
    numberFormField<Action>(row, max_speed, (value) => ({ ...plain, max_speed: value })),
  ];
}

function trajectoryFields(action: TrajectoryAction, toolpath: Toolpath): ActionFields {
  const { waypoint_id, trajectory = 'joint_space' } = action;
  const passes = action.pass_through === true;
  const to = waypointField<Action>(toolpath, { label: 'To', index: waypoint_id }, (index) => ({
    ...action,
    waypoint_id: index,
  }));
  const flag = flagFormField<Action>('Pass through', passes, (on) =>
    on
      ? { type: 'trajectory', waypoint_id, pass_through: true }
      : { type: 'trajectory', waypoint_id, trajectory },
  );
  if (passes) return [to, flag];
  const move = choiceFormField<Action>({ label: 'Move', options: MOVES }, trajectory, (kind) => ({
    ...action,
    trajectory: kind as NonNullable<TrajectoryAction['trajectory']>,
  }));
  return [to, move, ...paceFields(action), flag];
}

function gridFields(action: ActionOf<'grid'>, toolpath: Toolpath): ActionFields {
  const count = (side: 'cols' | 'rows', label: string) =>
    numberFormField<Action>({ label, min: 1, max: 10_000, whole: true }, action[side], (value) => ({
      ...action,
      [side]: value,
    }));
  const corner = (side: 'w0' | 'wx' | 'wy', label: string) =>
    waypointField<Action>(toolpath, { label, index: action[side] }, (index) => ({
      ...action,
      [side]: index,
    }));
  return [
    count('cols', 'Columns'),
    count('rows', 'Rows'),
    corner('w0', 'First cell'),
    corner('wx', 'End of first row'),
    corner('wy', 'End of first column'),
  ];
}

function cellFields(action: ActionOf<'grid-waypoint'>): ActionFields {
  const row = { label: 'Above the cell', unit: 'mm', factor: 1000 };
  const height = numberFormField<Action>(row, action.z_offset, (z_offset) => ({
    ...action,
    z_offset,
  }));
  return [height, ...paceFields(action)];
}

function outputFields(action: ActionOf<'output-set'>): ActionFields {
  const { io, value } = action;
  return [
    lineField<Action>(io, 'output', (chosen) => ({
      ...action,
      io: chosen,
      value: levelFor(chosen, value),
    })),
    levelField<Action>(io, value, (level) => ({ ...action, value: level })),
  ];
}

function callFields(action: ActionOf<'call-routine'>, toolpath: Toolpath): ActionFields {
  const options = (toolpath.routines ?? []).map(({ name }) => [name, name] as const);
  const now = action.routine ?? action.name ?? '';
  return [
    choiceFormField<Action>({ label: 'Routine', options }, now, (routine) => ({
      type: 'call-routine',
      routine,
    })),
  ];
}

type Rows = {
  readonly [Type in Action['type']]: (action: ActionOf<Type>, toolpath: Toolpath) => ActionFields;
};

const ROWS: Rows = {
  home: (action, toolpath) => [
    waypointField<Action>(toolpath, { label: 'At', index: action.waypoint_id }, (waypoint_id) => ({
      ...action,
      waypoint_id,
    })),
  ],
  trajectory: trajectoryFields,
  'grid-waypoint': cellFields,
  grid: gridFields,
  'output-set': outputFields,
  wait: (action) => waitFields<Action>(action.condition, (condition) => ({ ...action, condition })),
  'call-routine': callFields,
  if: () => [],
  restart: () => [],
};

/** The fields of an action; `set` of each returns the changed action. */
export function actionFields<Type extends Action['type']>(
  action: ActionOf<Type>,
  toolpath: Toolpath,
): ActionFields {
  const type = action.type as Type;
  return ROWS[type](action, toolpath);
}

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
