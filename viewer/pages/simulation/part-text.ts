import type { CellState } from '../../../contract/types.generated.ts';
import { decimal } from '../../ui/value-text.ts';

/** The state of a part in a few words. */
export function partText(state: CellState, name: string): string {
  const named = <Part extends { readonly name: string }>(parts: readonly Part[]) =>
    parts.find((part) => part.name === name);
  const object = named(state.objects);
  if (object?.held_by) return `held by ${object.held_by}`;
  if (object?.status === 'carried') return `carried on ${object.at}`;
  if (object?.at) return object.status === 'tipped' ? `fell over on ${object.at}` : object.at;
  if (object) return object.status;
  const gripper = named(state.grippers);
  if (gripper?.holds) return `holds ${gripper.holds}`;
  if (gripper) return gripper.closed ? 'closed, empty' : 'open';
  const sensor = named(state.sensors);
  if (typeof sensor?.value === 'number') return decimal(sensor.value, 2);
  if (sensor) return sensor.active ? 'sees something' : 'free';
  const conveyor = named(state.conveyors);
  if (conveyor) return conveyor.running ? 'runs' : 'stands';
  return '';
}
