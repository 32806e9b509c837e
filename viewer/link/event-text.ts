/** The events of the robot as text. Pure. */

import type { RobotEvent, Snapshot } from '../../contract/types.generated.ts';
import type { LogKind } from './arm-view.ts';

/** An event of the list: its kind and its text. */
export interface EventText {
  readonly kind: LogKind;
  readonly text: string;
}

const STATES: Record<Snapshot['control']['state'], EventText> = {
  ready: { kind: 'done', text: 'Ready' },
  running: { kind: 'step', text: 'Running' },
  paused: { kind: 'warn', text: 'Paused' },
  stopping: { kind: 'step', text: 'Stopping after this loop' },
  error: { kind: 'fault', text: 'Error: motion stopped' },
  collision: { kind: 'fault', text: 'Collision: motion stopped' },
  disabled: { kind: 'fault', text: 'Disabled: the emergency stop is engaged' },
  backdriving: { kind: 'step', text: 'Backdriving' },
  updating: { kind: 'step', text: 'Updating' },
  shutting_down: { kind: 'warn', text: 'Shutting down' },
};

const OUTPUTS = [
  ['d0', 'Base output 0'],
  ['d1', 'Base output 1'],
  ['d2', 'Base output 2'],
  ['d3', 'Base output 3'],
  ['ee_d0', 'Tool output 0'],
  ['ee_d1', 'Tool output 1'],
] as const;

/** A recorded change such as "outputs.ee_d0 true" in words; others stay as they are. */
export function signalText(change: string): string {
  const found = /^(in|out)puts\.(ee_)?([da])(\d) (.+)$/.exec(change);
  if (!found) return change;
  const [, direction, tool, type, index, value] = found;
  const name = `${tool ? 'Tool' : 'Base'} ${type === 'a' ? 'analog ' : ''}${direction}put ${index}`;
  const state = { true: 'on', false: 'off' }[value!];
  return state ? `${name} ${state}` : `${name} at ${value}`;
}

function controlEventTexts(old: Snapshot, now: Snapshot): EventText[] {
  const a = old.control;
  const b = now.control;
  const texts: EventText[] = [];
  if (a.toolpath_hash !== b.toolpath_hash && b.toolpath_hash) {
    texts.push({ kind: 'done', text: `${b.toolpath_name || 'Toolpath'} loaded` });
  }
  const sameRun = a.state === b.state || b.state === 'ready';
  if (b.loop_count === a.loop_count + 1 && sameRun) {
    texts.push({ kind: 'done', text: `Loop ${b.loop_count} finished` });
  }
  if (a.state !== b.state) texts.push(STATES[b.state]);
  return texts;
}

/** One text per change; telemetry and analog values are ignored. */
export function snapshotEventTexts(old: Snapshot, now: Snapshot): EventText[] {
  const texts = controlEventTexts(old, now);
  const before = old['global.outputs'];
  const after = now['global.outputs'];
  for (const [key, name] of OUTPUTS) {
    if (before[key] === after[key]) continue;
    texts.push({ kind: 'io', text: `${name} ${after[key] ? 'on' : 'off'}` });
  }
  if (old.global.estop !== now.global.estop) {
    const text = now.global.estop ? 'Emergency stop engaged' : 'Emergency stop released';
    texts.push({ kind: now.global.estop ? 'fault' : 'done', text });
  }
  return texts;
}

/** The event tells the role, not the user, who may be the one who reads it. */
const ACQUIRED_BY = { you: 'you', admin: 'an admin', user: 'a user', none: 'no one' } as const;

/** The text of an event other than state_change; null if the list does not show it. */
export function eventText(event: RobotEvent): EventText | null {
  switch (event.type) {
    case 'lock_status': {
      const free = event.lock.status === 'unlocked';
      return {
        kind: 'lock',
        text: free ? 'Lock released' : `Lock acquired by ${ACQUIRED_BY[event.lock.owner]}`,
      };
    }
    case 'toolpath_created':
      return { kind: 'done', text: `${event.toolpath.name} saved` };
    case 'toolpath_updated':
      return { kind: 'done', text: `${event.toolpath.name} changed` };
    case 'toolpath_deleted':
      return { kind: 'step', text: `${event.toolpath.name} deleted` };
    case 'toolpath_shared':
      return { kind: 'step', text: `${event.toolpath.name} shared with you` };
    case 'config_change':
    case 'update_in_progress':
      return { kind: 'step', text: event.message };
    default:
      return null;
  }
}
