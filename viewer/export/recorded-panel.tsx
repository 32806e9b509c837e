/** What a recording says: its events, below the report of the run where it has one. */
import { useComputed } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RecordingDocument, RecordingReport } from '../../contract/export-document.ts';
import { pauseAt } from '../toolpath/timeline/playback.ts';
import type { ToolpathStore } from '../toolpath/toolpath-store.ts';
import { Button } from '../ui/buttons.tsx';
import { Fact } from '../ui/fact.tsx';
import { cursorText } from '../ui/value-text.ts';

const LEGEND = 'In the scene, solid: the run; grey: its plan at the same point of the path.';

/** What a report says beside the recording, for the screen and for paper. */
function Report({ of: { verdict, facts, findings, planned } }: { readonly of: RecordingReport }) {
  return (
    <section class="report" aria-label="Report">
      <header class="section-head">
        <h2>Report</h2>
      </header>
      <p class="report-verdict">{verdict}</p>
      {planned !== null && <p class="report-legend sub">{LEGEND}</p>}
      <dl>
        {facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
      <h3>Findings</h3>
      {findings.length === 0 && <p>None.</p>}
      {findings.length > 0 && (
        <ul>
          {findings.map((text, i) => (
            <li key={i}>{text}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Scrolls a box, and nothing around it, until an element is in view. */
function scrollTo(box: HTMLElement, target: Element): void {
  const [whole, part] = [box.getBoundingClientRect(), target.getBoundingClientRect()];
  box.scrollTop += Math.max(part.bottom - whole.bottom, 0) - Math.max(whole.top - part.top, 0);
}

interface RecordedPanelProps {
  readonly store: ToolpathStore;
  readonly recording: RecordingDocument;
}

/** The events; a click moves the time cursor, and the last one before it is marked. */
export function RecordedPanel({ store, recording: { remarks, report } }: RecordedPanelProps) {
  const box = useRef<HTMLElement>(null);
  const { cursor_s } = store.shown;
  const current = useComputed(() =>
    remarks.findLastIndex(({ at_s }) => at_s <= cursor_s.value + 1e-9),
  ).value;
  useLayoutEffect(() => {
    const marked = box.current!.querySelector('[aria-current]');
    // A report above the events stays in view until the user plays on.
    if (marked && store.view().playing) scrollTo(box.current!, marked);
  }, [current]);
  return (
    <section ref={box} class="program remarks" aria-label="Events">
      {report && <Report of={report} />}
      <header class="section-head">
        <h2>Events</h2>
      </header>
      <ol>
        {remarks.map(({ at_s, kind, words }, i) => (
          <li key={i} aria-current={i === current ? 'true' : undefined}>
            <Button class="remark" data-kind={kind} onClick={() => pauseAt(store, at_s)}>
              <time>{cursorText(at_s)}</time>
              <span>{words}</span>
            </Button>
          </li>
        ))}
      </ol>
    </section>
  );
}
