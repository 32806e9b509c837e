/** What lies over the scene, reported to the stage so that the camera shows the arm beside it. */
import type { Stage } from '../scene/stage.ts';
import { insetsOf } from '../scene/viewpoint.ts';

/** What stays over the scene, so that the camera shows the arm beside it. */
const OVERLAYS = '.layers > *, .explain, .hint, .notice, .readouts > *, .colouring, .target-bar';

/**
 * Reports to the stage what `OVERLAYS` and the panel of causes cover of the scene; another page,
 * another size of the scene, and the panel as it opens and closes, fit the arm again.
 */
export function followOverlays(scene: HTMLElement, notices: HTMLElement, stage: Stage): void {
  let shown = '';
  const observer = new ResizeObserver(() => {
    const page = scene.parentElement ?? scene;
    const boxes = [...page.querySelectorAll(OVERLAYS)].map((each) => each.getBoundingClientRect());
    const panel = notices.querySelector('.explain-panel:not([hidden])');
    const beside = panel?.getBoundingClientRect() ?? null;
    const insets = insetsOf(scene.getBoundingClientRect(), boxes, beside);
    const readouts = scene.querySelector<HTMLElement>('.readouts');
    const size = [scene.clientWidth, scene.clientHeight];
    // On what needs it alone: whatever is in the scene would have its styles computed again.
    notices.style.setProperty('--readouts', `${readouts?.offsetHeight ?? 0}px`);
    stage.setInsets(insets);
    const now = [page.dataset['page'], ...size, insets.left > 0].join();
    if (now !== shown) stage.reframe();
    shown = now;
  });
  // What lies in them comes when it is loaded.
  const readouts = scene.querySelectorAll('.readouts');
  for (const each of [scene, notices, ...readouts]) observer.observe(each);
}
