/** The sentences with which reports name the active faults of a cell. */

import { BODY_STATUS } from './body-states.ts';
import type { FaultyParts } from './cell-faults.ts';
import type { Gripper } from './grippers/gripper.ts';
import { millimetres } from './millimetres.ts';

function gripperText({ name, fault }: Gripper): string[] {
  const { isJammed, slipsAfter_s, leaksIn_s } = fault;
  if (isJammed) return [`${name} is jammed`];
  if (slipsAfter_s !== null) return [`${name} loses its grip ${slipsAfter_s} s after a grasp`];
  return leaksIn_s === null ? [] : [`${name} loses its vacuum within ${leaksIn_s} s`];
}

/** What is wrong by injection, in sentences, for object `i`: its own faults and those of parts. */
export function faultTexts({ model, states, grippers, signals }: FaultyParts, i: number): string[] {
  const { name } = model.bodies[i]!;
  const moved = states.misplaced[i]!;
  return [
    ...(states.status[i] === BODY_STATUS.missing ? [`${name} is missing`] : []),
    ...(moved > 0 ? [`${name} was misplaced by ${millimetres(moved)}`] : []),
    ...grippers.flatMap(gripperText),
    ...signals.sensors.flatMap(({ description, fault, level }) => {
      if (fault.isStuck) return [`${description.name} is stuck at ${level}`];
      return fault.late_s > 0 ? [`${description.name} is ${fault.late_s} s late`] : [];
    }),
    ...signals.belts.flatMap((belt) => (belt.isBroken ? [`${belt.model.name} stopped`] : [])),
  ];
}
