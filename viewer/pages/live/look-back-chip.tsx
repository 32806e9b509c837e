import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../ui/buttons.tsx';
import { onPageKey } from '../../ui/page-key.ts';
import { pressTimeKey } from '../../ui/time-slider.ts';
import { decimal } from '../../ui/value-text.ts';
import type { LivePanelProps } from './live-state.ts';
import type { Plots } from './plots.ts';

/**
 * Says over the scene what is looked at, and goes back to now. While the Live page is shown, the
 * keys of time choose it.
 */
export function LookBackChip({ live, plots }: LivePanelProps & { readonly plots: Plots }) {
  const { lookBack } = plots;
  const chip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    onPageKey((event) => {
      const { target, ctrlKey, metaKey, altKey, key, shiftKey } = event;
      const isPast = !chip.current!.hidden;
      if (key === 'Escape' && !shiftKey && isPast) return lookBack.look(null);
      const { page = 'live' } = chip.current!.closest<HTMLElement>('.page')?.dataset ?? {};
      // What has the focus beside scene and plots has such keys of its own.
      const isOurs = target instanceof Element && target.matches('body, canvas');
      if (page !== 'live' || !isOurs || ctrlKey || metaKey || altKey) return;
      if (pressTimeKey(lookBack.cursor, event)) event.preventDefault();
    });
  }, []);
  const looked = live.moves.value.view.lookBack;
  const what = looked?.isKnown ? 'the arm then, its cell as it is now' : 'not heard';
  return (
    <div ref={chip} class="glass look-back" hidden={looked === null}>
      <span>{looked && `At ${decimal(looked.at_ms / 1000, 2)} s: ${what}`}</span>
      <span class="unit">
        {looked && `${decimal((plots.now_ms() - looked.at_ms) / 1000, 1)} s ago`}
      </span>
      <Button class="plain small" onClick={() => lookBack.look(null)}>
        Back to live (Esc)
      </Button>
    </div>
  );
}
