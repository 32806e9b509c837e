import type { ArmStore } from '../link/arm-store.ts';
import type { ArmView } from '../link/arm-view.ts';
import type { ToolpathStore } from './toolpath-store.ts';

/** Builds the toolpaths of a store for the arm, as far as this user may read what it is. */
export function followArm(store: ToolpathStore, arm: ArmStore): void {
  const follow = ({ sim }: ArmView) =>
    store.setArm({
      profile: sim?.profile ?? null,
      jointRange: sim?.jointRange ?? null,
      cell: sim?.cell?.description ?? null,
    });
  follow(arm.view());
  arm.subscribe((view, { sim }) => {
    const isSame =
      view.sim?.profile === sim?.profile &&
      view.sim?.jointRange === sim?.jointRange &&
      view.sim?.cell?.description === sim?.cell?.description;
    if (!isSame) follow(view);
  });
}
