/** The Live page: scene, inspector and plots, updated from the live link. */
import type { ToolpathHead } from '../../contract/types.ts';
import { createTool } from '../../physics/kinematics/forward.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore, ArmView } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import type { LiveLink } from '../link/live-link.ts';
import type { CollisionSwitch } from '../panels/collision-switch.ts';
import type { Panel } from '../panels/element.ts';
import {
  afterLayout,
  button,
  createSteady,
  element,
  icon,
  onPageKey,
  setAttribute,
  setText,
} from '../panels/element.ts';
import { createEventsPanel } from '../panels/events-panel.ts';
import { createIoPanel, createJointsPanel, createToolReadout } from '../panels/joints-panel.ts';
import { createMotionBar } from '../panels/motion-bar.ts';
import { createPlotsPanel } from '../panels/plots-panel.ts';
import {
  type CreateToolpathPicker,
  createRunPanel,
  type RunChoice,
  type ToolpathPicker,
} from '../panels/run-panel.ts';
import { createTopBar } from '../panels/top-bar.ts';
import { ageText } from '../panels/value-text.ts';
import { createViewBar } from '../panels/view-bar.ts';
import type { HeadLight } from '../scene/palette.ts';
import type { Stage } from '../scene/renderer.ts';
import { waypointTips } from '../scene/stage-parts.ts';
import { insetsOf } from '../scene/viewpoint.ts';
import { loadFailedNotice, loadStyles } from './page.ts';

/** Time between queries of the service's health. */
const HEALTH_PERIOD_MS = 10_000;

/** Reports why the service refuses saves, or null, soon and from time to time. */
function watchStorage(shown: Promise<void>, report: (fault: string | null) => void): void {
  const query = async () => {
    const reply = await fetch('/readyz').catch(() => null);
    const state: unknown = await reply?.json().catch(() => null);
    const fault = state !== null && typeof state === 'object' && 'read_only' in state;
    report(fault ? String(state.read_only) : null);
  };
  void shown.then(query);
  setInterval(() => void query(), HEALTH_PERIOD_MS);
}

/** The age of a stale view, and a refused call, over the scene; hidden while not needed. */
function createNotices(
  store: ArmStore,
  { reconnect, shown }: { readonly reconnect: () => void; readonly shown: Promise<void> },
): Panel {
  const age = element('b');
  const stale = element(
    'div',
    { class: 'glass notice notice-warn', role: 'alert' },
    icon('warn'),
    element('p', {}, age, 'This is the last known pose; the arm may have moved.'),
    button({ class: 'plain' }, reconnect, 'Reconnect now'),
  );
  const refusedText = element('p');
  const code = element('code');
  const refused = element(
    'div',
    { class: 'glass notice', role: 'status' },
    icon('warn'),
    refusedText,
    code,
    button(
      { class: 'plain square', 'aria-label': 'Dismiss' },
      () => store.set({ notice: null }),
      icon('close'),
    ),
  );
  const fault = element('p');
  const readOnly = element(
    'div',
    { class: 'glass notice notice-warn', role: 'alert', hidden: '' },
    icon('warn'),
    fault,
  );
  watchStorage(shown, (text) => {
    setAttribute(readOnly, 'hidden', text === null);
    if (text !== null) setText(fault, `Nothing can be saved: ${text}. Motion and reads work.`);
  });
  return {
    element: element('div', { class: 'notices' }, stale, readOnly, refused),
    update({ view, age_ms }) {
      setAttribute(stale, 'hidden', view.link !== 'stale');
      if (view.link === 'stale') setText(age, `No data for ${ageText(age_ms)}. `);
      setAttribute(refused, 'hidden', view.notice === null);
      if (view.notice) {
        setText(refusedText, view.notice.text);
        setText(code, view.notice.code);
      }
    },
  };
}

/** Tabs of the narrow layout, which shows one panel at a time. */
const TABS = [
  ['joints', 'Joints'],
  ['io', 'I/O'],
  ['plots', 'Plots'],
  ['events', 'Events'],
  ['tool', 'Run'],
] as const;

/** Tab buttons that set `data-tab` on `target`; the style sheet shows the matching panels. */
function createTabs(target: HTMLElement): HTMLElement {
  const bar = element('div', { class: 'tabs', role: 'tablist' });
  const select = (selected: string): void => {
    target.dataset['tab'] = selected;
    for (const tab of bar.children) {
      setAttribute(tab, 'aria-selected', String(tab.getAttribute('data-for') === selected));
    }
  };
  for (const [key, label] of TABS) {
    bar.append(button({ class: 'tab', role: 'tab', 'data-for': key }, () => select(key), label));
  }
  select('joints');
  return bar;
}

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

const PICKER_STYLES = [new URL('../styles/program.css', import.meta.url)];

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
    const { createPicker } = await import('../toolpath/compare-panel.ts');
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
