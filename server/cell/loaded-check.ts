/**
 * Looks at each toolpath that is loaded in the cell as it stands then, and anew when the cell is
 * replaced (docs/cell.md). The arm's API knows only zones: what is found goes to the twin's own log,
 * stream and cell, never into the arm's replies, and the arm runs the toolpath all the same.
 */
import type { ArmWorld } from '../../bridge/arm-world.ts';
import { isRefusal } from '../../contract/refusal.ts';
import type { CellPathCheck } from '../../contract/types.generated.ts';
import type { CellPlant } from '../../physics/cell/cell-plant.ts';
import type { CellCheck } from '../../physics/cell/clearance/cell-check.ts';
import { checkedAgainst } from '../../physics/cell/clearance/checked-against.ts';
import type { Planner } from '../planning/planner.ts';
import type { LoadedToolpath } from '../robot/loaded-toolpath.ts';
import type { LoopListener } from '../robot/loop-listener.ts';
import type { RobotMemory } from '../robot/memory.ts';
import { THE_TWIN } from '../shares/claimant.ts';

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

function checkOf({ name, metadata }: LoadedToolpath, outcome: Outcome): CellPathCheck {
  const notChecked = { toolpath: name, checked_against: [], findings: [] };
  if (isRefusal(outcome)) return { ...notChecked, problem: String(outcome.details) };
  if ('error' in outcome) return { ...notChecked, problem: outcome.error };
  const findings = (outcome as CellCheck).findings.map((finding) => {
    const { at, cell, time_s, depth_m, message } = finding;
    return { path: at, cell: [...cell], time_s, depth_m, problem: message };
  });
  const against = checkedAgainst({ metadata }, outcome, '');
  return { toolpath: name, checked_against: [...against], findings, problem: null };
}

export class LoadedCheck implements LoopListener {
  /** The latest check; null without one, and while it is made. */
  private latest: CellPathCheck | null = null;
  private pending: Promise<void> = Promise.resolve();
  private readonly parts: LoadedCheckParts;
  private loaded: LoadedToolpath | null = null;
  private cell: CellPlant | null = null;

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
    await this.pending;
    return this.latest;
  }

  private follow(): void {
    const { loaded } = this.parts.memory();
    const { cell } = this.parts.world;
    if (loaded === this.loaded && cell === this.cell) return;
    this.loaded = loaded;
    this.cell = cell;
    if (this.latest) this.publish(null);
    if (!loaded || !cell) return;
    this.pending = this.look(loaded, cell).catch((error: unknown) => {
      this.parts.report(
        'warning',
        `Toolpath “${loaded.name}” was not checked in the cell: ${error}`,
      );
    });
  }

  private async look(loaded: LoadedToolpath, cell: CellPlant): Promise<void> {
    const { description } = cell.model;
    const bodies = cell.states.memory.slice();
    const task = { source: loaded.source, cell: description, bodies };
    const outcome = await this.parts.planner.checkInCell(task, THE_TWIN);
    // Another toolpath or cell has come meanwhile, and has a check of its own.
    if (loaded !== this.loaded || cell !== this.cell) return;
    const check = checkOf(loaded, outcome);
    this.publish(check);
    this.write(check);
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
