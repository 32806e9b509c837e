/** The Live page: scene, inspector and plots, updated from the live link. */

import type { ToolpathHead } from '../../../contract/types.ts';
import { createTool } from '../../../physics/kinematics/tool.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { ArmView } from '../../link/arm-view.ts';
import type { Commands } from '../../link/commands.ts';
import { loadFailedNotice } from '../../link/failure-notice.ts';
import type { LiveLink } from '../../link/live-link.ts';
import type { HeadLight } from '../../scene/head-light.ts';
import type { Stage } from '../../scene/stage.ts';
import { insetsOf } from '../../scene/viewpoint.ts';
import { waypointTips } from '../../scene/waypoint-tips.ts';
import type { CollisionSwitch } from '../../shell/collision-switch.ts';
import { createMotionBar } from '../../shell/motion-bar.ts';
import { createNotices } from '../../shell/notices.ts';
import { createSteady, type Panel } from '../../shell/panel.ts';
import type { RunChoice } from '../../shell/run-choice.ts';
import { createTopBar } from '../../shell/top-bar.ts';
import { createViewBar } from '../../shell/view-bar.ts';
import { button, element, setAttribute } from '../../ui/element.ts';
import { afterLayout } from '../../ui/frame.ts';
import { icon } from '../../ui/icon.ts';
import { onPageKey } from '../../ui/page-key.ts';
import { loadStyles } from '../../ui/style-sheets.ts';
import { createEventsPanel } from './events-panel.ts';
import { createIoPanel } from './io-panel.ts';
import { createJointsPanel } from './joints-panel.ts';
import { createPlotsPanel } from './plots-panel.ts';
import type { CreateToolpathPicker, ToolpathPicker } from './run-options.ts';
import { createRunPanel } from './run-panel.ts';
import { createTabs } from './tabs.ts';
import { createToolReadout } from './tool-readout.ts';

/** What moves without a layout, and what says the state, updates at most this often. */
const REFRESH_MS = { fast: 50, slow: 100 } as const;
/** Delay after which the first pose has been drawn. */
const FIRST_VIEW_MS = 200;

export interface LivePage {
  readonly element: HTMLElement;
  /** The scene's container, where other pages add their overlays. */
  readonly scene: HTMLElement;
  /** Container of the notices over the scene. */
  readonly notices: HTMLElement;
  /** Called after every drawn frame of the scene. */
  onFrame(): void;
}

export interface LivePageParts {
  readonly store: ArmStore;
  readonly link: LiveLink;
  readonly commands: Commands;
  readonly calls: ArmCalls;
  readonly stage: Stage;
  readonly collision: CollisionSwitch;
  /** Resolves with the first picture of the arm. */
  readonly shown: Promise<void>;
  /** Copies a link to what is on the screen. */
  readonly copyLink: () => void;
}

/** Colour of the head's LED, as on the real arm: white idle, green running, yellow fault. */
function headLightOf(view: ArmView): HeadLight {
  switch (view.link === 'live' ? view.snapshot?.control.state : undefined) {
    case undefined:
    case 'disabled':
    case 'shutting_down':
      return 'off';
    case 'running':
    case 'stopping':
    case 'backdriving':
      return 'green';
    case 'error':
    case 'collision':
      return 'yellow';
    default:
      return 'white';
  }
}

/** Updates tool, zones, LED and camera of the scene from the store and what lies over it. */
function bindScene(
  store: ArmStore,
  stage: Stage,
  { scene, notices }: Pick<LivePage, 'scene' | 'notices'>,
): void {
  followOverlays(scene, notices, stage);
  let firstHash = '';
  // On a busy machine the timer comes before the layout without what was over the scene.
  const frameCamera = () => setTimeout(() => afterLayout(() => stage.frame()), FIRST_VIEW_MS);
  const fitCamera = () => setTimeout(() => afterLayout(() => stage.reframe()), FIRST_VIEW_MS);
  store.subscribe((view, before) => {
    if (view.loaded !== before.loaded) {
      stage.setTool(createTool(view.loaded?.toolpath.metadata.tcp_config));
      stage.setZones(view.loaded?.toolpath.metadata.avoidance_zones ?? []);
      stage.setExtent(view.loaded ? waypointTips(view.loaded.toolpath) : []);
    }
    // Behind the sign-in dialog the whole arm is seen too.
    if (view.link === 'signed-out' && before.link !== 'signed-out') frameCamera();
    // Frame the camera on the first pose, and again when the tool of that pose has loaded.
    if (view.snapshot && !before.snapshot) {
      firstHash = view.snapshot.control.toolpath_hash;
      frameCamera();
    }
    if (view.loaded && !before.loaded && view.loaded.hash === firstHash) frameCamera();
    else if (view.loaded !== before.loaded) fitCamera();
    if (headLightOf(view) !== headLightOf(before)) stage.setLight(headLightOf(view));
  });
}

/** What stays over the scene, so that the camera shows the arm beside it. */
const OVERLAYS = '.layers > *, .explain, .hint, .notice, .readouts > *, .colouring, .target-bar';

/**
 * Reports to the stage what `OVERLAYS` and the panel of causes cover of the scene; another page,
 * another size of the scene, and the panel as it opens and closes, fit the arm again.
 */
function followOverlays(scene: HTMLElement, notices: HTMLElement, stage: Stage): void {
  let shown = '';
  const observer = new ResizeObserver(() => {
    const page = scene.parentElement ?? scene;
    const boxes = [...page.querySelectorAll(OVERLAYS)].map((each) => each.getBoundingClientRect());
    const panel = notices.querySelector('.explain-panel:not([hidden])');
    const beside = panel?.getBoundingClientRect() ?? null;
    const insets = insetsOf(scene.getBoundingClientRect(), boxes, beside);
    const readouts = scene.querySelector<HTMLElement>('.readouts');
    scene.style.setProperty('--readouts', `${readouts?.offsetHeight ?? 0}px`);
    stage.setInsets(insets);
    const size = [scene.clientWidth, scene.clientHeight];
    const now = [page.dataset['page'], ...size, insets.left > 0].join();
    if (now !== shown) stage.reframe();
    shown = now;
  });
  for (const each of [scene, notices]) observer.observe(each);
}

function createKeyHandler(
  motion: ReturnType<typeof createMotionBar>,
  views: ReturnType<typeof createViewBar>,
  { commands, collision, drawer }: LivePageParts & { readonly drawer: HTMLElement },
): (event: KeyboardEvent) => void {
  return (event) => {
    const typing =
      event.target instanceof Element && event.target.matches('input, select, textarea');
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.shiftKey ? `Shift+${event.key.toUpperCase()}` : event.key.toLowerCase();
    if (key === 'p') motion.press('pause');
    else if (key === 'Shift+R') {
      motion.press('run');
      motion.press('resume');
    } else if (key === 'Shift+ESCAPE') motion.press('cancel');
    else if (key === 'l') void commands.acquireLock();
    else if (key === 'f') views.show('start');
    else if (key === 'c') collision.toggleCapsules();
    else if (key === 'i') drawer.click();
  };
}

const PICKER_STYLES = [new URL('../../styles/program.css', import.meta.url)];

/** The list of the arm's toolpaths as Compare has it; null, with a notice, when it cannot load. */
async function openPicker(
  { store, calls }: LivePageParts,
  ...[toggle, choose]: Parameters<CreateToolpathPicker>
): Promise<ToolpathPicker | null> {
  async function read({ id }: ToolpathHead): Promise<string | null> {
    const outcome = await calls.call((client) => client.getToolpath({ toolpath_id: id }));
    return outcome.ok ? JSON.stringify(outcome.value.toolpath.toolpath) : null;
  }
  try {
    const { createPicker } = await import('../../toolpath/toolpath-picker.ts');
    await loadStyles(PICKER_STYLES);
    return createPicker({ arm: store, read, choose, toggle });
  } catch {
    store.set({ notice: loadFailedNotice('The list of toolpaths') });
    return null;
  }
}

/** Builds the page; it updates itself from the store. */
export function createLivePage(parts: LivePageParts): LivePage {
  const { store, link, commands, stage, collision, shown, copyLink } = parts;
  const choice: RunChoice = { mode: 'automatic', loops: 1 };
  const motion = createMotionBar(choice, commands, () => store.view());
  const top = createTopBar(commands, motion);
  const views = createViewBar(stage, collision.element, copyLink);
  const notices = createNotices(store, { reconnect: () => link.reconnect(), shown });
  const readout = createToolReadout();
  const plots = createPlotsPanel();
  const inspector = [
    createRunPanel(choice, commands, (toggle, choose) => openPicker(parts, toggle, choose)),
    createJointsPanel(),
    createIoPanel(commands),
    createEventsPanel(),
  ];
  const prompt: readonly Panel[] = [top, notices, plots];
  const updateSteady = createSteady([readout, ...inspector]);
  const scene = element('main', { class: 'scene', 'aria-label': 'Arm' });
  scene.append(stage.element, views.element, notices.element, readout.element);
  const page = element('div', { class: 'page' });
  const drawer = button(
    { class: 'glass tool drawer', title: 'Show or hide the panels (I)', 'aria-label': 'Panels' },
    () => page.toggleAttribute('data-drawer'),
    icon('routine'),
  );
  scene.append(drawer);
  page.append(
    top.element,
    scene,
    createTabs(page),
    plots.element,
    element('aside', { class: 'inspector' }, ...inspector.map((panel) => panel.element)),
  );
  let due = false;
  function refresh(): void {
    due = false;
    const now_ms = performance.now();
    const view = store.view();
    setAttribute(page, 'data-link', view.link);
    const shown = { view, now_ms, age_ms: link.staleness.age_ms(now_ms) };
    for (const panel of prompt) panel.update(shown);
    updateSteady(shown);
    // The panels show the state before the scene starts to use the GPU.
    if (view.link !== 'connecting') stage.start();
  }
  function scheduleRefresh(): void {
    if (due) return;
    due = true;
    setTimeout(() => requestAnimationFrame(refresh), REFRESH_MS[stage.isSlow() ? 'slow' : 'fast']);
  }
  store.subscribe((view) => {
    plots.record(view, performance.now());
    scheduleRefresh();
  });
  // Ages, run times and plots advance even when no message arrives.
  setInterval(scheduleRefresh, REFRESH_MS.slow);
  bindScene(store, stage, { scene, notices: notices.element });
  onPageKey(createKeyHandler(motion, views, { ...parts, drawer }));
  return { element: page, scene, notices: notices.element, onFrame: () => views.onFrame() };
}
