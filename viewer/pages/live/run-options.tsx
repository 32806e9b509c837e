/** The options of the next run: toolpath, mode and number of loops. */
import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { ToolpathHead } from '../../../contract/types.generated.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { loadFailedNotice } from '../../link/failure-notice.ts';
import { loadReason } from '../../shell/motion-reasons.ts';
import type { PickerBox } from '../../toolpath/toolpath-picker.tsx';
import { Button } from '../../ui/buttons.tsx';
import { bind, Choice } from '../../ui/fields.tsx';
import { HeldNumberInput } from '../../ui/held-input.tsx';
import { createOnce } from '../../ui/once.ts';
import { loadStyles } from '../../ui/style-sheets.ts';
import type { RunPartsProps } from './live-state.ts';

const PICKER_STYLES = [new URL('../../styles/program.css', import.meta.url)];

const LOOPS_MAX = 100_000;
const MODES = [
  ['automatic', 'Automatic'],
  ['teach', 'Teach, slow'],
] as const;

/** The list from which a toolpath is chosen, which few open; null, with a notice, without it. */
async function loadPicker(store: ArmStore): Promise<typeof PickerBox | null> {
  try {
    const picker = await import('../../toolpath/toolpath-picker.tsx');
    await loadStyles(PICKER_STYLES);
    return picker.PickerBox;
  } catch {
    store.set({ notice: loadFailedNotice('The list of toolpaths') });
    return null;
  }
}

/** What is loaded of a list: what was chosen while the arm has it, else what is loaded, else the first. */
function headOf({ toolpaths, snapshot }: ArmView, chosen: number | null): ToolpathHead | null {
  const hash = snapshot?.control.toolpath_hash;
  const kept = toolpaths.find(({ id }) => id === chosen);
  return kept ?? toolpaths.find((head) => head.hash === hash) ?? toolpaths[0] ?? null;
}

/** What stands in the place of a name. */
function noneText({ isListed, link }: ArmView): string {
  if (isListed) return 'No toolpaths yet';
  return link === 'signed-out' ? 'Signed out' : 'Reading the toolpaths…';
}

/** Why there is nothing to load; empty if there is. */
function listReason({ toolpaths, isListed }: ArmView): string {
  if (toolpaths.length > 0) return '';
  return isListed ? 'There is no saved toolpath' : 'The list of toolpaths is being read';
}

interface ToolpathChoiceProps extends RunPartsProps {
  /** What it says. */
  readonly name: string;
  readonly isEmpty: boolean;
  readonly choose: (head: ToolpathHead) => void;
  /** What stands beside the button, above the list. */
  readonly children: ComponentChildren;
}

/** The toolpath to load: a button with its name, and under it the list once it is opened. */
function ToolpathChoice({ live, parts, children, ...props }: ToolpathChoiceProps) {
  const { name, isEmpty, choose } = props;
  const { store, calls } = parts;
  const toggle = useRef<HTMLButtonElement>(null);
  const arm = useComputed(() => live.texts.value.view);
  const isOpen = useSignal(false);
  const Picker = useSignal<typeof PickerBox | null>(null);
  const once = useMemo(createOnce, []);
  async function open(): Promise<void> {
    Picker.value ??= await loadPicker(store);
    isOpen.value = Picker.value !== null && !isOpen.value;
  }
  async function read({ id }: ToolpathHead): Promise<string | null> {
    const outcome = await calls.call((client) => client.getToolpath({ toolpath_id: id }));
    return outcome.ok ? JSON.stringify(outcome.value.toolpath.toolpath) : null;
  }
  return (
    <>
      <Button
        ref={toggle}
        class="plain chooser-name"
        aria-expanded={isOpen.value}
        aria-label={`Toolpath to load: ${name}`}
        disabled={isEmpty}
        onClick={() => once('open', open)}
      >
        {name}
      </Button>
      {children}
      <div class="chooser-list">
        {Picker.value && (
          <Picker.value
            {...{ arm, read, choose, isOpen }}
            focusOpener={() => toggle.current!.focus()}
          />
        )}
      </div>
    </>
  );
}

/** The options; what is chosen is what a run takes from now on. */
export function RunOptions({ live, parts }: RunPartsProps) {
  const { choice, commands } = parts;
  const chosen = useSignal<number | null>(null);
  const mode = useSignal<string>(choice.mode);
  const loops = useSignal(choice.loops);
  useSignalEffect(() => {
    choice.mode = mode.value === 'teach' ? 'teach' : 'automatic';
    choice.loops = loops.value;
  });
  const { view } = live.texts.value;
  const head = headOf(view, chosen.value);
  const reason = loadReason(view) || listReason(view);
  return (
    <>
      <ToolpathChoice
        {...{ live, parts }}
        name={head?.name ?? noneText(view)}
        isEmpty={head === null}
        choose={({ id }) => {
          chosen.value = id;
        }}
      >
        <Button
          disabled={reason !== ''}
          title={reason || undefined}
          onClick={() => head && void commands.load(head.id)}
        >
          Load
        </Button>
      </ToolpathChoice>
      <Choice label="Mode" options={MODES} {...bind(mode)} />
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the input is a child */}
      <label class="loops-label">
        <HeldNumberInput
          class="field loops"
          label="Loops, 0 = endless"
          min={0}
          max={LOOPS_MAX}
          whole
          isPrompt
          text={`${loops.value}`}
          set={bind(loops).set}
        />
        loops
      </label>
    </>
  );
}
