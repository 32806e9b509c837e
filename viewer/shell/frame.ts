/**
 * The frame that all pages share: top bar, scene with what lies over it, and the panels of the Live
 * page, which stay in it while another page is shown.
 */

import type { ArmStore } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import type { LiveLink } from '../link/live-link.ts';
import type { Stage } from '../scene/stage.ts';
import { button, element, setAttribute } from '../ui/element.ts';
import { icon } from '../ui/icon.ts';
import { onPageKey } from '../ui/page-key.ts';
import type { Place } from '../ui/place.ts';
import type { CollisionSwitch } from './collision-switch.ts';
import { createFrameKeys } from './frame-keys.ts';
import { createMotionBar } from './motion-bar.ts';
import { createNotices } from './notices.ts';
import { createSteady, type Panel } from './panel.ts';
import type { RunChoice } from './run-choice.ts';
import { bindScene } from './scene-binding.ts';
import { followOverlays } from './scene-overlays.ts';
import { createTopBar } from './top-bar.ts';
import { createViewBar } from './view-bar.ts';

/** What moves without a layout, and what says the state, updates at most this often. */
const REFRESH_MS = { fast: 50, slow: 100 } as const;
/** The panels of the Live page. */
export interface LivePanels {
  /** Over the scene. */
  readonly readout: Panel;
  /** Under the scene. */
  readonly plots: Panel;
  /** Over the scene, while the page looks back. */
  readonly lookBack: HTMLElement;
  /** What the page looks at. */
  place(): Place;
  /** Looks at a time of the arm (s); false if the page has not heard of it. */
  look(at_s: number): boolean;
  /** Beside the scene, from top to bottom. */
  readonly inspector: readonly Panel[];
  /** Creates the tabs of the narrow layout, which choose what the page shows. */
  createTabs(page: HTMLElement): HTMLElement;
}

export interface Frame {
  readonly element: HTMLElement;
  /** The scene's container, where other pages add their overlays. */
  readonly scene: HTMLElement;
  /** Container of the notices over the scene. */
  readonly notices: HTMLElement;
  /** Called after every drawn frame of the scene. */
  onFrame(): void;
}

export interface FrameParts {
  readonly store: ArmStore;
  readonly link: LiveLink;
  readonly commands: Commands;
  readonly stage: Stage;
  readonly collision: CollisionSwitch;
  /** Resolves with the first picture of the arm. */
  readonly shown: Promise<void>;
  /** Copies a link to what is on the screen. */
  readonly copyLink: () => void;
  /** The options of the next run. */
  readonly choice: RunChoice;
  readonly live: LivePanels;
}

/** Builds the frame; it updates itself from the store. */
export function createFrame(parts: FrameParts): Frame {
  const { store, link, commands, stage, collision, shown, copyLink, choice } = parts;
  const { readout, plots, lookBack, inspector, createTabs } = parts.live;
  const motion = createMotionBar(choice, commands, () => store.view());
  const top = createTopBar(commands, motion);
  const views = createViewBar(stage, collision.element, copyLink);
  const notices = createNotices(store, { reconnect: () => link.reconnect(), shown });
  const prompt: readonly Panel[] = [top, notices, plots];
  const updateSteady = createSteady([readout, ...inspector]);
  const scene = element('main', { class: 'scene', 'aria-label': 'Arm' });
  scene.append(stage.element, views.element, notices.element, readout.element, lookBack);
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
    setAttribute(page, 'data-past', view.lookBack !== null);
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
  store.subscribe(scheduleRefresh);
  // Ages, run times and plots advance even when no message arrives.
  setInterval(scheduleRefresh, REFRESH_MS.slow);
  followOverlays(scene, notices.element, stage);
  bindScene(store, stage);
  onPageKey(createFrameKeys({ motion, views, commands, collision, drawer }));
  return { element: page, scene, notices: notices.element, onFrame: () => views.onFrame() };
}
