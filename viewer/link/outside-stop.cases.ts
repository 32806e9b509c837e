import { ArmStore } from './arm-store.ts';
import { EMPTY_SIM, STATUS } from './snapshot.cases.ts';

/** A view of an arm whose emergency stop holds, from `source`, with these doors open. */
export function stoppedView(source: 'simulated' | 'wired' | null, ...open: readonly string[]) {
  const controls = open.map((name) => ({ name, active: true }));
  const cell = {
    description: { name: 'trays', controls: open.map((name) => ({ kind: 'door' as const, name })) },
    state: { objects: [], grippers: [], sensors: [], conveyors: [], controls },
    events: [],
  };
  const sim = { ...EMPTY_SIM, cell, status: { ...STATUS, emergency_stop: source } };
  return { ...new ArmStore().view(), sim };
}
