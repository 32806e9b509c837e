/**
 * Which page is shown. All pages share the frame of the Live page: top bar, scene and notices stay,
 * what lies beside them changes. The Toolpaths page comes in a chunk of its own when it is first
 * asked for, and a file dropped anywhere opens there.
 */
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import type { PageName, Rail } from '../panels/rail.ts';
import type { SignIn } from '../panels/sign-in.ts';
import type { PlanLayer } from '../scene/plan-layer.ts';
import type { Stage } from '../scene/stage.ts';
import type { ToolpathsPage } from './toolpaths-page.ts';

export interface PageParts {
  readonly store: ArmStore;
  readonly calls: ArmCalls;
  readonly commands: Commands;
  readonly stage: Stage;
  readonly rail: Rail;
  readonly signIn: SignIn;
  /** The element that holds every page; its `data-page` says which one shows. */
  readonly frame: HTMLElement;
  readonly scene: HTMLElement;
}

export interface PageSwitch {
  show(page: PageName): Promise<void>;
  /** What the Toolpaths page draws; null before it was first shown. */
  readonly plan: () => PlanLayer | null;
}

const KEYS: Readonly<Record<string, PageName>> = { 1: 'live', 2: 'paths' };

function dropsOf(open: (file: File) => void): void {
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) open(file);
  });
}

/** Shows the Live page, and the others when asked by rail, key or dropped file. */
export function createPageSwitch(parts: PageParts): PageSwitch {
  const { rail, frame, signIn } = parts;
  let paths: ToolpathsPage | null = null;
  let shown: PageName = 'live';

  async function load(): Promise<ToolpathsPage> {
    const { createToolpathsPage } = await import('./toolpaths-page.ts');
    paths ??= createToolpathsPage(parts);
    await paths.ready;
    return paths;
  }

  async function show(page: PageName): Promise<void> {
    if (page === shown) return;
    shown = page;
    const toolpaths = page === 'paths' || paths ? await load() : null;
    if (shown !== page) return;
    frame.dataset['page'] = page;
    rail.mark(page);
    if (page === 'paths') toolpaths?.enter();
    else toolpaths?.leave();
  }

  dropsOf(async (file) => {
    signIn.hide();
    await show('paths');
    (await load()).openFile(file.name, await file.text());
  });
  addEventListener('keydown', (event) => {
    const typing = event.target instanceof Element && event.target.matches('input, select');
    const page = KEYS[event.key];
    if (!page || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (parts.store.view().link !== 'signed-out') void show(page);
  });
  return { show, plan: () => paths?.plan ?? null };
}
