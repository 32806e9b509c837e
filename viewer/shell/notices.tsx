/**
 * The notices over the scene: the age of a stale view, a refused call, and a service that refuses
 * saves.
 */
import { type ReadonlySignal, type Signal, useComputed, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ArmStore } from '../link/arm-store.ts';
import { Button } from '../ui/buttons.tsx';
import { Icon } from '../ui/drawn-icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { ageText } from '../ui/value-text.ts';
import type { Shown } from './shown.ts';

/** Time between queries of the service's health. */
const HEALTH_PERIOD_MS = 10_000;

/** The reply of /readyz, as far as it tells of saves. */
interface ReadyState {
  readonly error?: { readonly details?: { readonly read_only?: string } | null };
}

/** Keeps why the service refuses saves, or null, soon and from time to time. */
function watchStorage(shown: Promise<void>, fault: Signal<string | null>): () => void {
  const query = async () => {
    const reply = await fetch('/readyz').catch(() => null);
    const state: ReadyState | null = await reply?.json().catch(() => null);
    fault.value = state?.error?.details?.read_only ?? null;
  };
  void shown.then(query);
  const timer = setInterval(() => void query(), HEALTH_PERIOD_MS);
  return () => clearInterval(timer);
}

interface NoticeProps {
  /** A warning interrupts screen readers. */
  readonly warns?: boolean;
  readonly hidden: boolean;
  readonly children: ComponentChildren;
}

/** A notice. It stays in the page while it is hidden, so that screen readers follow it. */
function Notice({ warns = false, hidden, children }: NoticeProps) {
  const look = warns
    ? ({ class: 'glass notice notice-warn', role: 'alert' } as const)
    : ({ class: 'glass notice', role: 'status' } as const);
  return (
    <div {...look} hidden={hidden}>
      <Icon name="warn" />
      {children}
    </div>
  );
}

export interface NoticesProps {
  readonly store: ArmStore;
  readonly shown: ReadonlySignal<Shown>;
  readonly reconnect: () => void;
  /** Resolves with the first picture of the arm. */
  readonly pictured: Promise<void>;
}

/** The notices; each is hidden while it is not needed. */
export function Notices({ store, shown, reconnect, pictured }: NoticesProps) {
  const fault = useSignal<string | null>(null);
  useEffect(() => watchStorage(pictured, fault), [pictured, fault]);
  const isStale = useComputed(() => shown.value.view.link === 'stale').value;
  const age = useComputed(() =>
    shown.value.view.link === 'stale' ? `No data for ${ageText(shown.value.age_ms)}. ` : '',
  );
  const notice = useComputed(() => shown.value.view.notice).value;
  return (
    <>
      <Notice warns hidden={!isStale}>
        <p>
          <b>{age}</b>This is the last known pose; the arm may have moved.
        </p>
        <Button onClick={reconnect}>Reconnect now</Button>
      </Notice>
      <Notice warns hidden={fault.value === null}>
        <p>
          {fault.value !== null && `Nothing can be saved: ${fault.value}. Motion and reads work.`}
        </p>
      </Notice>
      <Notice hidden={notice === null}>
        <p>{notice?.text}</p>
        <code>{notice?.code}</code>
        <IconButton
          icon="close"
          label="Dismiss"
          class="plain square"
          onClick={() => store.set({ notice: null })}
        />
      </Notice>
    </>
  );
}
