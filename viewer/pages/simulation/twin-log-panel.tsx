import { useComputed } from '@preact/signals';
import { LogItem } from '../../shell/log-item.tsx';
import { twinLogRows } from '../../shell/log-rows.ts';
import { Panel } from '../../ui/panel.tsx';
import { contactsText } from './contacts-text.ts';
import type { PanelProps } from './panel-context.ts';

const LOG_SHOWN_MAX = 100;

/** The log of the twin, and what touches now. */
export function TwinLogPanel({ context: { arm } }: PanelProps) {
  const contacts = useComputed(() => contactsText(arm.value));
  const log = useComputed(() => arm.value.sim?.log).value ?? [];
  return (
    <Panel name="Twin log">
      <p class="wrap" role="status">
        {contacts}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <ol class="simulation-log" tabIndex={0}>
        {twinLogRows(log, LOG_SHOWN_MAX).map((row, i) => (
          <LogItem key={i} of={row} />
        ))}
      </ol>
    </Panel>
  );
}
