/** Faults of the parts of the cell. */

import { type Refusal, refuse, refuseAt } from '../../../../contract/refusal.ts';
import type { CellFault } from '../../../../physics/cell/cell-faults.ts';
import type { CellPlant } from '../../../../physics/cell/cell-plant.ts';
import {
  type GripperFault,
  SOUND_GRIPPER,
} from '../../../../physics/cell/grippers/gripper-fault.ts';
import { gripperKindOf } from '../../../../physics/cell/grippers/gripper-kinds.ts';
import { drawMisplacement } from '../../../../physics/cell/misplacement.ts';
import { unknownNameText } from '../../../../physics/cell/object-goal.ts';
import { SOUND_SENSOR } from '../../../../physics/cell/sensors.ts';
import { createPrng } from '../../../../physics/math/prng.ts';
import { type EffectFields, unusedField } from './effect-fields.ts';
import type { FaultBody, FaultProducer, FaultReporter } from './fault-kind.ts';
import type { FaultPorts } from './fault-ports.ts';

const DEFAULT_FAULT_S = 1;
const DEFAULT_SPREAD_MM = 10;
const M_PER_MM = 1e-3;

const GRIPPER_FIELDS: EffectFields<FaultBody<'gripper'>['fault']> = {
  jammed: [],
  slips: ['after_s'],
  leaks: ['after_s'],
};
const SENSOR_FIELDS: EffectFields<FaultBody<'sensor'>['fault']> = { stuck: [], late: ['late_s'] };
const OBJECT_FIELDS: EffectFields<FaultBody<'object'>['fault']> = {
  missing: [],
  misplaced: ['spread_mm', 'seed'],
};

interface Named {
  readonly name: string;
}

function gripperFaultOf({ fault, after_s = DEFAULT_FAULT_S }: FaultBody<'gripper'>): GripperFault {
  return {
    ...SOUND_GRIPPER,
    isJammed: fault === 'jammed',
    ...(fault === 'slips' && { slipsAfter_s: after_s }),
    ...(fault === 'leaks' && { leaksIn_s: after_s }),
  };
}

/** The kinds of the parts of the cell, each named like its part. */
export function cellFaults({ driverName, loop, world }: FaultPorts) {
  /** The number of a part, or the refusal of a fault of it. */
  const find = (part: CellFault['part'], name: string) => {
    if (!world) return refuse('not_supported', `The driver ${driverName} has no simulated world`);
    const model = world.cell?.model;
    const lists: Record<CellFault['part'], readonly Named[]> = {
      gripper: model?.grippers ?? [],
      object: model?.bodies ?? [],
      sensor: model?.sensors ?? [],
      conveyor: model?.belts ?? [],
    };
    const index = lists[part].findIndex((one) => one.name === name);
    return index < 0 ? refuseAt(`/${part}`, unknownNameText(part, name, lists[part])) : index;
  };
  const start = (fault: CellFault, { applied }: FaultReporter) => {
    loop.applyWorldAction({ kind: 'cell_fault', fault, active: true });
    applied();
    return () => void loop.applyWorldAction({ kind: 'cell_fault', fault, active: false });
  };
  const gripper: FaultProducer<'gripper'> = (body, reporter) => {
    const index = find('gripper', body.gripper);
    if (typeof index !== 'number') return index;
    const unused = unusedField(body, body.fault, GRIPPER_FIELDS);
    if (unused) return unused;
    const gripper = world!.cell!.model.grippers[index]!;
    const { faults } = gripperKindOf(gripper);
    if (!faults.includes(body.fault)) {
      const known = faults.map((fault) => `“${fault}”`).join(' or ');
      return refuseAt('/fault', `must be ${known} for a gripper of the kind ${gripper.kind}`);
    }
    return start({ part: 'gripper', index, fault: gripperFaultOf(body) }, reporter);
  };
  const sensor: FaultProducer<'sensor'> = (body, reporter) => {
    const index = find('sensor', body.sensor);
    if (typeof index !== 'number') return index;
    const unused = unusedField(body, body.fault, SENSOR_FIELDS);
    if (unused) return unused;
    const { late_s = DEFAULT_FAULT_S } = body;
    const fault = body.fault === 'stuck' ? { isStuck: true } : { late_s };
    return start({ part: 'sensor', index, fault: { ...SOUND_SENSOR, ...fault } }, reporter);
  };
  const conveyor: FaultProducer<'conveyor'> = (body, reporter) => {
    const index = find('conveyor', body.conveyor);
    return typeof index === 'number' ? start({ part: 'conveyor', index }, reporter) : index;
  };
  const object: FaultProducer<'object'> = (body, reporter) => {
    const index = find('object', body.object);
    if (typeof index !== 'number') return index;
    const unused = unusedField(body, body.fault, OBJECT_FIELDS);
    if (unused) return unused;
    if (body.fault === 'missing') return start({ part: 'object', index }, reporter);
    const { spread_mm = DEFAULT_SPREAD_MM, seed = 0 } = body;
    const frame = drawMisplacement(world!.cell!, index, spread_mm * M_PER_MM, createPrng(seed));
    if (!frame) return noPlace(world!.cell!, index);
    const placed = { object: index, frame: Array.from(frame), misplaced: true };
    loop.applyWorldAction({ kind: 'cell_move', ...placed });
    reporter.applied();
    reporter.expired();
    return () => {};
  };
  return {
    gripper: {
      produce: gripper,
      targetOf: (fault: FaultBody<'gripper'>) => `gripper ${fault.gripper}`,
      isOfCell: true,
    },
    sensor: {
      produce: sensor,
      targetOf: (fault: FaultBody<'sensor'>) => `sensor ${fault.sensor}`,
      isOfCell: true,
    },
    conveyor: {
      produce: conveyor,
      targetOf: (fault: FaultBody<'conveyor'>) => `conveyor ${fault.conveyor}`,
      isOfCell: true,
    },
    object: {
      produce: object,
      targetOf: (fault: FaultBody<'object'>) => `object ${fault.object}`,
      isOfCell: true,
    },
  } as const;
}

/** Why an object cannot be misplaced. */
function noPlace({ grippers }: CellPlant, object: number): Refusal<'invalid_arguments'> {
  const holder = grippers.find(({ holds }) => holds === object);
  if (holder) return refuseAt('/object', `is held by ${holder.name}`);
  return refuseAt('/spread_mm', 'leaves no free place for a loose object');
}
