/** Why a reset of the errors cannot succeed. Pure. */
import { jointName } from '../../physics/arm/arm-model.ts';
import type { ArmView } from './arm-view.ts';

/** What must end before the errors can be reset; empty where nothing is known to prevent it. */
export function resetBlock({ sim, snapshot }: ArmView): string {
  const joint = sim?.status?.fault?.joint ?? null;
  if (snapshot?.control.state !== 'error' || joint === null) return '';
  const injected = sim?.faults.find(
    ({ fault }) => fault.kind === 'driver' && fault.joint === joint,
  );
  return injected
    ? `${jointName(joint)} reports its fault until fault ${injected.id} is cleared`
    : '';
}
