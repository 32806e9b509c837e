import { signal } from '@preact/signals';
import { afterEach, expect, it, vi } from 'vitest';
import type { Toolpath } from '../../../contract/types.generated.ts';
import type { Finding } from '../../toolpath/finding.ts';
import type { FindingReply } from '../../toolpath/remedies.ts';
import { EMPTY_PATH } from '../../toolpath/timed-path.ts';
import { emptyToolpath } from '../../toolpath/toolpath-edit.ts';
import { draw } from '../../ui/drawn.cases.ts';
import { FindingsSection } from './findings-section.tsx';
import type { TeachContext } from './teach-context.ts';

afterEach(() => vi.unstubAllGlobals());

const TOOLPATH: Toolpath = {
  ...emptyToolpath(),
  waypoints: [{ label_id: 1, joints: [0, 0, 0, 0, 0, 0] }],
};
const finding = (at: string): Finding => ({
  ...{ kind: 'error', code: 'self_collision', message: `The arm hits itself at ${at}.` },
  ...{ at, choices: {}, tip_m: null },
});

/** The list of two findings, of which the second is chosen with a remedy. */
function drawFindings() {
  const findings = [finding('/timeline/1'), finding('/timeline/2')];
  const remedies = [{ label: 'Go 20 mm higher', toolpath: TOOLPATH, path: EMPTY_PATH }];
  const context = {
    store: {
      shown: {
        opened: signal({ toolpath: TOOLPATH, findings, notes: [], checkedAgainst: [] }),
        problems: signal([]),
        finding: signal(findings[1]),
        remedy: signal({ deepest: null, remedies, why: '' } satisfies FindingReply),
      },
      chooseFinding: vi.fn(),
    },
    draw: vi.fn(),
    apply: vi.fn(),
  };
  const teach = context as object as TeachContext;
  return { context, findings, ...draw(<FindingsSection context={teach} />) };
}

it('lists each finding with its remedies, or the button that looks for them', async () => {
  const { context, findings, fire, root } = drawFindings();
  const buttons = [...root.querySelectorAll('.card-remedies')].map((each) => each.textContent);
  expect(buttons).toEqual(['Find an edit that removes it', 'Go 20 mm higher']);
  await fire('.problems li:first-child .card-remedies button', 'click');
  expect(context.store.chooseFinding).toHaveBeenCalledWith(findings[0]);
  await fire('.problems li:last-child .card-remedies button', 'click');
  expect(context.apply).toHaveBeenCalledWith(TOOLPATH);
});
