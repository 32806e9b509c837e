/**
 * Entry point of the viewer. Connects live link, scene and pages and signs the user in. The server
 * serves it at `/`; it calls only the API of its own origin (D8).
 */
/// <reference types="vite/client" />
import { type Credentials, createArmCalls } from './link/arm-calls.ts';
import { ArmStore } from './link/arm-store.ts';
import { Commands } from './link/commands.ts';
import { loadFailedNotice } from './link/failure-notice.ts';
import { LiveLink } from './link/live-link.ts';
import { PoseBuffer } from './link/pose-buffer.ts';
import type { SimLink } from './link/sim-link.ts';
import { twinPace } from './link/twin-clock.ts';
import { createLivePage } from './pages/live/live-page.ts';
import { createPages } from './pages/page-table.ts';
import { Stage } from './scene/stage.ts';
import { formatAddress } from './shell/address.ts';
import { createCollisionSwitch } from './shell/collision-switch.tsx';
import type { Finder } from './shell/finder/finder.tsx';
import { createFrame, type Frame } from './shell/frame.tsx';
import type { Hints } from './shell/hints.tsx';
import { PageSwitch } from './shell/page-switch.ts';
import { createRail } from './shell/rail.tsx';
import type { RunChoice } from './shell/run-choice.ts';
import {
  createSignIn,
  followTokenLinks,
  readCredentials,
  storeCredentials,
} from './shell/sign-in.tsx';
import interRange from './styles/inter/first.json' with { type: 'json' };
import interFont from './styles/inter/first.woff2?inline';
import otherLetters from './styles/inter/rest.css?inline';
import styles from './styles/main.css?inline';
import monoFont from './styles/mono.css?inline';
import { type ArmWindow, exposeForTests } from './test-window.ts';
import { preferences } from './ui/preferences.ts';
import { adoptSheet } from './ui/style-sheets.ts';
import { onChange } from './ui/view-store.ts';

/** Sign-in attempts while the server is unreachable, before the sign-in dialog opens. */
const SIGN_IN_RETRIES = 5;
const RETRY_MS = 500;
/** Why the dialog opens over a page that was in use. */
const SESSION_ENDED = 'The session has ended, or its token was revoked. Sign in again.';
/**
 * What the first picture does not need waits for it, but no longer than this, in steps: the time in
 * which the first picture keeps the page busy counts as one. Software graphics on a busy machine
 * have taken more than six.
 */
const SHOWN_STEPS = 20;
const SHOWN_STEP_MS = 1000;

declare global {
  interface Window {
    /** Read-only state for the end-to-end tests. */
    readonly armtwin: ArmWindow;
  }
}

/** Styles and the font of the first screen come with the script: each file delays the picture. */
function addStyles(): void {
  adoptSheet().replaceSync(styles + otherLetters + monoFont);
  const bytes = Uint8Array.from(atob(interFont.slice(interFont.indexOf(',') + 1)), (letter) =>
    letter.charCodeAt(0),
  );
  const { unicodeRange } = interRange;
  document.fonts.add(new FontFace('Inter Variable', bytes, { weight: '400 700', unicodeRange }));
}

addStyles();
let onShown = (): void => undefined;
/** Resolves with the first picture of the arm, or as soon as it is clear that none comes. */
const shown = new Promise<void>((resolve) => {
  onShown = resolve;
  const checkHidden = (): void => {
    // A page in the background draws nothing.
    if (document.hidden) resolve();
  };
  checkHidden();
  document.addEventListener('visibilitychange', checkHidden);
  const waitStep = (left: number): void => {
    if (left === 0) resolve();
    else setTimeout(waitStep, SHOWN_STEP_MS, left - 1);
  };
  waitStep(SHOWN_STEPS);
});
const store = new ArmStore();
const poses = new PoseBuffer();
const joints = new Float64Array(6);
let frame: Frame | null = null;
let pages: PageSwitch | null = null;
let sim: SimLink | null = null;

const stage = new Stage({
  pose(now_ms) {
    const { lookBack } = store.view();
    if (lookBack) return { moving: false, joints: lookBack.joints, isPast: true };
    return { moving: poses.sample(now_ms, joints), joints };
  },
  pace: () => twinPace(store.view().sim),
  onFrame() {
    if (stage.frames() === 1) performance.mark('arm-shown');
    onShown();
    frame?.onFrame();
  },
  onNoFrame: () => onShown(),
});
const calls = createArmCalls(location.origin, () => onSignedOut(SESSION_ENDED));
const link = new LiveLink({ store, calls, poses, shown, onPose: () => stage.requestUpdate() });
const commands = new Commands(store, calls);
const signIn = createSignIn(signInWith);

async function signInWith(credentials: Credentials): ReturnType<typeof calls.signIn> {
  const outcome = await calls.signIn(credentials);
  if (!outcome.ok) return outcome;
  storeCredentials(outcome.value);
  store.set({ link: 'connecting' });
  await link.start();
  void pages?.openAddress();
  void shown.then(addAroundLive);
  return outcome;
}

let hints: Promise<Hints> | null = null;
/** Shows the hints, on the Live page; they do not come back by themselves. */
async function showHints(): Promise<void> {
  if (!frame) return;
  preferences.update({ hintsShown: true });
  const { notices, element } = frame;
  hints ??= import('./shell/hints.tsx').then(({ createHints }) =>
    createHints({ store, stage, notices, frame: element }),
  );
  const ready = await hints.catch(() => null);
  if (ready) ready.show();
  else hints = null;
}

/** Adds what the first picture does not need. */
function addAroundLive(): void {
  if (!preferences.read().hintsShown) void showHints();
  void addExplanations().catch(() => {
    store.set({ notice: loadFailedNotice('The explanations') });
  });
  void recordRuns().catch(() => {
    store.set({ notice: loadFailedNotice('The list of runs') });
  });
  void connectSimulation().catch(() => {
    store.set({ notice: loadFailedNotice('The simulation control') });
  });
}

let recorded = false;
/** Keeps the runs that this page sees, after the live view. */
async function recordRuns(): Promise<void> {
  const { keepRuns } = await import('./toolpath/runs/run-log.ts');
  if (recorded) return;
  recorded = true;
  await keepRuns(store, calls);
}

let explained = false;
/** Adds the line that explains the robot's state, once, after the live view. */
async function addExplanations(): Promise<void> {
  const { createExplain } = await import('./shell/explain/explain-panel.tsx');
  if (explained || !frame) return;
  explained = true;
  const { notices } = frame;
  const showPage = (page: string) => void pages?.show(page);
  await createExplain({ store, calls, commands, stage, notices, showPage });
}

/** Connects to the simulation control API where this user may use it, after the live view. */
async function connectSimulation(): Promise<void> {
  const [{ createSimLink }, { followCause }] = await Promise.all([
    import('./link/sim-link.ts'),
    import('./link/cause-link.ts'),
  ]);
  if (!sim) {
    sim = createSimLink(store, calls);
    followCause(store, calls);
  }
  await sim.start();
}

function onSignedOut(reason = ''): void {
  link.stop();
  sim?.stop();
  store.set({ link: 'signed-out', lockHeldHere: false, toolpaths: [], isListed: false });
  signIn.show(reason);
}

async function signOut(): Promise<void> {
  if (store.view().lockHeldHere) await commands.releaseLock();
  storeCredentials(null);
  await calls.signOut();
  onSignedOut();
}

followTokenLinks();

/** Signs in with the stored credentials; retries while the server is starting. */
async function start(): Promise<void> {
  const credentials = readCredentials();
  let outcome = credentials ? await signInWith(credentials) : null;
  for (let retry = 0; retry < SIGN_IN_RETRIES && outcome?.ok === false; retry++) {
    if (!credentials || outcome.error.kind !== 'unreachable') break;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    outcome = await signInWith(credentials);
  }
  if (outcome?.ok) return;
  if (outcome && outcome.error.kind !== 'unreachable') storeCredentials(null);
  onSignedOut();
}

const collision = createCollisionSwitch({ store, stage, posed: () => pages?.posed() ?? null });
/** Copies the address with the camera, which the URL itself does not follow. */
async function copyLink(): Promise<void> {
  const address = pages?.address();
  if (!address) return;
  const cam = stage
    .viewpoint()
    .map((value) => value.toFixed(3))
    .join(',');
  const fragment = formatAddress({ ...address, params: { ...address.params, cam } });
  const href = location.origin + location.pathname + location.search + fragment;
  const copied = await navigator.clipboard.writeText(href).then(
    () => true,
    () => false,
  );
  const text = copied ? 'The link is copied.' : `The browser refused to copy. The link: ${href}`;
  store.set({ notice: { text, code: '' } });
}

const choice: RunChoice = { mode: 'automatic', loops: 1 };
const live = createLivePage({ store, calls, commands, choice });
frame = createFrame({
  ...{ store, link, commands, stage, collision, shown, choice, live },
  copyLink: () => void copyLink(),
});
const others = createPages();
const rail = createRail({
  pages: [{ name: 'live', label: 'Live', icon: 'live' }, ...others],
  show: (name) => void pages?.show(name),
  openFinder: () => void openFinder(),
  openHelp: () => void openHelp(),
  theme: (theme) => stage.setTheme(theme),
  signOut: () => void signOut(),
});
pages = new PageSwitch({
  store,
  calls,
  commands,
  stage,
  rail,
  signIn,
  collision,
  frame: frame.element,
  scene: frame.scene,
  pages: others,
  live,
});
onChange(store.shown.lookBack, () => {
  stage.requestUpdate();
  pages?.placeChanged();
});
const app = document.getElementById('app')!;
app.append(rail.element, frame.element, signIn.element);

let finder: Promise<Finder> | null = null;
/** Opens or closes the finder; does nothing while the sign-in dialog is open. */
async function openFinder(): Promise<void> {
  if (signIn.element.open) return;
  finder ??= import('./shell/finder/finder.tsx').then(({ createFinder }) =>
    createFinder({
      app,
      toolpaths: () => store.view().toolpaths,
      open: (head) => void pages?.openToolpath(head),
    }),
  );
  const ready = await finder.catch(() => null);
  if (!ready) {
    finder = null;
    store.set({ notice: loadFailedNotice('The finder') });
  } else if (!signIn.element.open) ready.toggle();
}
function showHintsAgain(): void {
  void pages?.show('live');
  void showHints();
}

let help: Promise<Finder> | null = null;
/** Opens or closes the help. */
async function openHelp(): Promise<void> {
  if (signIn.element.open) return;
  help ??= import('./shell/help.tsx').then(({ createHelp }) => createHelp(app, showHintsAgain));
  const ready = await help.catch(() => null);
  if (ready) ready.toggle();
  else {
    help = null;
    store.set({ notice: loadFailedNotice('The help') });
  }
}
addEventListener('keydown', (event) => {
  const typing = event.target instanceof Element && event.target.matches('input, select, textarea');
  if (event.key === '?' && !typing) void openHelp();
});
addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
  event.preventDefault();
  void openFinder();
});
exposeForTests(stage, store, {
  page: (name) => pages?.drawn(name) ?? null,
  cell: () => collision.cell()?.drawn() ?? null,
});
void start();
