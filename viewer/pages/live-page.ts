/** The Live page: scene, inspector and dock, kept up to date while the robot speaks. */
import { createTool } from '../../physics/kinematics/tool.ts';
import type { ArmStore, ArmView } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import type { LiveLink } from '../link/live-link.ts';
import type { CollisionSwitch } from '../panels/collision-switch.ts';
import { button, element, setAttribute } from '../panels/element.ts';
import { createEventsPanel } from '../panels/events-panel.ts';
import { icon } from '../panels/icons.ts';
import { createIoPanel } from '../panels/io-panel.ts';
import { createJointsPanel } from '../panels/joints-panel.ts';
import { createMotionBar } from '../panels/motion-bar.ts';
import { createNotices } from '../panels/notices.ts';
import type { Panel } from '../panels/panel.ts';
import { createPlotsPanel } from '../panels/plots-panel.ts';
import { createRunPanel, type RunChoice } from '../panels/run-panel.ts';
import { createTabs } from '../panels/tabs.ts';
import { createToolReadout } from '../panels/tool-readout.ts';
import { createTopBar } from '../panels/top-bar.ts';
import { createViewBar } from '../panels/view-bar.ts';
import type { HeadLight } from '../scene/head-light.ts';
import type { Stage } from '../scene/stage.ts';

/** Panels change at most this often: digits that flicker faster cannot be read. */
const REFRESH_MS = 50;
/** By then the first pose has been drawn. */
const FIRST_VIEW_MS = 200;

export interface LivePage {
  readonly element: HTMLElement;
  /** What lies around the scene, for other pages to lay their own over it. */
  readonly scene: HTMLElement;
  /** To be called after every drawn frame of the scene. */
  drawn(): void;
}

export interface LivePageParts {
  readonly store: ArmStore;
  readonly link: LiveLink;
  readonly commands: Commands;
  readonly stage: Stage;
  readonly collision: CollisionSwitch;
}

/** The light of the head as the real arm's: white idle, green running, yellow fault. */
export function headLight(view: ArmView): HeadLight {
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

/** Passes on to the scene what the view says about tool, zones and light. */
function followScene(store: ArmStore, stage: Stage): void {
  let firstHash = '';
  const frame = () => setTimeout(() => stage.show('start'), FIRST_VIEW_MS);
  store.subscribe((view, before) => {
    if (view.loaded !== before.loaded) {
      stage.setTool(createTool(view.loaded?.toolpath.metadata.tcp_config));
      stage.setZones(view.loaded?.toolpath.metadata.avoidance_zones ?? []);
    }
    // The first pose decides how far back the whole arm can be seen from, and so does the tool
    // that it has by then, which is told later.
    if (view.snapshot && !before.snapshot) {
      firstHash = view.snapshot.control.toolpath_hash;
      frame();
    }
    if (view.loaded && !before.loaded && view.loaded.hash === firstHash) frame();
    if (headLight(view) !== headLight(before)) stage.setLight(headLight(view));
  });
}

function keys(
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
    else if (key === 'l') void commands.takeLock();
    else if (key === 'f') views.show('start');
    else if (key === 'c') collision.flip();
    else if (key === 'i') drawer.click();
  };
}

/** Builds the page and keeps it true to the store; put `element` where it shall be. */
export function createLivePage(parts: LivePageParts): LivePage {
  const { store, link, commands, stage, collision } = parts;
  const choice: RunChoice = { mode: 'automatic', loops: 1 };
  const motion = createMotionBar(choice, commands, () => store.view());
  const top = createTopBar(commands, motion);
  const views = createViewBar(stage, collision.element);
  const notices = createNotices(store, () => link.reconnect());
  const readout = createToolReadout();
  const plots = createPlotsPanel();
  const inspector = [
    createRunPanel(choice, commands),
    createJointsPanel(),
    createIoPanel(commands),
    createEventsPanel(),
  ];
  const panels: readonly Panel[] = [top, notices, readout, plots, ...inspector];
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
    for (const panel of panels) panel.update(shown);
    // What is known stands there in words before the scene takes the graphics processor.
    if (view.link !== 'connecting') stage.start();
  }
  function soon(): void {
    if (due) return;
    due = true;
    setTimeout(() => requestAnimationFrame(refresh), REFRESH_MS);
  }
  store.subscribe((view) => {
    plots.record(view, performance.now());
    soon();
  });
  // Ages, run times and plots move on even when nothing arrives.
  setInterval(soon, 2 * REFRESH_MS);
  followScene(store, stage);
  addEventListener('keydown', keys(motion, views, { ...parts, drawer }));
  return { element: page, scene, drawn: () => views.drawn() };
}
