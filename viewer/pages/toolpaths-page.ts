/**
 * The Toolpaths page: program, scene with the plan, inspector and timeline. It lays itself into the
 * frame of the Live page and comes in a chunk of its own. A dropped file is shown without a call
 * to the server.
 */
import { element } from '../panels/element.ts';
import { createPlanLayer, type PlanLayer } from '../scene/plan-layer.ts';
import { createComparePanel } from '../toolpath/compare-panel.ts';
import { createInspector } from '../toolpath/inspector.ts';
import { createLibrary } from '../toolpath/library.ts';
import { createColouringBar, createLayerBar } from '../toolpath/plan-bars.ts';
import { pressKey } from '../toolpath/plan-keys.ts';
import type { PlanPanel } from '../toolpath/plan-panel.ts';
import { createPlayback } from '../toolpath/playback.ts';
import { createProgramPanel } from '../toolpath/program-panel.ts';
import { followRuns } from '../toolpath/run-follower.ts';
import { createTimeline } from '../toolpath/timeline-panel.ts';
import { ToolpathStore } from '../toolpath/toolpath-store.ts';
import type { Way } from '../toolpath/way.ts';
import { follow, loadStyles, onTheme, type Page, type PageParts } from './page.ts';

/** The page's own style sheets: they come with it, not with the live view. */
const STYLES = [
  new URL('../styles/toolpaths.css', import.meta.url),
  new URL('../styles/program.css', import.meta.url),
  new URL('../styles/timeline.css', import.meta.url),
];

/** Shows the arm itself only while its pose is known: else the ghost stands alone. */
function followArm(
  { store, stage }: ToolpathsParts,
  plan: PlanLayer,
  here: () => boolean,
): () => void {
  const show = (): void => {
    const known = store.view().link === 'live';
    stage.setArmShown(known || !here());
    plan.setAlone(!known);
  };
  store.subscribe((view, before) => {
    if (view.link !== before.link) show();
  });
  return show;
}

/** What the page needs of what pages are given; an exported file has no more to give. */
export type ToolpathsParts = Pick<
  PageParts,
  'store' | 'calls' | 'commands' | 'stage' | 'frame' | 'scene'
> & { readonly signIn: Pick<PageParts['signIn'], 'show'> };

/** Builds the page into the frame; nothing shows before `enter`. */
export async function createToolpathsPage(
  parts: ToolpathsParts,
  store = new ToolpathStore(),
): Promise<Page> {
  await loadStyles(STYLES);
  const { frame, scene, stage } = parts;
  const library = createLibrary({ ...parts, store, arm: parts.store });
  const plan = createPlanLayer({ store, arm: stage.arm, redraw: () => stage.wake() });
  const signIn = () => parts.signIn.show();
  const program = createProgramPanel({ store, arm: parts.store, library, signIn });
  const timeline = createTimeline(store);
  const inspector = createInspector(store);
  const draw = (way: Way | null) => plan.compare(way);
  const compare = createComparePanel({ store, arm: parts.store, library, draw });
  inspector.element.append(compare.element);
  const bars = [createLayerBar(store), createColouringBar(store)];
  const busy = element('p', { class: 'glass plan-busy', role: 'status', hidden: true });
  scene.append(plan.marks, ...bars.map((bar) => bar.element), busy);
  frame.append(program.element, inspector.element, timeline.element);
  const words: PlanPanel = {
    element: busy,
    update({ busy: working, origin }) {
      busy.hidden = !working && origin !== null;
      busy.textContent = working ? 'Building the toolpath' : 'Drop a toolpath here';
    },
  };
  follow(store, [program, timeline, inspector, compare, ...bars, words]);
  createPlayback(store);
  followRuns(store, parts.store, (tip) => plan.follow(tip));
  let here = false;
  store.subscribe((view, before) => {
    if (here && view.opened && view.opened !== before.opened) stage.show('start');
  });
  const showArm = followArm(parts, plan, () => here);
  const search = () => program.element.querySelector('input')?.focus();
  addEventListener('keydown', (event) => {
    if (here) pressKey(store, event, search);
  });
  onTheme(() => timeline.redraw());
  function setHere(now: boolean): void {
    here = now;
    if (!now) store.set({ playing: false });
    stage.setLayer(now ? plan : null);
    showArm();
  }
  return {
    drawn: plan,
    posed: () => plan.posed(),
    enter: () => setHere(true),
    leave: () => setHere(false),
    openToolpath: (head) => void library.open(head),
    openFile: (name, text) => store.open({ name, id: null }, text),
  };
}
