import type { ComponentChildren } from 'preact';
import type { Shown } from '../../shell/shown.ts';
import { ageText } from '../../ui/value-text.ts';

interface LiveHeadingProps {
  readonly name: string;
  /** Its age stands beside the name while it is stale; absent where it does not age. */
  readonly shown?: Shown;
  /** At the end. */
  readonly end?: ComponentChildren;
}

/** The heading of a panel of the Live page. */
export function LiveHeading({ name, shown, end }: LiveHeadingProps) {
  return (
    <header class="section-head">
      <h2>{name}</h2>
      <span class="age">{shown?.view.link === 'stale' && `${ageText(shown.age_ms)} old`}</span>
      {end}
    </header>
  );
}

interface LivePanelFrameProps extends LiveHeadingProps {
  readonly class: string;
  /** The tab of the narrow layout that shows it. */
  readonly tab: string;
  readonly children: ComponentChildren;
}

/** A panel of the Live page under its heading. */
export function LivePanel({ class: kind, tab, children, ...heading }: LivePanelFrameProps) {
  return (
    <section class={`panel ${kind}`} data-tab={tab} aria-label={heading.name}>
      <LiveHeading {...heading} />
      {children}
    </section>
  );
}
