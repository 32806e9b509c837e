/** Random calls to a twin, each with draws of one generator. Test code. */
import { readFileSync } from 'node:fs';
import { type ArmClient, ArmError } from '../../contract/client.ts';
import type { Cell, Joints, Toolpath } from '../../contract/types.generated.ts';
import { createPrng } from '../../physics/math/prng.ts';
import { smallToolpath } from '../toolpaths/small-toolpath.cases.ts';

const NAMES = ['pick-and-place', 'sorter', 'assay'] as const;

function read<Value>(path: string): Value {
  const file = new URL(`../../fixtures/${path}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Value;
}

/** Draws of one round. */
export class Draw {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = createPrng(seed);
  }

  whole(count: number): number {
    return Math.floor(this.next() * count);
  }

  one<Value>(values: readonly Value[]): Value {
    return values[this.whole(values.length)]!;
  }

  between(low: number, high: number): number {
    return Math.round(1000 * (low + this.next() * (high - low))) / 1000;
  }

  bit(): boolean {
    return this.next() < 0.5;
  }

  joints(): Joints {
    const around = [0, 0.4, -1.4, 0, -1, 0] as const;
    const [a, b, c, d, e, f] = around.map((angle) => angle + this.between(-0.4, 0.4));
    return [a!, b!, c!, d!, e!, f!];
  }
}

/** A toolpath of the samples, or a small one that waits, with a payload and a speed of its own. */
function drawnToolpath(draw: Draw): Toolpath {
  const base = draw.bit() ? smallToolpath() : read<Toolpath>(`toolpaths/${draw.one(NAMES)}`);
  const condition = draw.bit()
    ? ({ type: 'time', duration: draw.one([0.1, 0.5]) } as const)
    : ({
        type: 'input',
        io: { location: 'base', type: 'digital', index: 1 },
        value: draw.bit(),
      } as const);
  const wait = { type: 'wait', condition } as const;
  const metadata = {
    ...base.metadata,
    payload: draw.one([0, 0.2, 0.5]),
    default_max_speed: draw.one([0.1, 0.15]),
  };
  const timeline = draw.bit() ? base.timeline : [...base.timeline, wait];
  return { ...base, metadata, timeline };
}

type Call = (arm: ArmClient, draw: Draw) => Promise<unknown>;

type Share = readonly [share: number, call: Call];

/** What is called, and how often beside the others. */
const CALLS: readonly Share[] = [
  [4, (arm, draw) => arm.useUnsavedToolpath({ name: 'one', toolpath: drawnToolpath(draw) })],
  [6, (arm, draw) => arm.run({ mode: draw.one(['automatic', 'teach']), loop: draw.whole(3) })],
  [4, (arm, draw) => arm.goTo({ mode: 'automatic', joints: draw.joints() })],
  [2, (arm) => arm.home()],
  [3, (arm) => arm.pause()],
  [3, (arm) => arm.resume()],
  [2, (arm) => arm.cancel()],
  [2, (arm) => arm.stopLoop()],
  [2, (arm) => arm.takeLock()],
  [1, (arm) => arm.releaseLock()],
  [3, (arm, draw) => arm.setInputs({ values: { d1: draw.bit(), a0: draw.between(0, 5) } })],
  [1, (arm, draw) => arm.setLoopback({ wires: draw.bit() ? [{ output: 'd0', input: 'd1' }] : [] })],
  [1, (arm, draw) => arm.changeGlobals({ changes: [{ key: 'outputs.d0', value: draw.bit() }] })],
  [
    1,
    (arm, draw) =>
      arm.pushArm({
        force: { x: draw.between(-40, 40), y: draw.between(-40, 40), z: 0 },
        duration_s: draw.between(0.01, 0.5),
      }),
  ],
  [
    1,
    (arm, draw) =>
      arm.setLoad({
        mass_kg: draw.between(0.1, 0.8),
        centre_of_mass_m: { x: 0, y: 0, z: draw.between(0.02, 0.1) },
      }),
  ],
  [1, (arm) => arm.clearLoad()],
  [
    1,
    (arm, draw) =>
      arm.addObstacle({
        name: `box ${draw.whole(1000)}`,
        position: { x: draw.between(0.2, 0.6), y: draw.between(-0.3, 0.3), z: 0.3 },
        half: { x: 0.05, y: 0.05, z: 0.05 },
      }),
  ],
  [
    1,
    async (arm) => {
      for (const { id } of (await arm.listObstacles()).obstacles) {
        await arm.removeObstacle({ obstacle_id: id });
      }
    },
  ],
  [
    1,
    (arm, draw) =>
      arm.addFault({ kind: 'sensor_noise', position_rad: 0.0005, seed: draw.whole(100) }),
  ],
  [
    1,
    (arm, draw) =>
      arm.addFault({
        kind: 'driver',
        joint: draw.whole(6),
        fault: draw.one(['overload', 'lost', 'overheated'] as const),
      }),
  ],
  [1, (arm) => arm.addFault({ kind: 'stuck_input', input: 'd1' })],
  [2, (arm) => arm.clearFaults()],
  [1, (arm, draw) => arm.setEmergencyStop({ engaged: draw.bit() })],
  [4, (arm) => arm.resetErrors()],
  [2, (arm) => arm.acknowledgeCollision()],
  [
    1,
    (arm, draw) =>
      arm.setCollisionDetection({
        enabled: draw.bit(),
        sensitivity: draw.one(['low', 'medium', 'high']),
      }),
  ],
  [1, (arm, draw) => arm.setButtons({ backdriving: draw.bit() })],
  [1, (arm) => arm.pressWaypoint()],
  [1, (arm, draw) => arm.seedTwin({ pose: draw.joints() })],
  [1, (arm, draw) => arm.seedTwin({ realism: draw.one(['ideal', 'worn']) })],
  [1, (arm) => arm.cyclePower()],
  [1, (arm, draw) => arm.setCell(read<Cell>(`cells/${draw.one(['trays', 'sorter', 'assay'])}`))],
  [1, (arm) => arm.removeCell()],
];

/** Calls whose effect depends on what a twin has kept besides its state. */
const STATE_CALLS: readonly Share[] = [
  [2, (arm, draw) => arm.keepState({ name: draw.one(['a', 'b']) })],
  [1, (arm, draw) => arm.restoreState({ name: draw.one(['a', 'b']) })],
  [
    1,
    (arm, draw) =>
      arm.resetTwin({
        scopes: draw.one([['state'], ['state', 'clock'], ['faults', 'obstacles'], ['toolpaths']]),
      }),
  ],
];

function deckOf(table: readonly Share[]): readonly Call[] {
  return table.flatMap(([share, call]) => Array.from({ length: share }, () => call));
}

/** All calls. */
export const DECK = deckOf([...CALLS, ...STATE_CALLS]);
/** Calls that have the same effect on twins of the same state. */
export const PLAIN_DECK = deckOf(CALLS);

/** What `callOne` returns for a call that is accepted. */
export const ACCEPTED = 200;

/** Calls one of the deck, with the lock where nobody has it; the status of the answer. */
export async function callOne(arm: ArmClient, deck: readonly Call[], draw: Draw): Promise<number> {
  const call = draw.one(deck);
  try {
    if ((await arm.getLock()).owner === 'none') await arm.takeLock();
    await call(arm, draw);
    return ACCEPTED;
  } catch (error) {
    if (!(error instanceof ArmError) || error.status >= 500) throw error;
    return error.status;
  }
}
