/** What the explanation panel sets: collision detection, and the daily schedule. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Sensitivity, Snapshot } from '../../../contract/types.generated.ts';
import { Choice, type Options } from '../../ui/fields.tsx';
import type { CallRemedy } from './explanation.ts';

const DETECTION_OFF =
  'Contacts are not detected: the arm goes on against what it touches, until a joint cannot follow. ' +
  'Choose a sensitivity to have it stop.';
const DETECTIONS: Options = [
  ['off', 'Off'],
  ['low', 'On, low sensitivity'],
  ['medium', 'On, medium sensitivity'],
  ['high', 'On, high sensitivity'],
];
/** Times of day of a schedule that has none yet. */
const FIRST_SCHEDULE = ['08:00:00', '17:00:00'] as const;
/** Runs a call that needs the lock; resolves with false where it was refused. */
export type Locked = (run: CallRemedy['run']) => Promise<boolean>;

interface SettingProps {
  readonly snapshot: Snapshot;
  readonly apply: Locked;
}

/** Collision detection: off, or on with a sensitivity. */
export function DetectionField({ snapshot, apply }: SettingProps) {
  const { enabled, sensitivity } = snapshot.collision_detection;
  const set = (value: string) =>
    apply((client) =>
      client.setCollisionDetection(
        value === 'off' ? { enabled: false } : { enabled: true, sensitivity: value as Sensitivity },
      ),
    );
  return (
    <div>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is a child */}
      <label class="explain-setting">
        Collision detection
        <Choice
          label="Collision detection"
          options={DETECTIONS}
          value={enabled ? sensitivity : 'off'}
          set={set}
        />
      </label>
      <p class="sub" hidden={enabled}>
        {DETECTION_OFF}
      </p>
    </div>
  );
}

/** A time of day with its seconds. */
const fullTime = (text: string) => (text.length === 5 ? `${text}:00` : text || '00:00:00');

/** The daily schedule: on or off, with its times of day. It is not changed under one who edits it. */
export function ScheduleFields({ snapshot: { scheduler }, apply }: SettingProps) {
  const row = useRef<HTMLDivElement>(null);
  const enabled = useRef<HTMLInputElement>(null);
  const start = useRef<HTMLInputElement>(null);
  const end = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (row.current!.contains(document.activeElement)) return;
    enabled.current!.checked = scheduler.enabled;
    start.current!.value = scheduler.start_time;
    end.current!.value = scheduler.stop_time;
  });
  function send(): void {
    const [from, to] = [start.current!, end.current!];
    if (enabled.current!.checked && from.value === to.value)
      [from.value, to.value] = FIRST_SCHEDULE;
    const times = { start_time: fullTime(from.value), end_time: fullTime(to.value) };
    const change = enabled.current!.checked ? { enabled: true, ...times } : { enabled: false };
    void apply((client) => client.setScheduler(change));
  }
  const time = { step: '1', class: 'field', onChange: send };
  return (
    <div ref={row} class="explain-setting">
      <label class="explain-check">
        <input ref={enabled} type="checkbox" aria-label="Daily schedule" onChange={send} />
        Daily schedule
      </label>
      <span class="explain-times">
        <input type="time" ref={start} aria-label="Start of the schedule" {...time} />
        to
        <input type="time" ref={end} aria-label="End of the schedule" {...time} />
      </span>
    </div>
  );
}
