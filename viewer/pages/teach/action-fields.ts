/**
 * The form fields of each kind of action, as rows. The form of the selected step is drawn from
 * them. §2.2. Pure.
 */
import type { Action, Toolpath, TrajectoryAction } from '../../../contract/types.generated.ts';
import type { ActionOf } from '../../../physics/toolpath/action-walk.ts';
import { waypointName } from '../../toolpath/waypoint-name.ts';
import {
  choiceFormField,
  type FormField,
  flagFormField,
  numberFormField,
} from '../../ui/form-field.ts';
import { levelField, levelFor, lineField, waitFields } from './io-fields.ts';

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
  const height = numberFormField<Action>(row, action.z_offset ?? 0, (z_offset) => ({
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
