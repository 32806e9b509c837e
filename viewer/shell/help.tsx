/** The help: a dialog that lists the keys of the pages. */
import { Button } from '../ui/buttons.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { drawn } from '../ui/mount.ts';
import { loadStyles } from '../ui/style-sheets.ts';
import type { Finder } from './finder/finder.tsx';

const STYLES = [new URL('../styles/finder.css', import.meta.url)];

/** The keys of the page, by where they work. */
const KEYS: readonly (readonly [where: string, keys: readonly (readonly [string, string])[]])[] = [
  [
    'Everywhere',
    [
      ['P', 'Pause'],
      ['⇧ R', 'Run or resume'],
      ['⇧ Esc', 'Cancel the motion'],
      ['L', 'Acquire the lock'],
      ['F', 'Show the whole arm'],
      ['C', 'Show collision capsules'],
      ['I', 'Show or hide panels'],
      ['1 – 6', 'Pages'],
      ['Ctrl K', 'Find a page, a command, a toolpath'],
      ['?', 'This help'],
    ],
  ],
  [
    'Time, on Live, Paths and Teach',
    [
      ['← →', 'One frame; with ⇧ one step, on Live one second'],
      ['Home End', 'Start and end; on Live the first that is kept, and now'],
      ['Esc', 'On Live back to now'],
    ],
  ],
  [
    'Paths and Teach',
    [
      ['Space', 'Play or pause the preview'],
      ['[ ]', 'Slower, faster'],
      ['A B X', 'Set and clear the repeated part'],
      ['E', 'Next error'],
      ['G Z', 'Ghost, zones'],
      ['/', 'Search the program'],
    ],
  ],
  [
    'Teach',
    [
      ['W', 'Add a waypoint; with ⇧ at the arm'],
      ['⇧ M', 'Move the arm to the ghost'],
      ['Ctrl Z', 'Undo; Ctrl Y to redo'],
      ['Ctrl S', 'Save to the arm'],
      ['Del', 'Remove the step'],
      ['Alt ↑ ↓', 'Move the step'],
    ],
  ],
];

interface HelpProps {
  readonly close: () => void;
  readonly showHints: () => void;
}

function HelpDialog({ close, showHints }: HelpProps) {
  return (
    <dialog class="finder help" aria-label="Help">
      <header>
        <h2>Keys</h2>
        <a href="docs/" target="_blank" rel="noopener">
          Documentation of the API
        </a>
        <Button class="plain small" onClick={showHints}>
          Show the hints again
        </Button>
        <IconButton icon="close" label="Close" class="plain square" onClick={close} />
      </header>
      <div class="help-keys">
        {KEYS.map(([where, keys]) => (
          <section key={where}>
            <h3>{where}</h3>
            <dl>
              {keys.map(([key, text]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </dialog>
  );
}

/** Creates the help: all keys, the hints, and the way to the documentation of the API. */
export async function createHelp(app: HTMLElement, showHints: () => void): Promise<Finder> {
  await loadStyles(STYLES);
  function toggle(): void {
    if (dialog.open) dialog.close();
    else dialog.showModal();
  }
  function hint(): void {
    toggle();
    showHints();
  }
  const help = <HelpDialog close={toggle} showHints={hint} />;
  const dialog = drawn(help) as HTMLDialogElement;
  app.append(dialog);
  return { toggle };
}
