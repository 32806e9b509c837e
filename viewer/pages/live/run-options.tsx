/** The options of the next run: toolpath, mode and number of loops. */
import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { ToolpathHead } from '../../../contract/types.generated.ts';
import type { ArmView } from '../../link/arm-view.ts';
import type { Commands } from '../../link/commands.ts';
import { loadReason } from '../../shell/motion-reasons.ts';
import type { RunChoice } from '../../shell/run-choice.ts';
import { Button } from '../../ui/buttons.tsx';
import { bind, Choice } from '../../ui/fields.tsx';
import { HeldNumberInput } from '../../ui/held-input.tsx';
import type { LivePanelProps } from './live-state.ts';

const LOOPS_MAX = 100_000;
const MODES = [
  ['automatic', 'Automatic'],
  ['teach', 'Teach, slow'],
] as const;

/** The list from which a toolpath is chosen; its own file, loaded when it is opened first. */
export interface ToolpathPicker {
  readonly box: HTMLElement;
  open(): void;
}
export type CreateToolpathPicker = (
  toggle: HTMLButtonElement,
  choose: (head: ToolpathHead) => void,
) => Promise<ToolpathPicker | null>;

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

interface ToolpathChoiceProps {
  /** What it says. */
  readonly name: string;
  readonly isEmpty: boolean;
  readonly choose: (head: ToolpathHead) => void;
  readonly createPicker: CreateToolpathPicker;
  /** What stands beside the button, above the list. */
  readonly children: ComponentChildren;
}

/** The toolpath to load: a button with its name, and under it the list once it is opened. */
function ToolpathChoice(props: ToolpathChoiceProps) {
  const { name, isEmpty, choose, createPicker, children } = props;
  const toggle = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const isOpening = useRef(false);
  async function open(): Promise<void> {
    // Once it is there, it listens to the button by itself.
    if (isOpening.current || list.current!.firstChild) return;
    isOpening.current = true;
    const picker = await createPicker(toggle.current!, choose);
    isOpening.current = false;
    if (!picker) return;
    list.current!.append(picker.box);
    picker.open();
  }
  return (
    <>
      <button
        ref={toggle}
        type="button"
        class="plain chooser-name"
        aria-expanded="false"
        aria-label={`Toolpath to load: ${name}`}
        disabled={isEmpty}
        onClick={open}
      >
        {name}
      </button>
      {children}
      <div ref={list} class="chooser-list" />
    </>
  );
}

export interface RunOptionsProps extends LivePanelProps {
  /** What a run takes. */
  readonly choice: RunChoice;
  readonly commands: Commands;
  readonly createPicker: CreateToolpathPicker;
}

/** The options; what is chosen is written into `choice`. */
export function RunOptions({ live, choice, commands, createPicker }: RunOptionsProps) {
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
        name={head?.name ?? noneText(view)}
        isEmpty={head === null}
        choose={({ id }) => {
          chosen.value = id;
        }}
        createPicker={createPicker}
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
