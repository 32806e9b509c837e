/**
 * The fields of each kind of action. The form of the selected step is made of them. §2.2.
 */
import type { FunctionComponent } from 'preact';
import type { Action, Toolpath, TrajectoryAction } from '../../../contract/types.generated.ts';
import type { ActionOf } from '../../../physics/toolpath/action-walk.ts';
import { waypointName } from '../../toolpath/waypoint-name.ts';
import { Empty } from '../../ui/empty.tsx';
import type { Bound } from '../../ui/fields.tsx';
import { MM_PER_M } from '../../ui/units.ts';
import { ChoiceRow, FlagRow, NumberRow } from './field-rows.tsx';
import { levelFor } from './io-conditions.ts';
import { LevelField, LineField, WaitFields } from './io-fields.tsx';

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
const TIME = { label: 'Time', unit: 's', step: 0.1, min: 0.001 } as const;
const SPEED = { label: 'Speed', unit: 'mm/s', scale: MM_PER_M, step: 10, min: 0.1 } as const;
const HEIGHT = { label: 'Above the cell', unit: 'mm', scale: MM_PER_M } as const;
const COUNT = { min: 1, max: 10_000, whole: true } as const;
const TIME_START_S = 2;
const SPEED_START_M_S = 0.1;

interface ActionProps<Type extends Action['type']> {
  readonly value: ActionOf<Type>;
  readonly set: (action: Action) => unknown;
  readonly toolpath: Toolpath;
}

interface WaypointFieldProps extends Bound<number> {
  readonly label: string;
  readonly toolpath: Toolpath;
}

/** Selects a waypoint by its index. */
function WaypointField({ label, toolpath, value, set }: WaypointFieldProps) {
  const options = toolpath.waypoints.map((_, i) => [`${i}`, waypointName(toolpath, i)] as const);
  const choose = (text: string) => set(Number(text));
  return <ChoiceRow label={label} options={options} value={`${value}`} set={choose} />;
}

/** Speed of a move: the toolpath's default, or its own speed or time. */
function PaceFields({ value, set }: ActionProps<'trajectory' | 'grid-waypoint'>) {
  const { time, max_speed, ...plain } = value;
  const now = time !== undefined ? 'time' : max_speed !== undefined ? 'max_speed' : 'default';
  function choose(pace: string): void {
    if (pace === 'time') set({ ...plain, time: TIME_START_S });
    else set(pace === 'max_speed' ? { ...plain, max_speed: SPEED_START_M_S } : plain);
  }
  return (
    <>
      <ChoiceRow label="Pace" options={PACES} value={now} set={choose} />
      {time !== undefined && (
        <NumberRow {...TIME} value={time} set={(next) => set({ ...plain, time: next })} />
      )}
      {now === 'max_speed' && (
        <NumberRow
          {...SPEED}
          value={max_speed!}
          set={(next) => set({ ...plain, max_speed: next })}
        />
      )}
    </>
  );
}

function TrajectoryFields(props: ActionProps<'trajectory'>) {
  const { value: action, set, toolpath } = props;
  const { waypoint_id, trajectory = 'joint_space', pass_through: passes = false } = action;
  const change = (patch: Partial<TrajectoryAction>) => set({ ...action, ...patch });
  return (
    <>
      <WaypointField
        label="To"
        toolpath={toolpath}
        value={waypoint_id}
        set={(index) => change({ waypoint_id: index })}
      />
      {!passes && (
        <>
          <ChoiceRow
            label="Move"
            options={MOVES}
            value={trajectory}
            set={(kind) => change({ trajectory: kind as typeof trajectory })}
          />
          <PaceFields {...props} />
        </>
      )}
      <FlagRow
        label="Pass through"
        value={passes}
        set={(on) =>
          set({
            type: 'trajectory',
            waypoint_id,
            ...(on ? { pass_through: true } : { trajectory }),
          })
        }
      />
    </>
  );
}

const COUNTS = [
  ['cols', 'Columns'],
  ['rows', 'Rows'],
] as const;
const CORNERS = [
  ['w0', 'First cell'],
  ['wx', 'End of first row'],
  ['wy', 'End of first column'],
] as const;

function GridFields({ value: action, set, toolpath }: ActionProps<'grid'>) {
  return (
    <>
      {COUNTS.map(([side, label]) => (
        <NumberRow
          key={side}
          {...COUNT}
          label={label}
          value={action[side]}
          set={(count) => set({ ...action, [side]: count })}
        />
      ))}
      {CORNERS.map(([corner, label]) => (
        <WaypointField
          key={corner}
          label={label}
          toolpath={toolpath}
          value={action[corner]}
          set={(index) => set({ ...action, [corner]: index })}
        />
      ))}
    </>
  );
}

function CellFields(props: ActionProps<'grid-waypoint'>) {
  const { value: action, set } = props;
  return (
    <>
      <NumberRow
        {...HEIGHT}
        value={action.z_offset ?? 0}
        set={(z_offset) => set({ ...action, z_offset })}
      />
      <PaceFields {...props} />
    </>
  );
}

function OutputFields({ value: action, set }: ActionProps<'output-set'>) {
  const { io, value } = action;
  return (
    <>
      <LineField
        side="output"
        value={io}
        set={(line) => set({ ...action, io: line, value: levelFor(line, value) })}
      />
      <LevelField io={io} value={value} set={(level) => set({ ...action, value: level })} />
    </>
  );
}

function CallFields({ value: { routine, name }, set, toolpath }: ActionProps<'call-routine'>) {
  return (
    <ChoiceRow
      label="Routine"
      options={(toolpath.routines ?? []).map((each) => [each.name, each.name])}
      value={routine ?? name ?? ''}
      set={(chosen) => set({ type: 'call-routine', routine: chosen })}
    />
  );
}

/** What stands in the place of no fields. */
export function NothingToSet() {
  return <Empty>Nothing to set.</Empty>;
}

type Kinds = { readonly [Type in Action['type']]: FunctionComponent<ActionProps<Type>> };

const KINDS: Kinds = {
  home: ({ value: action, set, toolpath }) => (
    <WaypointField
      label="At"
      toolpath={toolpath}
      value={action.waypoint_id}
      set={(waypoint_id) => set({ ...action, waypoint_id })}
    />
  ),
  trajectory: TrajectoryFields,
  'grid-waypoint': CellFields,
  grid: GridFields,
  'output-set': OutputFields,
  wait: ({ value: action, set }) => (
    <WaitFields value={action.condition} set={(condition) => set({ ...action, condition })} />
  ),
  'call-routine': CallFields,
  if: NothingToSet,
  restart: NothingToSet,
};

/** The fields of an action. */
export function ActionFields(props: ActionProps<Action['type']>) {
  const Fields = KINDS[props.value.type] as FunctionComponent<typeof props>;
  return <Fields {...props} />;
}
