/** The load that the simulated arm carries, in its wire format. */

import { type Refusal, refuseAt } from '../../../contract/refusal.ts';
import type { SimLoad } from '../../../contract/types.generated.ts';
import { ballLoad, type Load } from '../../../physics/dynamics/load.ts';
import { principalAxes } from '../../../physics/dynamics/principal-axes.ts';

/** A tensor of a real body: positive moments, none greater than the other two together. */
function inertiaProblem(tensor: readonly number[]): string | null {
  const moments = [...principalAxes(tensor).moments].sort((a, b) => a - b);
  const [least, middle, most] = moments as [number, number, number];
  if (!(least > 0)) return `is not positive definite: least principal moment ${least}`;
  const slack = 1e-9 * most;
  if (most <= least + middle + slack) return null;
  return `belongs to no body: principal moment ${most} exceeds the sum of the others`;
}

/** The load of a request, or why it is refused. Ranges are the schema's. */
export function loadOf(body: SimLoad): Load | Refusal<'invalid_arguments'> {
  const { mass_kg, centre_of_mass_m: centre, inertia } = body;
  const centre_of_mass_m = [centre.x, centre.y, centre.z];
  if (!inertia) return { ...ballLoad(mass_kg), centre_of_mass_m };
  const { xx, yy, zz, xy, xz, yz } = inertia;
  const inertia_kg_m2 = [xx, yy, zz, xy, xz, yz];
  const problem = inertiaProblem(inertia_kg_m2);
  if (problem) return refuseAt('/inertia', problem);
  return { mass_kg, centre_of_mass_m, inertia_kg_m2 };
}

/** A load as the API shows it. */
export function wireLoad(load: Load): SimLoad {
  const [x, y, z] = load.centre_of_mass_m as [number, number, number];
  const [xx, yy, zz, xy, xz, yz] = load.inertia_kg_m2 as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const inertia = { xx, yy, zz, xy, xz, yz };
  return { mass_kg: load.mass_kg, centre_of_mass_m: { x, y, z }, inertia };
}
