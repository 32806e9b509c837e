/** The list of events, newest first: those this page received, or the twin log. */
import { useComputed, useSignal } from '@preact/signals';
import { LogItem } from '../../shell/log-item.tsx';
import { eventRow, twinLogRows } from '../../shell/log-rows.ts';
import { Button } from '../../ui/buttons.tsx';
import { LivePanel } from './live-panel.tsx';
import type { LivePanelProps } from './live-state.ts';

const SHOWN_MAX = 60;
const NONE = 'No events since this page was opened.';

/** The panel; it can switch to the twin log if there is one. */
export function EventsPanel({ live }: LivePanelProps) {
  const isOfTwin = useSignal(false);
  const log = useComputed(() => live.texts.value.view.log).value;
  const twinLog = useComputed(() => live.texts.value.view.sim?.log).value;
  const rows =
    isOfTwin.value && twinLog
      ? twinLogRows(twinLog, SHOWN_MAX)
      : log.slice(0, SHOWN_MAX).map(eventRow);
  function toggle(): void {
    isOfTwin.value = !isOfTwin.value;
  }
  const chip = (
    <Button class="chip" aria-pressed={isOfTwin.value} hidden={!twinLog} onClick={toggle}>
      Twin log
    </Button>
  );
  return (
    <LivePanel class="events" name="Events" tab="events" end={chip}>
      <p class="empty">{rows.length === 0 && NONE}</p>
      <ol class="events-list">
        {rows.map((row, i) => (
          <LogItem key={i} of={row} />
        ))}
      </ol>
    </LivePanel>
  );
}
