/** The findings of a definition as notes beside the lines of its text. Pure. */
import type { WorkflowFinding } from './workflow-state.ts';

const NOTES_MAX = 100;

/** Offset of a line in a text. */
export function lineStart(text: string, line: number): number {
  let at = 0;
  for (let i = 1; i < line; i++) {
    const next = text.indexOf('\n', at);
    if (next < 0) return at;
    at = next + 1;
  }
  return at;
}

/** Text of a finding with its subject; a missing field has no line of its own. */
function noteText({ path, message }: WorkflowFinding): string {
  const subject = path.slice(path.lastIndexOf('/') + 1);
  return subject && /^(?:is|must) /.test(message) ? `${subject} ${message}` : message;
}

/** Findings by line; texts of one line are joined. */
export function notesByLine(errors: readonly WorkflowFinding[]): Map<number, string> {
  const notes = new Map<number, string>();
  for (const finding of errors.slice(0, NOTES_MAX)) {
    const before = notes.get(finding.line);
    const text = noteText(finding);
    notes.set(finding.line, before ? `${before}; ${text}` : text);
  }
  return notes;
}

/** Findings by their text, in the order of the first of each. */
export function groupFindings(
  errors: readonly WorkflowFinding[],
): readonly (readonly WorkflowFinding[])[] {
  const groups = new Map<string, WorkflowFinding[]>();
  for (const one of errors) {
    const group = groups.get(one.message);
    if (group) group.push(one);
    else groups.set(one.message, [one]);
  }
  return [...groups.values()];
}

/** Each text once, with a count where it comes more than once. */
export function countedTexts(texts: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`));
}
