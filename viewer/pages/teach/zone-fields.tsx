/** The fields of an avoidance zone. §2.7. */
import { limits } from '../../../contract/limits.ts';
import type { AvoidanceZone, Quaternion, Vector } from '../../../contract/types.generated.ts';
import {
  fixedAxisAngles,
  fixedAxisRotation,
  matrixToQuaternion,
  normaliseQuaternion,
  quaternionToMatrix,
} from '../../../physics/math/rotation.ts';
import type { Bound } from '../../ui/fields.tsx';
import { MM_PER_M, RAD_PER_DEG } from '../../ui/units.ts';
import { degrees } from '../../ui/value-text.ts';
import { ChoiceRow, TextRow, VectorRows } from './field-rows.tsx';
import { UPRIGHT } from './zone-edit.ts';

const RULES = [
  ['inside', 'Keep out'],
  ['outside', 'Keep inside'],
] as const;

const CORNER = { label: 'Corner', unit: 'mm', scale: MM_PER_M, step: 10 } as const;
const SIZE = { label: 'Size', unit: 'mm', scale: MM_PER_M, step: 10, min: 1 } as const;
const TURN = { label: 'Turn', unit: '°', step: 5 } as const;

/** The rotations about the base's axes (°). */
function turnsOf(orientation: Quaternion): Vector {
  const pose = new Float64Array(12);
  quaternionToMatrix(normaliseQuaternion(orientation) ?? UPRIGHT, pose);
  const [x, y, z] = fixedAxisAngles(pose).map((angle) => Number(degrees(angle).toFixed(6)));
  return { x: x!, y: y!, z: z! };
}

/** The orientation with those rotations. */
function turned({ x, y, z }: Vector): Quaternion {
  const pose = new Float64Array(12);
  fixedAxisRotation(x * RAD_PER_DEG, y * RAD_PER_DEG, z * RAD_PER_DEG, pose);
  return matrixToQuaternion(pose);
}

interface ZoneFieldsProps extends Bound<AvoidanceZone> {
  /** Whether no other zone has a name. */
  readonly isFree: (name: string) => boolean;
}

/** Name, rule, corner (mm), size (mm) and turns (°, about the base's axes) of a zone. */
export function ZoneFields({ value: zone, set, isFree }: ZoneFieldsProps) {
  const { name, avoid, position, dimensions, orientation } = zone;
  const change = (patch: Partial<AvoidanceZone>) => set({ ...zone, ...patch });
  const turns = turnsOf(orientation);
  return (
    <>
      <TextRow
        label="Name"
        maxLength={limits.name_max_characters}
        value={name}
        set={(text) => text !== '' && isFree(text) && change({ name: text })}
      />
      <ChoiceRow
        label="Rule"
        options={RULES}
        value={avoid}
        set={(rule) => change({ avoid: rule === 'outside' ? 'outside' : 'inside' })}
      />
      <VectorRows {...CORNER} value={position} set={(next) => change({ position: next })} />
      <VectorRows {...SIZE} value={dimensions} set={(next) => change({ dimensions: next })} />
      <VectorRows {...TURN} value={turns} set={(next) => change({ orientation: turned(next) })} />
    </>
  );
}
