/**
 * The fields of each kind of action, as rows: the form of the selected step is drawn from them.
 * Spec 2.2. Pure.
 */
import type { Action, Toolpath, TrajectoryAction } from '../../contract/types.ts';
import { waypointName } from '../toolpath/program-rows.ts';
import { choiceField, type Field, flagField, numberField } from './field.ts';
import { fittingLevel, levelField, lineField, waitFields } from './io-fields.ts';

type ActionOf<Type extends Action['type']> = Extract<Action, { type: Type }>;
type Fields = readonly Field<Action>[];

const MOVES = [
  ['joint_space', 'Joint'],
  ['linear', 'Linear'],
  ['spline', 'Spline'],
] as const;
const PACES = [
  ['default', 'Usual speed'],
  ['max_speed', 'Own speed'],
  ['time', 'Own time'],
] as const;
const TIME_START_S = 2;
const SPEED_START_M_S = 0.1;

function waypointField<Subject>(
  toolpath: Toolpath,
  { words, index }: { readonly words: string; readonly index: number },
  set: (index: number) => Subject,
): Field<Subject> {
  const options = toolpath.waypoints.map((_, i) => [`${i}`, waypointName(toolpath, i)] as const);
  return choiceField({ words, options }, `${index}`, (text) => set(Number(text)));
}

type Paced = ActionOf<'trajectory'> | ActionOf<'grid-waypoint'>;

/** How fast a move is: the toolpath's usual speed, a speed or a time of its own. */
function paceFields(action: Paced): Fields {
  const { time, max_speed, ...plain } = action;
  const now = time !== undefined ? 'time' : max_speed !== undefined ? 'max_speed' : 'default';
  const how = choiceField<Action>({ words: 'Pace', options: PACES }, now, (pace) => {
    if (pace === 'time') return { ...plain, time: TIME_START_S };
    return pace === 'max_speed' ? { ...plain, max_speed: SPEED_START_M_S } : plain;
  });
  if (time !== undefined) {
    const row = { words: 'Time', unit: 's', step: 0.1, least: 0.001 };
    return [how, numberField<Action>(row, time, (value) => ({ ...plain, time: value }))];
  }
  if (max_speed === undefined) return [how];
  const row = { words: 'Speed', unit: 'mm/s', factor: 1000, step: 10, least: 0.1 };
  return [how, numberField<Action>(row, max_speed, (value) => ({ ...plain, max_speed: value }))];
}

function trajectoryFields(action: TrajectoryAction, toolpath: Toolpath): Fields {
  const { waypoint_id, trajectory = 'joint_space' } = action;
  const passes = action.pass_through === true;
  const to = waypointField<Action>(toolpath, { words: 'To', index: waypoint_id }, (index) => ({
    ...action,
    waypoint_id: index,
  }));
  const flag = flagField<Action>('Pass through', passes, (on) =>
    on
      ? { type: 'trajectory', waypoint_id, pass_through: true }
      : { type: 'trajectory', waypoint_id, trajectory },
  );
  if (passes) return [to, flag];
  const move = choiceField<Action>({ words: 'Move', options: MOVES }, trajectory, (kind) => ({
    ...action,
    trajectory: kind as NonNullable<TrajectoryAction['trajectory']>,
  }));
  return [to, move, ...paceFields(action), flag];
}

function gridFields(action: ActionOf<'grid'>, toolpath: Toolpath): Fields {
  const count = (side: 'cols' | 'rows', words: string) =>
    numberField<Action>({ words, least: 1, most: 10_000, whole: true }, action[side], (value) => ({
      ...action,
      [side]: value,
    }));
  const corner = (side: 'w0' | 'wx' | 'wy', words: string) =>
    waypointField<Action>(toolpath, { words, index: action[side] }, (index) => ({
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

function cellFields(action: ActionOf<'grid-waypoint'>): Fields {
  const row = { words: 'Above the cell', unit: 'mm', factor: 1000 };
  const height = numberField<Action>(row, action.z_offset, (z_offset) => ({ ...action, z_offset }));
  return [height, ...paceFields(action)];
}

function outputFields(action: ActionOf<'output-set'>): Fields {
  const { io, value } = action;
  return [
    lineField<Action>(io, 'output', (chosen) => ({
      ...action,
      io: chosen,
      value: fittingLevel(chosen, value),
    })),
    levelField<Action>(io, value, (level) => ({ ...action, value: level })),
  ];
}

function callFields(action: ActionOf<'call-routine'>, toolpath: Toolpath): Fields {
  const options = (toolpath.routines ?? []).map(({ name }) => [name, name] as const);
  const now = action.routine ?? action.name ?? '';
  return [
    choiceField<Action>({ words: 'Routine', options }, now, (routine) => ({
      type: 'call-routine',
      routine,
    })),
  ];
}

type Rows = {
  readonly [Type in Action['type']]: (action: ActionOf<Type>, toolpath: Toolpath) => Fields;
};

const ROWS: Rows = {
  home: (action, toolpath) => [
    waypointField<Action>(toolpath, { words: 'At', index: action.waypoint_id }, (waypoint_id) => ({
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

/** The fields of an action; `set` of each gives the changed action. */
export function actionFields<Type extends Action['type']>(
  action: ActionOf<Type>,
  toolpath: Toolpath,
): Fields {
  const type = action.type as Type;
  return ROWS[type](action, toolpath);
}
