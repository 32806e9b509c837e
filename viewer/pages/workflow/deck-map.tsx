/** A map of the deck from above with the arm, the nests and the labware. */
import { type ReadonlySignal, useComputed } from '@preact/signals';
import type { LabwarePlace, RunMove } from '../../../contract/types.generated.ts';
import { REACH_M } from '../../../physics/arm/arm-model.ts';
import { createFrames, forward } from '../../../physics/kinematics/forward.ts';
import { FLANGE_TOOL, POSE_SIZE, toolPose } from '../../../physics/kinematics/tool.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { type Deck, labwarePlaces, type Nest, nestOf, PLATE_M } from './deck-layout.ts';
import { armTimes } from './gantt-rows.ts';
import type { WorkflowState } from './workflow-state.ts';

const GRID_M = 0.5;
const MARGIN_M = 0.16;
/** Names nearer to the middle than this stand above or below their nests, otherwise beside them. */
const SIDE_M = 0.2;
/** Space for the names beside the outermost nests. */
const NAME_M = 0.2;
/** What a nest is wider than its plate. */
const RIM_M = 0.03;
const PLATE_CHARACTERS = 4;
/** What the arm carries is at its tip. */
const AT_TIP: Nest = { instrument_id: '', slot: 0, at_m: [0, 0, 0], turn_rad: 0 };

function mm(metres: number): string {
  return (metres * 1000).toFixed(1);
}

interface BoxProps {
  readonly nest: Nest;
  readonly grow_m?: number;
  readonly class: string;
}

function Box({ nest, grow_m = 0, class: name }: BoxProps) {
  const [x, y] = nest.at_m;
  const [w, h] = [PLATE_M.x + grow_m, PLATE_M.y + grow_m];
  const turn = ((-nest.turn_rad * 180) / Math.PI).toFixed(2);
  return (
    <rect
      class={name}
      x={mm(-w / 2)}
      y={mm(-h / 2)}
      width={mm(w)}
      height={mm(h)}
      rx={8}
      transform={`translate(${mm(x)} ${mm(-y)}) rotate(${turn})`}
    />
  );
}

interface LabelProps {
  readonly at_m: readonly [number, number, ...number[]];
  readonly class: string;
  readonly text: string;
}

function Label({ at_m: [x, y], class: name, text }: LabelProps) {
  const side = Math.abs(x) < SIDE_M ? 'middle' : x > 0 ? 'right' : 'left';
  return (
    <text class={name} x={mm(x)} y={mm(-y)} data-side={side}>
      {text}
    </text>
  );
}

/** Position of an instrument's name: beyond the middle of its nests, away from the base. */
function namePlace(nests: readonly Nest[]): readonly [number, number] {
  const mean = (axis: 0 | 1) => nests.reduce((sum, { at_m }) => sum + at_m[axis], 0) / nests.length;
  const [x, y] = [mean(0), mean(1)];
  const far = Math.max(...nests.map(({ at_m }) => Math.hypot(at_m[0], at_m[1])));
  const length = Math.hypot(x, y) || 1;
  const out = (far + 0.1) / length;
  return [x * out, y * out];
}

/** Short name of each plate: the distinguishing part of its id, truncated. */
export function plateNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const [first = '', ...others] = ids;
  let same = 0;
  while (
    others.length > 0 &&
    same < first.length &&
    others.every((id) => id[same] === first[same])
  ) {
    same++;
  }
  return new Map(
    ids.map((id) => {
      const rest = [...(id.slice(same) || id)];
      const cut = rest.length > PLATE_CHARACTERS;
      return [id, cut ? `…${rest.slice(1 - PLATE_CHARACTERS).join('')}` : rest.join('')];
    }),
  );
}

function mapHalfWidth({ nests }: Deck): number {
  const reach = nests.map(({ at_m }) => Math.max(Math.abs(at_m[0]), Math.abs(at_m[1])));
  return Math.max(REACH_M, ...reach.map((most) => most + MARGIN_M));
}

/** What stays where it is: the ground, the reach of the arm, the nests and their names. */
function Ground({ deck, half_m }: { readonly deck: Deck; readonly half_m: number }) {
  const most = Math.ceil(half_m / GRID_M);
  const lines = Array.from({ length: 2 * most + 1 }, (_, i) => mm((i - most) * GRID_M));
  const end = mm(2 * half_m);
  return (
    <g>
      {lines.map((at) => (
        <path key={at} class="deck-grid" d={`M${at} -${end}V${end}M-${end} ${at}H${end}`} />
      ))}
      <circle class="deck-reach" r={mm(REACH_M)} cx={0} cy={0} />
      {deck.nests.map((nest, i) => (
        <Box key={i} nest={nest} grow_m={RIM_M} class="deck-nest" />
      ))}
      {deck.instruments.map(({ id, name }) => {
        const own = deck.nests.filter(({ instrument_id }) => instrument_id === id);
        if (own.length === 0) return null;
        return <Label key={id} at_m={namePlace(own)} class="deck-name" text={name} />;
      })}
    </g>
  );
}

/** An arc from source to destination of a move, bent about the base. */
function MoveArc({ deck, move }: { readonly deck: Deck; readonly move: RunMove }) {
  const from = nestOf(deck, move.source_instrument_id, move.source_slot);
  const to = nestOf(deck, move.destination_instrument_id, move.destination_slot);
  if (!from || !to) return null;
  const [a, b] = [from.at_m, to.at_m];
  const middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] as const;
  const bend = `${mm(middle[0] * 1.25)} ${mm(-middle[1] * 1.25)}`;
  return (
    <>
      <Box nest={to} grow_m={RIM_M} class="deck-target" />
      <path class="deck-path" d={`M${mm(a[0])} ${mm(-a[1])}Q${bend} ${mm(b[0])} ${mm(-b[1])}`} />
    </>
  );
}

const frames = createFrames();
const pose = new Float64Array(POSE_SIZE);

interface ArmLineProps {
  readonly arm: ReadonlySignal<ArmView>;
  /** The name of what the arm carries; undefined for nothing. */
  readonly held: string | undefined;
}

/** The arm as it stands now, and what it carries. */
function ArmLine({ arm, held }: ArmLineProps) {
  const joints = useComputed(() => arm.value.snapshot?.['servos.telemetry.position']).value;
  if (!joints) return null;
  forward(joints, frames);
  toolPose(frames, FLANGE_TOOL, pose);
  const elbow = `${mm(frames[3 * 12 + 9]!)} ${mm(-frames[3 * 12 + 10]!)}`;
  const tip = `${mm(pose[9]!)} ${mm(-pose[10]!)}`;
  return (
    <>
      <path class="deck-arm" d={`M0 0L${elbow}L${tip}`} />
      <circle class="deck-tip" r={16} transform={`translate(${tip})`} />
      {held !== undefined && (
        <g transform={`translate(${tip})`}>
          <Box nest={AT_TIP} class="deck-plate deck-held" />
          <Label at_m={[0, 0]} class="deck-label" text={held} />
        </g>
      )}
    </>
  );
}

function placeText({ instruments }: Deck, { labware_id, instrument_id, slot }: LabwarePlace) {
  if (instrument_id === null) return `${labware_id}: on the arm`;
  const name = instruments.find(({ id }) => id === instrument_id)?.name ?? instrument_id;
  return `${labware_id}: ${name}${slot === null ? '' : `, slot ${slot}`}`;
}

interface DeckMapProps extends Pick<ArmLineProps, 'arm'> {
  readonly state: WorkflowState;
}

/** The map, with a list of where labware is; the list is seen where there are no poses to draw. */
export function DeckMap({ state, arm }: DeckMapProps) {
  const deck = state.deck.value;
  const run = state.run.value;
  const places = labwarePlaces(run, state.definition.value);
  const names = plateNames(places.map(({ labware_id }) => labware_id));
  const carried = places.find(({ instrument_id }) => instrument_id === null);
  const move = run?.moves.find((one) => armTimes(one).to_s === null);
  const isBare = deck.nests.length === 0;
  const half_m = mapHalfWidth(deck);
  const wide_m = half_m + NAME_M;
  return (
    <div class="deck-body">
      {!isBare && (
        <svg
          class="deck-map"
          role="img"
          aria-label="Deck from above"
          viewBox={[-wide_m, -half_m, 2 * wide_m, 2 * half_m].map(mm).join(' ')}
        >
          <Ground deck={deck} half_m={half_m} />
          {places.map(({ labware_id, instrument_id, slot }) => {
            const nest = nestOf(deck, instrument_id, slot);
            if (!nest) return null;
            return (
              <g key={labware_id}>
                <Box nest={nest} class="deck-plate" />
                <Label at_m={nest.at_m} class="deck-label" text={names.get(labware_id)!} />
              </g>
            );
          })}
          {move && <MoveArc deck={deck} move={move} />}
          <circle class="deck-base" r={75} />
          <ArmLine arm={arm} held={carried && names.get(carried.labware_id)} />
        </svg>
      )}
      <ul class={isBare ? 'deck-places' : 'sr-only'} aria-label="Where labware is">
        {places.map((place) => (
          <li key={place.labware_id}>
            <bdi>{placeText(deck, place)}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}
