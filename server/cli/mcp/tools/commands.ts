/** The tools that are commands of the program: their files are read and judged as on a terminal. */
import type { ToolContext, ToolResult } from '../tool.ts';

/** Runs a command; its report is the answer, and what it says beside it comes first. */
export async function answerOf(
  words: readonly string[],
  { command }: ToolContext,
): Promise<ToolResult> {
  const said: string[] = [];
  const report: string[] = [];
  const into = (list: string[]) => ({ write: (text: string) => list.push(text) });
  const code = await command(words, { out: into(report), err: into(said) });
  return { text: [...said, ...report].join('').trim(), isError: code !== 0 };
}
