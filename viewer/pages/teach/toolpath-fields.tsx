/**
 * The fields of a step, a waypoint, a branch, a routine and the whole toolpath; each sets the
 * changed toolpath. §2.1, §2.2.
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
import type { Bound } from '../../ui/fields.tsx';
import { MM_PER_M, RAD_PER_DEG } from '../../ui/units.ts';
import { ActionFields, NothingToSet } from './action-fields.tsx';
import { FlagRow, NumberRow, TextRow, VectorRows } from './field-rows.tsx';
import { TestFields } from './io-fields.tsx';

const LENGTH = { unit: 'mm', scale: MM_PER_M } as const;
const SPEED = {
  label: 'Default speed',
  unit: 'mm/s',
  scale: MM_PER_M,
  step: 10,
  min: 0.1,
} as const;
const PAYLOAD = { label: 'Payload', unit: 'kg', step: 0.05, min: 0, max: limits.payload_max_kg };
const TIP = { ...LENGTH, label: 'Tip' } as const;
const RADIUS = { ...LENGTH, label: 'Radius', min: 0, max: 10_000 } as const;
const TURN = { label: 'Tip rotation', unit: '°', scale: 1 / RAD_PER_DEG } as const;
const ZERO_VECTOR = { x: 0, y: 0, z: 0 };
const BARE_TOOL: TcpConfig = {
  offsets: { ...ZERO_VECTOR, z: 0.1 },
  rotations: ZERO_VECTOR,
  radius: 0.03,
};

interface StepFieldsProps extends Bound<Toolpath> {
  /** Pointer of an action, branch or routine. */
  readonly at: string;
}

function RoutineFields({ value: toolpath, set, at }: StepFieldsProps) {
  const { index } = listElementOf(at);
  return (
    <TextRow
      label="Name"
      maxLength={limits.name_max_characters}
      value={toolpath.routines?.[index]?.name ?? ''}
      set={(name) => {
        const renamed = name === '' ? null : renameRoutine(toolpath, index, name);
        return renamed !== null && set(renamed);
      }}
    />
  );
}

/** The fields of the action, branch or routine at a pointer. */
export function StepFields(props: StepFieldsProps) {
  const { value: toolpath, set, at } = props;
  const action = actionAt(toolpath, at);
  if (action) {
    const change = (changed: typeof action) => set(withValue(toolpath, at, changed));
    return <ActionFields value={action} set={change} toolpath={toolpath} />;
  }
  if (/\/branches\/\d+$/.test(at) && valueAt(toolpath, at)) {
    const { condition } = valueAt(toolpath, at) as IfBranch;
    const change = (changed: typeof condition) =>
      set(withValue(toolpath, `${at}/condition`, changed));
    return <TestFields value={condition} set={change} />;
  }
  return /^\/routines\/\d+$/.test(at) ? <RoutineFields {...props} /> : <NothingToSet />;
}

/** The fields of a waypoint that there is. */
export function WaypointFields(props: Bound<Toolpath> & { readonly index: number }) {
  const { value: toolpath, set, index } = props;
  return (
    <TextRow
      label="Label"
      maxLength={limits.label_max_characters}
      value={toolpath.waypoints[index]!.label ?? ''}
      set={(text) =>
        set(
          changeWaypoint(toolpath, index, ({ label: _, ...rest }) =>
            text === '' ? rest : { ...rest, label: text },
          ),
        )
      }
    />
  );
}

function ToolFields({ value: tool, set }: Bound<TcpConfig>) {
  const change = (patch: Partial<TcpConfig>) => set({ ...tool, ...patch });
  return (
    <>
      <VectorRows {...TIP} value={tool.offsets} set={(offsets) => change({ offsets })} />
      <NumberRow {...RADIUS} value={tool.radius} set={(radius) => change({ radius })} />
      <VectorRows {...TURN} value={tool.rotations} set={(rotations) => change({ rotations })} />
    </>
  );
}

/** The fields of the whole toolpath: speed, payload and tool. */
export function WholeFields({ value: toolpath, set }: Bound<Toolpath>) {
  const { metadata } = toolpath;
  const { tcp_config, ...bare } = metadata;
  const change = (patch: Partial<ToolpathMetadata>) =>
    set({ ...toolpath, metadata: { ...metadata, ...patch } });
  return (
    <>
      <NumberRow
        {...SPEED}
        value={metadata.default_max_speed}
        set={(speed) => change({ default_max_speed: speed })}
      />
      <NumberRow {...PAYLOAD} value={metadata.payload} set={(payload) => change({ payload })} />
      <FlagRow
        label="Tool"
        value={tcp_config !== undefined}
        set={(on) =>
          on ? change({ tcp_config: BARE_TOOL }) : set({ ...toolpath, metadata: bare })
        }
      />
      {tcp_config && <ToolFields value={tcp_config} set={(next) => change({ tcp_config: next })} />}
    </>
  );
}
