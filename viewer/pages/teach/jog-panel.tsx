/**
 * The jog panel: joints and tool in steps by buttons, and by typed values. One switch selects
 * whether the ghost or the arm moves.
 */
import { useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { jointName } from '../../../physics/arm/arm-model.ts';
import type { ArmRange } from '../../../physics/arm/arm-range.ts';
import { Chips } from '../../ui/chips.tsx';
import { HeldButton } from '../../ui/held-button.tsx';
import { HeldNumberInput } from '../../ui/held-input.tsx';
import { degrees } from '../../ui/value-text.ts';
import type { Handle } from './handle-kinds.ts';
import { createJogger, HELD, type Jogger } from './jogger.ts';
import { poseValues } from './pose-values.ts';
import type { TeachProps } from './teach-context.ts';
import { oneOf } from './teach-settings.ts';

const MOVES = [
  ['ghost', 'Ghost'],
  ['arm', 'Arm'],
] as const;
const STEPS = [
  [0.1, '0.1'],
  [1, '1'],
  [5, '5'],
  [20, '20'],
  [HELD, 'Held'],
] as const;
const SPEEDS = [
  [0.025, '25'],
  [0.1, '100'],
  [0.25, '250'],
] as const;
const JOINTS = [0, 1, 2, 3, 4, 5] as const;
const NAMES = ['X', 'Y', 'Z', 'RX', 'RY', 'RZ'] as const;

/** A value as a field shows it, without a negative zero. */
function valueText(value: number, digits: number): string {
  return value.toFixed(digits).replace(/^-(0(\.0*)?)$/, '$1');
}

function limitsText({ min_rad, max_rad }: ArmRange, joint: number): string {
  const [low, high] = [min_rad[joint]!, max_rad[joint]!].map(
    (angle) => `${degrees(angle).toFixed(0)}°`,
  );
  return `Limits ${low} to ${high}`;
}

interface JogRowProps {
  /** What stands before it, and its name with that of what moves. */
  readonly head: string;
  readonly name: string;
  readonly unit: string;
  readonly text: string;
  readonly title?: string;
  /** Goes by a step, in the direction of a sign. */
  readonly jog: (sign: number, held: AbortSignal) => boolean | Promise<boolean>;
  /** Goes to a value; false if it cannot. */
  readonly enter: (value: number) => boolean | Promise<boolean>;
}

function JogRow({ head, name, unit, text, title, jog, enter }: JogRowProps) {
  return (
    <div class="jog-row" title={title}>
      <b>{head}</b>
      <HeldButton class="jog" label={`${name} less`} act={(held) => jog(-1, held)}>
        −
      </HeldButton>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the input is a child */}
      <label class="teach-number">
        <HeldNumberInput
          class="field number"
          label={`${name} (${unit})`}
          step={1}
          text={text}
          set={enter}
        />
        {unit}
      </label>
      <HeldButton class="jog" label={`${name} more`} act={(held) => jog(1, held)}>
        +
      </HeldButton>
    </div>
  );
}

interface RowsProps extends TeachProps {
  readonly jogger: Jogger;
}

function JointRows({ context, jogger }: RowsProps) {
  const { target, jogged } = context;
  const joints = jogged.value;
  return JOINTS.map((joint) => (
    <JogRow
      key={joint}
      head={jointName(joint)}
      name={`Joint ${joint + 1}`}
      unit="°"
      text={joints ? valueText(degrees(joints[joint]!), 2) : ''}
      title={limitsText(target.range, joint)}
      jog={(sign, held) => jogger.turn(joint, sign, held)}
      enter={(value) => jogger.set(joint, value)}
    />
  ));
}

function ToolRows({ context, jogger }: RowsProps) {
  const { target, jogged } = context;
  const values = jogged.value && poseValues(target.poseOf(jogged.value));
  return NAMES.map((name, i) => {
    const handle: Handle = { kind: i < 3 ? 'move' : 'turn', axis: i % 3 };
    return (
      <JogRow
        key={name}
        head={name}
        name={`Tool ${name}`}
        unit={i < 3 ? 'mm' : '°'}
        text={values ? valueText(values[i]!, 1) : ''}
        jog={(sign, held) => jogger.move(handle, sign, held)}
        enter={(value) => jogger.reach(i, value)}
      />
    );
  });
}

/** The panel; it moves only the ghost until the user selects Arm. */
export function JogPanel({ context }: TeachProps) {
  const { settings, motion, robot, blocked } = context;
  const jogger = useMemo(() => createJogger(context), []);
  const isArm = settings.jogTarget.value === 'arm';
  // A jog step in progress must not disable the button that the user holds down.
  const why = useComputed(() =>
    robot.value.link === 'live' && motion.settling() ? '' : blocked.value,
  ).value;
  return (
    <section class="panel jog-panel" aria-label="Jog" data-moves={settings.jogTarget.value}>
      <header class="section-head">
        <h2>Jog</h2>
        <p class="jog-note" role="status">
          {isArm && (why || 'Buttons move the arm')}
        </p>
      </header>
      <div class="jog-choice">
        <span>Moves</span>
        <Chips label="Buttons move" options={MOVES} {...oneOf(settings.jogTarget)} />
      </div>
      <div class="jog-choice">
        <span>Step</span>
        <Chips label="Step" options={STEPS} {...oneOf(settings.step)} />
        <span class="unit">mm, °</span>
      </div>
      <div class="jog-choice">
        <span>Speed</span>
        <Chips label="Speed" options={SPEEDS} {...oneOf(settings.speed_m_s)} />
        <span class="unit">mm/s</span>
      </div>
      <fieldset class="jog-body" disabled={isArm && why !== ''}>
        <JointRows context={context} jogger={jogger} />
        <hr />
        <ToolRows context={context} jogger={jogger} />
      </fieldset>
    </section>
  );
}
