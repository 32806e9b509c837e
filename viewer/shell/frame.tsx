/**
 * The frame that all pages share: top bar, scene with what lies over it, and the panels of the Live
 * page, which stay in it while another page is shown.
 */

import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { render } from 'preact';
import type { ArmStore } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import type { LiveLink } from '../link/live-link.ts';
import type { Stage } from '../scene/stage.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { drawn, host } from '../ui/mount.ts';
import { onPageKey } from '../ui/page-key.ts';
import type { Place } from '../ui/place.ts';
import type { CollisionSwitch } from './collision-switch.tsx';
import { createFrameKeys } from './frame-keys.ts';
import { createMotion } from './motion-bar.tsx';
import { Notices } from './notices.tsx';
import type { RunChoice } from './run-choice.ts';
import { bindScene } from './scene-binding.ts';
import { followOverlays } from './scene-overlays.ts';
import type { Shown } from './shown.ts';
import { TopBar } from './top-bar.tsx';
import { createViewBar } from './view-bar.tsx';

/** What moves without a layout, and what says the state, updates at most this often. */
const REFRESH_MS = { fast: 50, slow: 100 } as const;

/** Where the panels of the Live page are: over, under and beside the scene. */
export interface LivePlaces {
  readonly readout: HTMLElement;
  readonly lookBack: HTMLElement;
  readonly plots: HTMLElement;
  /** The tabs of the narrow layout, which choose what the page shows. */
  readonly tabs: HTMLElement;
  readonly inspector: HTMLElement;
}

/** The Live page in the frame. */
export interface LivePanels {
  readonly places: LivePlaces;
  /** What the page looks at. */
  place(): Place;
  /** Looks at a time of the arm (s); false if the page has not heard of it. */
  look(at_s: number): boolean;
  /** Fills the places, which show `now` from then on. */
  start(page: HTMLElement, now: ReadonlySignal<Shown>): void;
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
  const { readout, lookBack, plots, tabs, inspector } = parts.live.places;
  const now = signal<Shown>({ view: store.view(), now_ms: performance.now(), age_ms: 0 });
  const motion = createMotion(choice, commands, () => store.view());
  const views = createViewBar(stage, collision.chips, copyLink);
  const notices = host('notices');
  const reconnect = () => link.reconnect();
  render(<Notices {...{ store, reconnect }} shown={now} pictured={shown} />, notices);
  const page = host('page');
  const drawer = drawn(
    <IconButton
      icon="routine"
      label="Panels"
      class="glass tool drawer"
      title="Show or hide the panels (I)"
      onClick={() => page.toggleAttribute('data-drawer')}
    />,
  );
  const scene = host('scene', 'main');
  scene.ariaLabel = 'Arm';
  scene.append(stage.element, views.element, notices, readout, lookBack, drawer);
  const aside = host('inspector', 'aside');
  aside.append(inspector);
  page.append(drawn(<TopBar {...{ commands, motion }} shown={now} />), scene, tabs, plots, aside);
  parts.live.start(page, now);
  effect(() => {
    page.dataset['link'] = store.shown.link.value;
    page.toggleAttribute('data-past', store.shown.lookBack.value !== null);
  });
  let due = false;
  function refresh(): void {
    due = false;
    const now_ms = performance.now();
    const view = store.view();
    now.value = { view, now_ms, age_ms: link.staleness.age_ms(now_ms) };
    // The panels show the state before the scene starts to use the GPU.
    if (view.link !== 'connecting') stage.start();
  }
  function scheduleRefresh(): void {
    if (due) return;
    due = true;
    setTimeout(() => requestAnimationFrame(refresh), REFRESH_MS[stage.isSlow() ? 'slow' : 'fast']);
  }
  store.whole.subscribe(scheduleRefresh);
  // Ages, run times and plots advance even when no message arrives.
  setInterval(scheduleRefresh, REFRESH_MS.slow);
  followOverlays(scene, notices, stage);
  bindScene(store, stage);
  onPageKey(createFrameKeys({ motion, views, commands, collision, drawer }));
  return { element: page, scene, notices, onFrame: () => views.onFrame() };
}
