import { afterEach, expect, it, vi } from 'vitest';
import type { TcpConfig } from '../../../contract/types.generated.ts';
import { ArmStore } from '../../link/arm-store.ts';
import { draw } from '../../ui/drawn.cases.ts';
import { ToolFacts } from './tool-facts.tsx';

afterEach(() => vi.unstubAllGlobals());

/** What a page knows before it hears of an arm. */
const NOTHING = new ArmStore().view();
const ZERO = { x: 0, y: 0, z: 0 };
const TOOL: TcpConfig = { offsets: { ...ZERO, z: 0.1 }, rotations: ZERO, radius: 0.03 };

interface Known {
  /** Absent for a loaded toolpath without a tool. */
  readonly tool?: TcpConfig;
  readonly isLoaded?: boolean;
  readonly grippers?: readonly string[];
}

/** What the panel says of a tool. */
function textOf({ tool, isLoaded = true, grippers }: Known): string {
  const metadata = { payload: 0.25, ...(tool && { tcp_config: tool }) };
  const cell = grippers && { description: { grippers: grippers.map((name) => ({ name })) } };
  const known = {
    loaded: isLoaded ? { toolpath: { metadata } } : null,
    sim: cell ? { cell } : null,
  };
  const view = Object.assign({ ...NOTHING }, known);
  return draw(<ToolFacts view={view} />).root.textContent ?? '';
}

it.each<[Known, RegExp]>([
  [{ tool: TOOL }, /^z 100\.0mmr 30\.0mm0\.25kg of/],
  [{ tool: TOOL, grippers: ['gripper'] }, /^gripperz 100\.0mmr 30\.0mm0\.25kg of/],
  [{}, /^none0\.25kg of/],
  [{ grippers: ['left', 'right'] }, /^left, right0\.25kg of/],
  [{ isLoaded: false }, /^–$/],
  [{ isLoaded: false, grippers: ['gripper'] }, /^gripper$/],
])('names the tool of %o', (known, text) => {
  expect(textOf(known)).toMatch(text);
});
