/**
 * The transport instrument of a definition: reads its configuration and checks that every location
 * that labware is moved from or to has a station (docs/decisions).
 */
import type { WorkflowInstrument } from '../../contract/types.generated.ts';
import { locationKey } from '../plan/slot-location.ts';
import { childPointer, type DefinitionFindings } from './definition-findings.ts';
import { type MoveSources, possibleMoves } from './possible-moves.ts';
import type { ArmStation, ArmTransportSetup } from './workflow-model.ts';

export const TRANSPORT_TYPE = 'transport';

interface TransportInstrument {
  readonly path: string;
  readonly instrument: WorkflowInstrument;
}

/** Returns the transport instrument, or null; more than one is an error. */
export function transportOf(
  findings: DefinitionFindings,
  instruments: readonly WorkflowInstrument[],
): TransportInstrument | null {
  const found = instruments.flatMap((instrument, i) =>
    instrument.type === TRANSPORT_TYPE
      ? [{ instrument, path: childPointer('/workcell/instruments', i) }]
      : [],
  );
  for (const { path } of found.slice(1)) {
    findings.add(path, 'is a second transport instrument; there is one arm');
  }
  if (found.length === 0) {
    findings.warnings.push('There is no transport instrument: moves only take their time');
  }
  return found[0] ?? null;
}

/** Returns the stations by location; null if the configuration has none. */
export function armTransportSetup(
  findings: DefinitionFindings,
  { instrument, path }: TransportInstrument,
  indexOf: ReadonlyMap<string, number>,
): ArmTransportSetup | null {
  const { config: given, simulate } = instrument;
  if (simulate || given === undefined || !('stations' in given)) return null;
  const config = findings.read('TransportConfig', given, `${path}/config`);
  if (!config) return null;
  const stations = new Map<string, ArmStation>();
  for (const [id, slots] of Object.entries(config.stations)) {
    const at = childPointer(`${path}/config/stations`, id);
    const index = indexOf.get(id);
    if (index === undefined) findings.add(at, `there is no instrument ${id}`);
    for (const [slot, poses] of Object.entries((slots ?? {}) as Record<string, unknown>)) {
      const station = findings.read('StationConfig', poses, childPointer(at, slot));
      if (!/^\d{1,4}$/.test(slot)) findings.add(childPointer(at, slot), 'must be a slot number');
      else if (station && index !== undefined) {
        stations.set(locationKey({ instrument: index, slot: Number(slot) }), station);
      }
    }
  }
  return { config, stations };
}

/** Adds an error for each location that labware is moved from or to without a station. */
export function checkStations(
  findings: DefinitionFindings,
  arm: ArmTransportSetup,
  routes: MoveSources,
): void {
  const reported = new Set<string>();
  for (const { from, to, task, labware } of possibleMoves(routes)) {
    for (const location of [from, to]) {
      const key = locationKey(location);
      if (arm.stations.has(key) || reported.has(key)) continue;
      reported.add(key);
      const { id } = routes.instruments[location.instrument]!;
      const piece = routes.labware[labware]!.id;
      findings.add(
        childPointer('/workflow/tasks', routes.tasks[task]!.id),
        `needs ${piece} moved from or to ${id} slot ${location.slot}, which has no station`,
      );
    }
  }
}
