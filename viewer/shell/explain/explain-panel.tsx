/**
 * The line that says why the robot is as it is, with its remedies, and the panel behind it: all
 * causes, collision detection, the daily schedule, and contacts beside force limits. Marks the
 * joint and the place of a cause in the scene. Loaded as its own chunk after the live view.
 */

import { computed, effect, type ReadonlySignal, useSignal } from '@preact/signals';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
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
import { Button } from '../../ui/buttons.tsx';
import { Empty } from '../../ui/empty.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { mounted } from '../../ui/mount.ts';
import { steady } from '../../ui/steady.ts';
import { loadStyles } from '../../ui/style-sheets.ts';
import { ContactsSection } from './contacts-section.tsx';
import { ExplainRow } from './explain-row.tsx';
import { DetectionField, type Locked, ScheduleFields } from './explain-settings.tsx';
import { type CallRemedy, type Explanation, RESET, type Remedy, stateNow } from './explanation.ts';
import { explain } from './explanations.ts';

const STYLES = [new URL('../../styles/explain.css', import.meta.url)];
/** Sentences change at most this often. */
const REFRESH_MS = 100;
/** Longest wait for the robot to leave a released emergency stop. */
const RELEASE_MS = 3000;
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

/** Carries out a remedy; resolves with false where it was refused, which becomes a notice. */
type Act = (remedy: Remedy) => Promise<boolean>;

function createActions(parts: ExplainParts): Act {
  const { store, calls, commands, stage, showPage } = parts;
  async function call(remedy: CallRemedy): Promise<boolean> {
    if (remedy.locked && !(await commands.acquireLock())) return false;
    const outcome = await calls.call(remedy.run);
    store.set({ notice: outcome.ok ? null : failureNotice(outcome.error) });
    if (!outcome.ok || !remedy.resets || (await stateAfterStop(store)) !== 'error')
      return outcome.ok;
    return call(RESET);
  }
  return async (remedy) => {
    if (remedy.kind === 'call') return call(remedy);
    if (remedy.kind === 'page') showPage(remedy.page);
    else if (remedy.kind === 'sample') await runSample(parts, remedy.sample);
    else stage.lookAt(new Vector3(remedy.place.x, remedy.place.y, remedy.place.z));
    return true;
  };
}

/** The state of the robot after its emergency stop is released; the arm stands still first. */
async function stateAfterStop(store: ArmStore): Promise<string> {
  const end_ms = performance.now() + RELEASE_MS;
  while (stateNow(store.view()) === 'disabled' && performance.now() < end_ms) {
    await new Promise((resolve) => setTimeout(resolve, REFRESH_MS));
  }
  return stateNow(store.view());
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
function useEscape(close: () => void) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { current } = panel;
      if (event.key !== 'Escape' || event.shiftKey || !current?.checkVisibility()) return;
      const { activeElement: at } = document;
      const isElsewhere = !current.contains(at) && at?.closest(HAS_ESCAPE);
      if (isElsewhere || document.querySelector('dialog[open]')) return;
      event.stopPropagation();
      close();
    };
    addEventListener('keydown', press, { capture: true });
    return () => removeEventListener('keydown', press, { capture: true });
  }, [close]);
  return panel;
}

/** Whether the panel is open. The focus goes into it where it covers its button, and back. */
function useOpen() {
  const isOpen = useSignal(false);
  const more = useRef<HTMLButtonElement>(null);
  const closing = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    // On a phone the panel takes the place of the line.
    if (isOpen.value && !more.current!.checkVisibility()) closing.current!.focus();
    if (!isOpen.value && wasOpen.current) more.current!.focus();
    wasOpen.current = isOpen.value;
  }, [isOpen.value]);
  const close = useCallback(() => {
    isOpen.value = false;
  }, [isOpen]);
  return { isOpen, more, closing, close };
}

interface ExplainProps {
  readonly view: ReadonlySignal<ArmView>;
  /** The causes, the most important first; none while the link is down. */
  readonly found: ReadonlySignal<readonly Explanation[]>;
  readonly act: Act;
}

/** What the panel holds under its heading. */
function ExplainDetails({ view, found, act }: ExplainProps) {
  const { link, snapshot, sim } = view.value;
  const contacts = sim?.contacts ?? null;
  const apply: Locked = (run) => act({ kind: 'call', label: '', locked: true, run });
  return (
    <>
      {found.value.length === 0 && (
        <Empty>
          {link === 'live' ? 'Nothing stops the robot.' : 'Unknown while no data arrives.'}
        </Empty>
      )}
      <ul class="explain-list">
        {found.value.map((one) => (
          <ExplainRow key={one.cause} of={one} act={act} as="li" />
        ))}
      </ul>
      {snapshot && <DetectionField {...{ snapshot, apply }} />}
      {snapshot && <ScheduleFields {...{ snapshot, apply }} />}
      {contacts && contacts.contacts.length > 0 && <ContactsSection of={contacts} />}
    </>
  );
}

/** The line over the scene, and the panel behind it. */
function Explain({ view, found, act }: ExplainProps) {
  const { isOpen, more, closing, close } = useOpen();
  const panel = useEscape(close);
  const [first] = found.value;
  /** The line keeps what it said last while it is empty, and hidden. */
  const said = useRef<Explanation | null>(null);
  if (first) said.current = first;
  const others = found.value.length - 1;
  return (
    <>
      <div
        class="glass explain"
        hidden={view.value.link !== 'live'}
        data-empty={first ? undefined : ''}
        data-tone={first?.tone}
      >
        <ExplainRow of={said.current} act={act} as="div" />
        <Button
          ref={more}
          class="plain small explain-more"
          title="All causes, collision detection and schedule"
          aria-controls={PANEL_ID}
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          <span>{others > 0 ? `${others} more` : settingsText(view.value)}</span>
        </Button>
      </div>
      <section
        ref={panel}
        class="glass explain-panel"
        id={PANEL_ID}
        aria-label="Why"
        hidden={!isOpen.value}
      >
        <header>
          <h3>Why the robot is like this</h3>
          <IconButton
            icon="close"
            label="Close"
            ref={closing}
            class="plain square small"
            onClick={close}
          />
        </header>
        {isOpen.value && <ExplainDetails {...{ view, found, act }} />}
      </section>
    </>
  );
}

/** Adds the line and its panel to the notices. */
export async function createExplain(parts: ExplainParts): Promise<void> {
  await loadStyles(STYLES);
  const { store, notices, stage } = parts;
  const view = steady(store.whole, REFRESH_MS);
  const found = computed(() => (view.value.link === 'live' ? explain(view.value) : []));
  const act = createActions(parts);
  notices.prepend(...mounted(<Explain {...{ view, found, act }} />).children);
  const mark = createMarks(stage);
  effect(() => mark(found.value));
}
