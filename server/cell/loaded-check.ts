/**
 * Looks at each toolpath that is loaded in the cell as it stands then, and anew when the cell is
 * replaced (docs/cell.md). The arm's API knows only zones: what is found goes to the twin's own log,
 * stream and cell, never into the arm's replies, and the arm runs the toolpath all the same.
 */
import type { ArmWorld } from '../../bridge/arm-world.ts';
import { isRefusal } from '../../contract/refusal.ts';
import type { CellPathCheck } from '../../contract/types.generated.ts';
import type { CellPlant } from '../../physics/cell/cell-plant.ts';
import { checkedAgainst } from '../../physics/cell/clearance/checked-against.ts';
import type { Planner } from '../planning/planner.ts';
import type { LoadedToolpath } from '../robot/loaded-toolpath.ts';
import type { LoopListener } from '../robot/loop-listener.ts';
import type { RobotMemory } from '../robot/memory.ts';
import { THE_TWIN } from '../shares/claimant.ts';

/** The twin, which waits here behind the plans of the lock's holder. */
const CLAIMANT = { owner: THE_TWIN.owner };
/** Findings that the log lists; the others are counted. */
const LISTED_MAX = 5;

interface LoadedCheckParts {
  readonly memory: () => Readonly<Pick<RobotMemory, 'loaded'>>;
  readonly world: Pick<ArmWorld, 'cell'>;
  readonly planner: Pick<Planner, 'checkInCell'>;
  /** Takes a line for the log; a warning where the arm meets something. */
  readonly report: (level: 'info' | 'warning', text: string) => void;
  /** Takes each new check, and null when the former one holds no more. */
  readonly publish: (check: CellPathCheck | null) => void;
}

type Outcome = Awaited<ReturnType<Planner['checkInCell']>>;

const notChecked = (toolpath: string) => ({ toolpath, checked_against: [], findings: [] });

function replyOf({ name, metadata }: LoadedToolpath, outcome: Outcome): CellPathCheck {
  if (isRefusal(outcome)) return { ...notChecked(name), problem: String(outcome.details) };
  if ('error' in outcome) return { ...notChecked(name), problem: outcome.error };
  const findings = outcome.findings.map(({ at, cell, message, ...finding }) => {
    const { time_s, depth_m, part, what, kind } = finding;
    return { path: at, cell: [...cell], time_s, depth_m, part, what, kind, problem: message };
  });
  const against = checkedAgainst({ metadata }, outcome, '');
  return { toolpath: name, checked_against: [...against], findings, problem: null };
}

/** A toolpath to check, and the cell with its objects as they stood when it came. */
interface Wanted {
  readonly loaded: LoadedToolpath;
  readonly cell: CellPlant;
  /** The memory of the states of the objects. */
  readonly bodies: Float64Array;
}

export class LoadedCheck implements LoopListener {
  /** The latest check; null without one, and while it is made. */
  private latest: CellPathCheck | null = null;
  private readonly parts: LoadedCheckParts;
  private loaded: LoadedToolpath | null = null;
  private cell: CellPlant | null = null;
  /** What is to be checked next: of toolpaths that come meanwhile only the last one. */
  private wanted: Wanted | null = null;
  /** Resolves when nothing is to be checked; null while nothing is. */
  private checking: Promise<void> | null = null;

  constructor(parts: LoadedCheckParts) {
    this.parts = parts;
  }

  onTick(): void {
    this.follow();
  }

  onEvents(): void {
    this.follow();
  }

  onAction(): void {
    this.follow();
  }

  /** The check of the present toolpath and cell, once it is made; null where there is none. */
  async made(): Promise<CellPathCheck | null> {
    this.follow();
    await this.checking;
    return this.latest;
  }

  private follow(): void {
    const { loaded } = this.parts.memory();
    const { cell } = this.parts.world;
    if (loaded === this.loaded && cell === this.cell) return;
    this.loaded = loaded;
    this.cell = cell;
    if (this.latest) this.publish(null);
    this.wanted = loaded && cell && { loaded, cell, bodies: cell.states.memory.slice() };
    if (this.wanted) this.checking ??= this.checkWanted();
  }

  /** Checks one after the other, so that no number of loads takes more than one place to plan. */
  private async checkWanted(): Promise<void> {
    while (this.wanted) {
      const { wanted } = this;
      this.wanted = null;
      const check = await this.checkOf(wanted);
      // Another toolpath or cell has come meanwhile, or none is left.
      if (wanted.loaded !== this.loaded || wanted.cell !== this.cell) continue;
      this.publish(check);
      this.write(check);
    }
    this.checking = null;
  }

  private async checkOf({ loaded, cell, bodies }: Wanted): Promise<CellPathCheck> {
    const check = { loaded, cell: cell.model.description, bodies };
    try {
      return replyOf(loaded, await this.parts.planner.checkInCell(check, CLAIMANT));
    } catch (error) {
      return { ...notChecked(loaded.name), problem: String(error) };
    }
  }

  private publish(check: CellPathCheck | null): void {
    this.latest = check;
    this.parts.publish(check);
  }

  private write({ toolpath, findings, checked_against, problem }: CellPathCheck): void {
    const { report } = this.parts;
    const name = `Toolpath “${toolpath}”`;
    const against = checked_against.join(', ');
    if (problem !== null) report('warning', `${name} was not checked in the cell: ${problem}`);
    else if (findings.length === 0) report('info', `${name} meets nothing (checked: ${against})`);
    for (const finding of findings.slice(0, LISTED_MAX)) {
      report('warning', `${name}, ${finding.path}: ${finding.problem}`);
    }
    const others = findings.length - LISTED_MAX;
    if (others > 0) report('warning', `${name} meets something at ${others} more places`);
  }
}
