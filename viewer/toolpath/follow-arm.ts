import type { ArmStore } from '../link/arm-store.ts';
import type { ArmView } from '../link/arm-view.ts';
import type { BuiltArm } from './build-messages.ts';
import type { ToolpathStore } from './toolpath-store.ts';

/** The arm that toolpaths are built for, as far as this user may read what it is. */
export function builtArm({ sim }: Pick<ArmView, 'sim'>): Required<BuiltArm> {
  return {
    profile: sim?.profile ?? null,
    jointRange: sim?.jointRange ?? null,
    cell: sim?.cell?.description ?? null,
  };
}

/** Whether toolpaths are built for the same arm in two views. */
function isSameArm(view: Pick<ArmView, 'sim'>, before: Pick<ArmView, 'sim'>): boolean {
  const [now, then] = [builtArm(view), builtArm(before)];
  return (
    now.profile === then.profile && now.jointRange === then.jointRange && now.cell === then.cell
  );
}

/** Builds the toolpaths of a store for the arm. */
export function followArm(store: ToolpathStore, arm: ArmStore): void {
  store.setArm(builtArm(arm.view()));
  arm.subscribe((view, before) => {
    if (!isSameArm(view, before)) store.setArm(builtArm(view));
  });
}
