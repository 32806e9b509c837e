import { computed } from '@preact/signals';
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

/** Builds the toolpaths of a store for the arm. */
export function followArm(store: ToolpathStore, arm: ArmStore): void {
  const { sim } = arm.shown;
  const parts = (['profile', 'jointRange'] as const).map((name) =>
    computed(() => sim.value?.[name]),
  );
  const cell = computed(() => sim.value?.cell?.description);
  computed(() => [...parts, cell].map(({ value }) => value)).subscribe(() => {
    store.setArm(builtArm(arm.view()));
  });
}
