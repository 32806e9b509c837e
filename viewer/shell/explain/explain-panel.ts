/**
 * The line that says why the robot is as it is, with its remedies, and the panel behind it: all
 * causes, collision detection, the daily schedule, and contacts beside force limits. Marks the
 * joint and the place of a cause in the scene. Loaded as its own chunk after the live view.
 */

import { Group, Vector3 } from 'three';
import { jointName } from '../../../physics/arm/arm-model.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { ArmView } from '../../link/arm-view.ts';
import type { Commands } from '../../link/commands.ts';
import { failureNotice } from '../../link/failure-notice.ts';
import { createLabels } from '../../scene/labels.ts';
import type { SceneLayer } from '../../scene/scene-layer.ts';
import type { Stage } from '../../scene/stage.ts';
import { runSample } from '../../toolpath/samples.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { type IconName, icon } from '../../ui/icon.ts';
import { createOnce } from '../../ui/once.ts';
import { loadStyles } from '../../ui/style-sheets.ts';
import { contactSection, detectionField, type Locked, scheduleFields } from './explain-settings.ts';
import { type Explanation, RESET, type Remedy, stateNow } from './explanation.ts';
import { explain } from './explanations.ts';

const STYLES = [new URL('../../styles/explain.css', import.meta.url)];
/** Sentences change at most this often. */
const REFRESH_MS = 100;
/** Longest wait for the robot to leave a released emergency stop. */
const RELEASE_MS = 3000;
const ICONS: Readonly<Record<Explanation['tone'], IconName>> = {
  fault: 'fault',
  warn: 'warn',
  note: 'info',
};
const PANEL_ID = 'explain-panel';

export interface ExplainParts {
  readonly store: ArmStore;
  readonly calls: ArmCalls;
  readonly commands: Commands;
  readonly stage: Stage;
  /** Container of the line, over the scene. */
  readonly notices: HTMLElement;
  readonly showPage: (page: string) => void;
}

type Act = (remedy: Remedy) => Promise<void>;

/** Carries out a remedy; a refusal becomes a notice. */
function createActions(parts: ExplainParts): Act {
  const { store, calls, commands, stage, showPage } = parts;
  const act: Act = async (remedy) => {
    if (remedy.kind === 'page') return showPage(remedy.page);
    if (remedy.kind === 'sample') return runSample(parts, remedy.sample);
    if (remedy.kind === 'show') {
      const { x, y, z } = remedy.place;
      return stage.lookAt(new Vector3(x, y, z));
    }
    if (remedy.locked && !(await commands.acquireLock())) return;
    const outcome = await calls.call(remedy.run);
    store.set({ notice: outcome.ok ? null : failureNotice(outcome.error) });
    if (outcome.ok && remedy.resets && (await stateAfterStop(store)) === 'error') return act(RESET);
  };
  return act;
}

/** The state of the robot after its emergency stop is released; the arm stands still first. */
async function stateAfterStop(store: ArmStore): Promise<string> {
  const end_ms = performance.now() + RELEASE_MS;
  while (stateNow(store.view()) === 'disabled' && performance.now() < end_ms) {
    await new Promise((resolve) => setTimeout(resolve, REFRESH_MS));
  }
  return stateNow(store.view());
}

/** A row that is built once per cause and remedies, so that its buttons keep focus and clicks. */
function explanationRow(act: Act, tag: 'div' | 'li') {
  const mark = element('span', { class: 'explain-icon' });
  const sentence = element('p');
  const remedies = element('span', { class: 'explain-remedies' });
  const said = element('span', { class: 'explain-said' }, mark, sentence);
  const row = element(tag, { class: 'explain-row' }, said, remedies);
  const once = createOnce();
  let key = '';
  /** What the buttons do now: the same label may belong to another fault. */
  let current: readonly Remedy[] = [];
  return {
    element: row,
    show({ cause, tone, sentence: text, remedies: offered }: Explanation): void {
      setText(sentence, text);
      current = offered;
      const next = [cause, ...offered.map(({ label }) => label)].join('|');
      if (next === key) return;
      key = next;
      setAttribute(row, 'data-tone', tone);
      setAttribute(row, 'data-cause', cause);
      mark.replaceChildren(icon(ICONS[tone]));
      setAttribute(remedies, 'hidden', offered.length === 0);
      const buttons = offered.map(({ label }, i) =>
        button({ class: 'plain small' }, () => void once(label, () => act(current[i]!)), label),
      );
      remedies.replaceChildren(...buttons);
    },
  };
}

/** The list of all causes in the panel. */
function causeList(act: Act) {
  const list = element('ul', { class: 'explain-list' });
  const none = element('p', { class: 'empty' });
  const rows = new Map<string, ReturnType<typeof explanationRow>>();
  return {
    elements: [none, list],
    show(found: readonly Explanation[], isLive: boolean): void {
      setText(none, isLive ? 'Nothing stops the robot.' : 'Unknown while no data arrives.');
      for (const explanation of found) {
        const row = rows.get(explanation.cause) ?? explanationRow(act, 'li');
        rows.set(explanation.cause, row);
        row.show(explanation);
      }
      const wanted = found.map(({ cause }) => rows.get(cause)!.element);
      const same = wanted.every((row, i) => row === list.children[i]);
      if (!same || list.children.length !== wanted.length) list.replaceChildren(...wanted);
      setAttribute(none, 'hidden', wanted.length > 0);
    },
  };
}

/** Labels in the scene at the joint or the place of the causes; the joint is tinted. */
function createMarks(stage: Stage) {
  const labels = createLabels();
  labels.element.classList.add('explain-marks');
  stage.element.append(labels.element);
  const at = new Vector3();
  const layer: SceneLayer = {
    object: new Group(),
    update: () => false,
    boundingPoints: () => [],
    applyPalette: () => undefined,
    resize: () => undefined,
    placeLabels(...view) {
      labels.place(...view);
    },
  };
  let key = '';
  return (found: readonly Explanation[]): void => {
    const joint = found.find((one) => one.joint !== undefined)?.joint;
    const place = found.find((one) => one.place !== undefined)?.place;
    const next = JSON.stringify([joint, place]);
    if (next === key) return;
    key = next;
    stage.arm.tintJoint(joint ?? null);
    if (joint !== undefined) at.setFromMatrixPosition(stage.arm.links[joint + 1]!.matrix);
    else if (place) at.set(place.x, place.y, place.z);
    const text = joint === undefined ? 'Contact' : jointName(joint);
    const marked = joint !== undefined || place !== undefined;
    labels.set(marked ? [{ text, at: at.clone(), kind: 'fault' }] : []);
    stage.setOverlay(layer, marked);
  };
}

/** "Detection off": what the button of the panel says while nothing needs an explanation. */
function settingsText({ snapshot }: ArmView): string {
  if (!snapshot) return '';
  const { enabled, sensitivity } = snapshot.collision_detection;
  const schedule = snapshot.scheduler.enabled ? ' · schedule on' : '';
  return `Detection ${enabled ? sensitivity : 'off'}${schedule}`;
}

/** What has an Escape of its own, which comes first while the focus is in it. */
const HAS_ESCAPE = '[role="menu"], [type="search"], .compare-picker, [data-grip], .loop-handle';

/**
 * Calls back on Escape while a panel is shown, and keeps the key from the page: the button that had
 * the focus may have gone, so that the focus is nowhere.
 */
function onEscape(panel: HTMLElement, action: () => void): void {
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.shiftKey || !panel.checkVisibility()) return;
    const { activeElement: at } = document;
    const isElsewhere = !panel.contains(at) && at?.closest(HAS_ESCAPE);
    if (isElsewhere || document.querySelector('dialog[open]')) return;
    event.stopPropagation();
    action();
  };
  addEventListener('keydown', press, { capture: true });
}

/** Calls back after changes of the store, at most once in `REFRESH_MS`. */
function refreshFrom(store: ArmStore, refresh: () => void): void {
  let due = false;
  store.subscribe(() => {
    if (due) return;
    due = true;
    setTimeout(() => {
      due = false;
      refresh();
    }, REFRESH_MS);
  });
}

/** The heading of the panel, with a button that closes it. */
function panelHead(close: () => void) {
  const named = { 'aria-label': 'Close', title: 'Close' };
  const closing = button({ class: 'plain square small', ...named }, close, icon('close'));
  const title = element('h3', {}, 'Why the robot is like this');
  return { element: element('header', {}, title, closing), closing };
}

/** Adds the line and its panel to the notices; they update themselves from the store. */
export async function createExplain(parts: ExplainParts): Promise<void> {
  await loadStyles(STYLES);
  const { store, notices, stage } = parts;
  const act = createActions(parts);
  const apply: Locked = (run) => void act({ kind: 'call', label: '', locked: true, run });
  const line = explanationRow(act, 'div');
  line.element.setAttribute('role', 'status');
  const list = causeList(act);
  const settings = [detectionField(apply), scheduleFields(apply), contactSection()];
  const head = panelHead(close);
  const panel = element(
    'section',
    { class: 'glass explain-panel', id: PANEL_ID, 'aria-label': 'Why', hidden: true },
    head.element,
    ...list.elements,
    ...settings.map((setting) => setting.element),
  );
  const label = element('span');
  const more = button(
    { class: 'plain small explain-more', title: 'All causes, collision detection and schedule' },
    () => open(panel.hidden !== false),
    label,
  );
  setAttribute(more, 'aria-controls', PANEL_ID);
  const box = element('div', { class: 'glass explain', 'data-empty': true }, line.element, more);
  notices.prepend(box, panel);
  const mark = createMarks(stage);
  function open(shown: boolean): void {
    setAttribute(panel, 'hidden', !shown);
    setAttribute(more, 'aria-expanded', String(shown));
    refresh();
    // On a phone the panel takes the place of the line.
    if (shown && !more.checkVisibility()) head.closing.focus();
  }
  function close(): void {
    open(false);
    more.focus();
  }
  function refresh(): void {
    const view = store.view();
    const found = view.link === 'live' ? explain(view) : [];
    const [first] = found;
    setAttribute(box, 'hidden', view.link !== 'live');
    setAttribute(box, 'data-empty', !first);
    setAttribute(box, 'data-tone', first?.tone);
    if (first) line.show(first);
    setText(label, found.length > 1 ? `${found.length - 1} more` : settingsText(view));
    mark(found);
    if (panel.hidden) return;
    list.show(found, view.link === 'live');
    for (const setting of settings) setting.show(view);
  }
  onEscape(panel, close);
  open(false);
  refreshFrom(store, refresh);
}
