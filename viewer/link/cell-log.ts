/** The events of a cell as entries of the log. Pure. */

import type { SimEvent } from '../../contract/types.generated.ts';
import type { LogEntry, SimView } from './arm-view.ts';

const CELL_FAULTS: readonly string[] = [
  'missed',
  'dropped',
  'tipped',
  'slipped',
  'slid',
  'fell_off',
];

/** What happened in the cell as lines of the event list; signals of sensors are not listed. */
export function cellLogEntries(view: SimView | null, event: SimEvent): LogEntry[] {
  const at = new Date();
  if (event.type !== 'cell_event') {
    return (view ? controlTexts(view, event) : []).map((text) => ({ at, kind: 'step', text }));
  }
  const { kind, text } = event.event;
  if (kind === 'sensor') return [];
  const tone = CELL_FAULTS.includes(kind) ? 'warn' : 'step';
  return [{ at, kind: tone, text: text.charAt(0).toUpperCase() + text.slice(1) }];
}

const CONTROL_VERBS = {
  door: ['closed', 'opened'],
  button: ['released', 'pressed'],
} as const;

/** Doors and buttons that an event changes, as lines of the event list. */
export function controlTexts({ cell }: SimView, event: SimEvent): string[] {
  if (event.type !== 'cell_state' || !cell) return [];
  const before = new Map(cell.state.controls.map(({ name, active }) => [name, active]));
  return event.state.controls.flatMap(({ name, active }) => {
    const control = cell.description.controls?.find((one) => one.name === name);
    if (!control || active === (before.get(name) ?? false)) return [];
    const verb = CONTROL_VERBS[control.kind][active ? 1 : 0];
    return [`${control.kind === 'door' ? 'Door' : 'Button'} “${name}” ${verb}`];
  });
}
