/**
 * The emergency stop that the page cannot release: open doors, and the button at the arm. Pure.
 */
import type { ArmView } from './arm-view.ts';

/** Names of the doors that are open and engage the emergency stop. */
export function stoppingDoors({ sim }: ArmView): readonly string[] {
  const { description, state } = sim?.cell ?? {};
  const open = new Set(state?.controls.filter(({ active }) => active).map(({ name }) => name));
  const controls = description?.controls ?? [];
  const doors = controls.filter((one) => one.kind === 'door' && one.stops !== false);
  return doors.map(({ name }) => name).filter((name) => open.has(name));
}

/** "Door “front” is open"; empty while no door engages the emergency stop. */
export function doorStopText(view: ArmView): string {
  const names = stoppingDoors(view).map((name) => `“${name}”`);
  if (names.length < 2) return names.length === 0 ? '' : `Door ${names[0]} is open`;
  return `Doors ${names.slice(0, -1).join(', ')} and ${names.at(-1)} are open`;
}

/** Why the page cannot release the emergency stop; empty while it can, or none is engaged. */
export function outsideStopText(view: ArmView): string {
  if (view.sim?.status?.emergency_stop !== 'wired') return '';
  const doors = doorStopText(view);
  if (doors) return `${doors}: close ${stoppingDoors(view).length > 1 ? 'them' : 'it'} first`;
  return 'The emergency stop at the arm is pressed: release it there';
}
