/** Says in words what changed between two snapshots, for the list of events. Pure. */
import type { LockStatus, RobotEvent, Snapshot } from '../../contract/types.ts';
import type { LogKind } from './arm-store.ts';

export interface Sentence {
  readonly kind: LogKind;
  readonly text: string;
}

const STATES: Record<Snapshot['control']['state'], Sentence> = {
  ready: { kind: 'done', text: 'Ready' },
  running: { kind: 'step', text: 'Running' },
  paused: { kind: 'warn', text: 'Paused' },
  stopping: { kind: 'step', text: 'Stopping after this loop' },
  error: { kind: 'fault', text: 'Error: motion stopped' },
  collision: { kind: 'fault', text: 'Collision: motion stopped' },
  disabled: { kind: 'fault', text: 'Disabled: the emergency stop is pressed' },
  backdriving: { kind: 'step', text: 'Moved by hand' },
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

function controlSentences(old: Snapshot, now: Snapshot): Sentence[] {
  const a = old.control;
  const b = now.control;
  const said: Sentence[] = [];
  if (a.toolpath_hash !== b.toolpath_hash && b.toolpath_hash) {
    said.push({ kind: 'done', text: `${b.toolpath_name || 'Toolpath'} loaded` });
  }
  const sameRun = a.state === b.state || b.state === 'ready';
  if (b.loop_count === a.loop_count + 1 && sameRun) {
    said.push({ kind: 'done', text: `Loop ${b.loop_count} finished` });
  }
  if (a.state !== b.state) said.push(STATES[b.state]);
  return said;
}

/** One sentence for each thing worth telling; telemetry and analog values are not. */
export function snapshotSentences(old: Snapshot, now: Snapshot): Sentence[] {
  const said = controlSentences(old, now);
  const before = old['global.outputs'];
  const after = now['global.outputs'];
  for (const [key, name] of OUTPUTS) {
    if (before[key] === after[key]) continue;
    said.push({ kind: 'io', text: `${name} ${after[key] ? 'on' : 'off'}` });
  }
  if (old.global.estop !== now.global.estop) {
    const text = now.global.estop ? 'Emergency stop pressed' : 'Emergency stop released';
    said.push({ kind: now.global.estop ? 'fault' : 'done', text });
  }
  return said;
}

const OWNERS = { you: 'you', admin: 'an admin', user: 'another user', none: 'nobody' } as const;

/** Who holds the lock, in words. */
export function ownerName(lock: LockStatus): string {
  return OWNERS[lock.owner];
}

/** What an event of the stream other than state_change says; null for those of other pages. */
export function eventSentence(event: RobotEvent): Sentence | null {
  switch (event.type) {
    case 'lock_status': {
      const free = event.lock.status === 'unlocked';
      return {
        kind: 'lock',
        text: free ? 'Lock released' : `Lock taken by ${ownerName(event.lock)}`,
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
