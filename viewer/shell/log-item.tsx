import { Icon } from '../ui/drawn-icon.tsx';
import type { LogRow } from './log-rows.ts';

/** A row of a list of events. */
export function LogItem({ of: { kind, time, title, icon, text } }: { readonly of: LogRow }) {
  if (icon === null) return <li class={`event event-${kind}`}>{text}</li>;
  return (
    <li class={`event event-${kind}`}>
      <time title={title || undefined}>{time}</time>
      <Icon name={icon} />
      <span>{text}</span>
    </li>
  );
}
