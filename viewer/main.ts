/**
 * The viewer's entry: puts link, scene and page together and signs in. Served by the twin at `/`;
 * talks only to the API of its own origin (decision D8).
 */
import type { Finder } from './finder/finder.ts';
import { type Credentials, createArmCalls } from './link/arm-calls.ts';
import { createArmStore } from './link/arm-store.ts';
import { createCommands } from './link/commands.ts';
import { createLiveLink } from './link/live-link.ts';
import { createPoseBuffer } from './link/pose-buffer.ts';
import type { SimLink } from './link/sim-link.ts';
import { createLivePage, type LivePage } from './pages/live-page.ts';
import { goneNotice } from './pages/page.ts';
import { PAGE_ROWS } from './pages/page-rows.ts';
import { createPageSwitch, type PageSwitch } from './pages/page-switch.ts';
import { createCollisionSwitch } from './panels/collision-switch.ts';
import { createRail } from './panels/rail.ts';
import { createSignIn, findCredentials, keepCredentials } from './panels/sign-in.ts';
import { createStage } from './scene/stage.ts';
import { type ArmWindow, exposeForTests } from './test-window.ts';

/** So often, and so far apart, the page knocks again before it asks who is there. */
const TRIES = 5;
const RETRY_MS = 500;

declare global {
  interface Window {
    /** What end-to-end tests read; nothing here changes the page. */
    readonly armtwin: ArmWindow;
  }
}

const store = createArmStore();
const poses = createPoseBuffer();
const joints = new Float64Array(6);
let page: LivePage | null = null;
let pages: PageSwitch | null = null;
let sim: SimLink | null = null;

const stage = createStage({
  pose: (now_ms) => ({ moving: poses.sample(now_ms, joints), joints }),
  drawn: () => page?.drawn(),
});
const calls = createArmCalls(location.origin, signedOut);
const link = createLiveLink({ store, calls, poses, moved: () => stage.follow() });
const commands = createCommands(store, calls);
const signIn = createSignIn(enter);

async function enter(credentials: Credentials): ReturnType<typeof calls.signIn> {
  const outcome = await calls.signIn(credentials);
  if (!outcome.ok) return outcome;
  keepCredentials(outcome.value);
  store.set({ link: 'connecting' });
  await link.start();
  void followTwin().catch(() => store.set({ notice: goneNotice('The bench') }));
  return outcome;
}

/** The hand on the twin, if there is one for this user; it comes after the live view. */
async function followTwin(): Promise<void> {
  const { createSimLink } = await import('./link/sim-link.ts');
  sim ??= createSimLink(store, calls);
  await sim.start();
  if (page && calls.identity().driver === 'mirrored') {
    (await import('./panels/residual-panel.ts')).showResiduals(page.element, calls);
  }
}

function signedOut(): void {
  link.stop();
  sim?.stop();
  store.set({ link: 'signed-out', lockTakenHere: false });
  signIn.show();
}

async function leave(): Promise<void> {
  if (store.view().lockTakenHere) await commands.releaseLock();
  keepCredentials(null);
  await calls.signOut();
  signedOut();
}

/** Signs in as before; a server that does not answer at once may be coming up. */
async function begin(): Promise<void> {
  const credentials = findCredentials();
  let outcome = credentials ? await enter(credentials) : null;
  for (let again = 0; again < TRIES && outcome?.ok === false; again++) {
    if (!credentials || outcome.error.kind !== 'unreachable') break;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    outcome = await enter(credentials);
  }
  if (outcome?.ok) return;
  if (outcome && outcome.error.kind !== 'unreachable') keepCredentials(null);
  signedOut();
}

const collision = createCollisionSwitch({ store, stage, posed: () => pages?.posed() ?? null });
page = createLivePage({ store, link, commands, stage, collision });
const rail = createRail({
  pages: [{ name: 'live', words: 'Live', icon: 'live' }, ...PAGE_ROWS],
  show: (name) => void pages?.show(name),
  find: () => void find(),
  theme: (theme) => stage.setTheme(theme),
  signOut: () => void leave(),
});
pages = createPageSwitch({
  ...{ store, calls, commands, stage, rail, signIn, collision },
  frame: page.element,
  scene: page.scene,
});
const app = document.getElementById('app')!;
app.append(rail.element, page.element, signIn.element);

let finder: Promise<Finder> | null = null;
/** Opens the finder; while nobody is signed in there is nothing to find. */
async function find(): Promise<void> {
  if (signIn.element.open) return;
  finder ??= import('./finder/finder.ts').then(({ createFinder }) =>
    createFinder({
      app,
      toolpaths: () => store.view().toolpaths,
      open: (head) => void pages?.openToolpath(head),
    }),
  );
  const ready = await finder.catch(() => null);
  if (!ready) {
    finder = null;
    store.set({ notice: goneNotice('The finder') });
  } else if (!signIn.element.open) ready.flip();
}
addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
  event.preventDefault();
  void find();
});
exposeForTests(stage, store, pages.drawn);
void begin();
