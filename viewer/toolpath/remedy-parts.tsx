/** What would remove an error or a warning: the remedies that were found, or why there is none. */

import type { Toolpath } from '../../contract/types.generated.ts';
import { Button } from '../ui/buttons.tsx';
import { decimal } from '../ui/value-text.ts';
import type { Finding } from './finding.ts';
import type { FindingReply } from './remedies.ts';
import type { TimedPath } from './timed-path.ts';
import type { ToolpathView } from './toolpath-view.ts';

/** Names of parts of the arm; others are names of users. */
const PART = /^(base|tool|link \d)$/;

/** Time and depth of a collision. */
function depthText({ depth_m, a, b, at_s }: NonNullable<FindingReply['deepest']>): string {
  const depth = `${decimal(depth_m * 1000, 1)} mm`;
  const other = b === 'ground' ? 'the ground' : PART.test(b) ? b : `“${b}”`;
  return `Deepest at ${decimal(at_s, 2)} s: ${a} is ${depth} too near to ${other}.`;
}

/** How remedies are shown and carried out. */
export interface RemedyActions {
  /** Draws another path beside that of the toolpath; null removes it. */
  draw(path: TimedPath | null): void;
  /** Replaces the open toolpath by the edited one. */
  apply(toolpath: Toolpath): void;
  /** Shows a finding and looks for its remedies. */
  choose(finding: Finding): void;
}

interface RemedyListProps {
  readonly remedies: FindingReply['remedies'];
  readonly actions: RemedyActions;
}

/** Buttons that apply a remedy; while one has focus or the pointer, its path is drawn. */
function RemedyList({ remedies, actions: { draw, apply } }: RemedyListProps) {
  const erase = () => draw(null);
  return (
    <div class="card-remedies">
      {remedies.map(({ label, toolpath, path }) => (
        <Button
          key={label}
          class="plain small"
          onClick={() => {
            erase();
            apply(toolpath);
          }}
          onPointerEnter={() => draw(path)}
          onFocus={() => draw(path)}
          onPointerLeave={erase}
          onBlur={erase}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

interface RemedyPartsProps extends Pick<ToolpathView, 'remedy' | 'finding'> {
  /** The finding whose remedies are shown; only those of the chosen one are looked for. */
  readonly of: Finding;
  readonly actions: RemedyActions;
}

/** A finding's remedies, or why there is none: of the chosen one; another is chosen by a button. */
export function RemedyParts({ of, finding, remedy, actions }: RemedyPartsProps) {
  if (of !== finding) {
    return (
      <div class="card-remedies">
        <Button class="plain small" onClick={() => actions.choose(of)}>
          Find an edit that removes it
        </Button>
      </div>
    );
  }
  if (!remedy) return <p class="sub">Looking for an edit that removes it.</p>;
  return (
    <>
      {remedy.deepest && <p>{depthText(remedy.deepest)}</p>}
      {remedy.remedies.length > 0 ? (
        <RemedyList remedies={remedy.remedies} actions={actions} />
      ) : (
        <p class="sub">{remedy.why}</p>
      )}
    </>
  );
}
