import { afterEach, expect, it, vi } from 'vitest';
import type { Toolpath } from '../../contract/types.generated.ts';
import { draw } from '../ui/drawn.cases.ts';
import type { Finding } from './finding.ts';
import type { FindingReply } from './remedies.ts';
import { RemedyParts } from './remedy-parts.tsx';
import { EMPTY_PATH } from './timed-path.ts';

afterEach(() => vi.unstubAllGlobals());

const FINDING: Finding = {
  ...{ kind: 'error', code: 'self_collision', message: 'The arm hits itself.' },
  ...{ at: '/timeline/1', choices: {}, tip_m: null },
};
const TOOLPATH = { timeline: [] } as object as Toolpath;
const HIGHER = { label: 'Go 20 mm higher', toolpath: TOOLPATH, path: EMPTY_PATH };

/** The remedies of a finding, and what is done with them. */
function drawRemedies(remedy: Partial<FindingReply> | null, finding: Finding | null = FINDING) {
  const actions = { draw: vi.fn(), apply: vi.fn(), choose: vi.fn() };
  const reply = remedy as FindingReply | null;
  return {
    actions,
    ...draw(<RemedyParts of={FINDING} finding={finding} remedy={reply} actions={actions} />),
  };
}

it('looks for remedies of another finding once it is chosen', async () => {
  const { find, fire, actions } = drawRemedies(null, null);
  expect(find('button').textContent).toBe('Find an edit that removes it');
  await fire('button', 'click');
  expect(actions.choose).toHaveBeenCalledWith(FINDING);
});

it('draws the path of a remedy while its button has the focus, and applies it', async () => {
  const { fire, actions } = drawRemedies({ remedies: [HIGHER] });
  await fire('button', 'focus');
  expect(actions.draw).toHaveBeenLastCalledWith(EMPTY_PATH);
  await fire('button', 'blur');
  expect(actions.draw).toHaveBeenLastCalledWith(null);
  await fire('button', 'focus');
  await fire('button', 'click');
  expect(actions.draw).toHaveBeenLastCalledWith(null);
  expect(actions.apply).toHaveBeenCalledWith(TOOLPATH);
});

it('says how deep a collision is, and why there is no remedy', () => {
  const deepest = { at_s: 1.5, depth_m: 0.0123, a: 'link 3', b: 'table', joints: [], tip_m: [] };
  const why = 'No simple edit was found: every pose nearby collides too.';
  const { root } = drawRemedies({ deepest: deepest as never, remedies: [], why });
  expect([...root.querySelectorAll('p')].map((line) => line.textContent)).toEqual([
    'Deepest at 1.50 s: link 3 is 12.3 mm too near to “table”.',
    why,
  ]);
});
