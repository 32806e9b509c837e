/** What both pages of the demo have in their top bar: the other page, and what a tab cannot do. */
import { useRef } from 'preact/hooks';
import { Button } from '../ui/buttons.tsx';
import { mounted } from '../ui/mount.ts';

const PAGES = [
  { file: './', demo: 'run', label: 'A recorded run' },
  { file: './edit.html', demo: 'edit', label: 'Edit a toolpath' },
] as const;

const CANNOT = [
  'No arm moves here: what you see was recorded on a twin, or is planned in this tab. A twin has mass, friction, contact and faults.',
  'There is no API: scripts, tests and other programs need a twin.',
  'Nothing is kept: a reload forgets your edits.',
  'While you edit, only what stands fixed around the arm is drawn: parts, grippers and belts act in a run.',
];
const WAY_ON = 'A clone of armtwin starts a twin with npm start; its README has three commands.';

/** The links between the pages, and the button of what a tab cannot do, with its dialog. */
function DemoBar({ here }: { readonly here: string | undefined }) {
  const limits = useRef<HTMLDialogElement>(null);
  return (
    <>
      <nav class="demo-pages">
        {PAGES.map(({ file, demo, label }) => (
          <a key={demo} href={file} aria-current={demo === here ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <Button onClick={() => limits.current?.showModal()}>What this tab cannot do</Button>
      <dialog ref={limits} class="demo-limits" aria-label="What this tab cannot do">
        <h2>What this tab cannot do</h2>
        <ul>
          {CANNOT.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        <p>{WAY_ON}</p>
        <Button class="primary" onClick={() => limits.current?.close()}>
          Close
        </Button>
      </dialog>
    </>
  );
}

/** Adds the links of the demo to the top bar of the page. */
export function addDemoBar(): void {
  const title = document.querySelector('.export-bar .title');
  title?.after(mounted(<DemoBar here={document.body.dataset['demo']} />));
}
