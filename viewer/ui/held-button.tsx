import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Delay after the first call, and between further calls (ms). */
const FIRST_MS = 350;
const NEXT_MS = 40;

/** Keys that press a button. */
const PRESSING: readonly string[] = ['Enter', ' '];

/** Does once what a button does; the signal tells of its release. False ends the press. */
export type HeldAction = (held: AbortSignal) => boolean | Promise<boolean>;

interface HeldButtonProps {
  readonly label: string;
  readonly class: string;
  readonly act: HeldAction;
  readonly children: ComponentChildren;
}

/**
 * A button that calls `act` on a press and again while held, by pointer or key, each time after the
 * last call has finished. Releasing it, leaving it, its removal, or another window or tab in front
 * stops it.
 */
export function HeldButton({ label, class: name, act, children }: HeldButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const press = useRef<AbortController | null>(null);
  const release = (): void => press.current?.abort();

  useEffect(() => {
    document.addEventListener('visibilitychange', release);
    addEventListener('blur', release);
    addEventListener('pointerup', release, { capture: true });
    return () => {
      release();
      document.removeEventListener('visibilitychange', release);
      removeEventListener('blur', release);
      removeEventListener('pointerup', release, { capture: true });
    };
  }, []);

  async function hold(): Promise<void> {
    release();
    press.current = new AbortController();
    const { signal } = press.current;
    const made = button.current!;
    let rest_ms = FIRST_MS;
    // A disabled button, or one of an element that was taken away, may never be released.
    const isThere = () => made.isConnected && !made.matches(':disabled');
    while (!signal.aborted && isThere() && (await act(signal))) {
      await new Promise((resolve) => setTimeout(resolve, rest_ms));
      rest_ms = NEXT_MS;
    }
  }

  function onPointerDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    button.current!.setPointerCapture(event.pointerId);
    void hold();
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (!PRESSING.includes(event.key)) return;
    // Its click would be another press.
    event.preventDefault();
    if (!event.repeat) void hold();
  }
  function onKeyUp(event: KeyboardEvent): void {
    if (!PRESSING.includes(event.key)) return;
    event.preventDefault();
    release();
  }
  function onClick({ detail }: MouseEvent): void {
    // A click of neither is of a screen reader, which holds nothing.
    if (detail === 0) void act(AbortSignal.abort());
  }
  return (
    <button
      ref={button}
      type="button"
      class={name}
      aria-label={label}
      onPointerUp={release}
      onPointerCancel={release}
      onLostPointerCapture={release}
      onBlur={release}
      {...{ onPointerDown, onKeyDown, onKeyUp, onClick }}
    >
      {children}
    </button>
  );
}
