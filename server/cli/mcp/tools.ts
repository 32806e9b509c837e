/** The tools of `armtwin mcp`: a row for each. */
import type { Tool } from './tool.ts';
import { explainStop } from './tools/explain-stop.ts';
import { planToolpath } from './tools/plan-toolpath.ts';
import { readState } from './tools/read-state.ts';
import { rehearseToolpath } from './tools/rehearse-toolpath.ts';
import { runToolpath } from './tools/run-toolpath.ts';

/** A tool whose arguments its own schema has checked. */
export type AnyTool = Tool<never>;

export const TOOLS: readonly AnyTool[] = [
  readState,
  planToolpath,
  rehearseToolpath,
  runToolpath,
  explainStop,
];
