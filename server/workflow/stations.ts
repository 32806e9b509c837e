/**
 * The arm's own part of a definition: the configuration of the transport instrument, and whether
 * every place that labware is carried to or from has poses (facts: transport instrument).
 */
import type { WorkflowInstrument } from '../../contract/types.ts';
import { below, type Findings } from './findings.ts';
import {
  type ArmTransport,
  type ModelInstrument,
  type ModelTask,
  type Station,
  stationKey,
} from './model.ts';
import type { Place, PlanLabware } from './plan/problem.ts';

export const TRANSPORT = 'transport';

interface Transport {
  readonly path: string;
  readonly instrument: WorkflowInstrument;
}

/** The transport instrument, or null; more than one is an error. */
export function transportOf(
  findings: Findings,
  instruments: readonly WorkflowInstrument[],
): Transport | null {
  const found = instruments.flatMap((instrument, i) =>
    instrument.type === TRANSPORT ? [{ instrument, path: below('/workcell/instruments', i) }] : [],
  );
  for (const { path } of found.slice(1)) {
    findings.add(path, 'is a second transport instrument; there is one arm');
  }
  if (found.length === 0) {
    findings.warnings.push('There is no transport instrument: moves only take their time');
  }
  return found[0] ?? null;
}

/** Poses of the stations by place; null where the configuration has none. */
export function armTransport(
  findings: Findings,
  { instrument, path }: Transport,
  indexOf: ReadonlyMap<string, number>,
): ArmTransport | null {
  const { config: given, simulate } = instrument;
  if (simulate || given === undefined || !('stations' in given)) return null;
  const config = findings.read('TransportConfig', given, `${path}/config`);
  if (!config) return null;
  const stations = new Map<string, Station>();
  for (const [id, slots] of Object.entries(config.stations)) {
    const at = below(`${path}/config/stations`, id);
    const index = indexOf.get(id);
    if (index === undefined) findings.add(at, `there is no instrument ${id}`);
    for (const [slot, poses] of Object.entries((slots ?? {}) as Record<string, unknown>)) {
      const station = findings.read('StationConfig', poses, below(at, slot));
      if (!/^\d{1,4}$/.test(slot)) findings.add(below(at, slot), 'must be a slot number');
      else if (station && index !== undefined) {
        stations.set(stationKey({ instrument: index, slot: Number(slot) }), station);
      }
    }
  }
  return { config, stations };
}

interface Routes {
  readonly labware: readonly PlanLabware[];
  readonly tasks: readonly ModelTask[];
}

/** A move that may be asked for, and who asks. */
export interface PossibleMove {
  readonly from: Place;
  readonly to: Place;
  readonly task: number;
  readonly labware: number;
}

/** Every move that some plan may make. */
export function possibleMoves({ labware, tasks }: Routes): PossibleMove[] {
  return labware.flatMap((piece, l) => {
    let places: Place[] = [piece.place];
    return piece.tasks.flatMap((task) => {
      const use = tasks[task]!.uses.find((one) => one.labware === l);
      if (!use || tasks[task]!.skip) return [];
      const { candidates } = tasks[task]!;
      const targets = candidates.map((instrument) => ({ instrument, slot: use.slot }));
      const moves = places.flatMap((from) =>
        targets.flatMap((to) =>
          stationKey(from) === stationKey(to) ? [] : [{ from, to, task, labware: l }],
        ),
      );
      places = candidates.map((instrument) => ({ instrument, slot: use.slot_after }));
      return moves;
    });
  });
}

/** Notes each place that labware is carried from or to and that has no poses. */
export function checkStations(
  findings: Findings,
  { arm, instruments }: { arm: ArmTransport; instruments: readonly ModelInstrument[] },
  routes: Routes,
): void {
  const told = new Set<string>();
  for (const { from, to, task, labware } of possibleMoves(routes)) {
    for (const place of [from, to]) {
      const key = stationKey(place);
      if (arm.stations.has(key) || told.has(key)) continue;
      told.add(key);
      const { id } = instruments[place.instrument]!;
      const piece = routes.labware[labware]!.id;
      findings.add(
        below('/workflow/tasks', routes.tasks[task]!.id),
        `needs ${piece} carried by way of ${id} slot ${place.slot}, which has no station`,
      );
    }
  }
}
