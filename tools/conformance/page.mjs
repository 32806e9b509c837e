/**
 * docs/conformance.md as text: every rule with what it proves and how it came out, what no rule
 * proves and why, and where the letter of the spec is left. A pure function of its parts.
 */

/**
 * @typedef {{ id: string, requirements: readonly string[], statement: string }} Rule
 * @typedef {'held' | 'broken' | 'skipped'} Outcome
 * @typedef {Record<string, Record<string, Outcome>>} Outcomes by dialect, by rule
 * @typedef {import('../../contract/rules/deviations.ts').Deviation} Deviation
 * @typedef {{
 *   rules: readonly Rule[], outcomes: Outcomes, deviations: readonly Deviation[],
 *   unproven: Readonly<Record<string, string>>,
 * }} Parts
 */

/** @param {string} text as a cell of a table */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** @param {readonly string[]} cells */
const row = (cells) => `| ${cells.map(cell).join(' | ')} |\n`;

/** @param {readonly string[]} heads */
const head = (heads) => row(heads) + row(heads.map(() => '---'));

/** @param {Parts} parts */
function scores({ rules, outcomes }) {
  const requirements = new Set(rules.flatMap((rule) => rule.requirements));
  const lines = Object.entries(outcomes).map(([dialect, byRule]) => {
    const held = rules.filter((rule) => byRule[rule.id] === 'held');
    const open = rules.filter((rule) => byRule[rule.id] !== 'held');
    const unproven = new Set(open.flatMap((rule) => rule.requirements));
    const proven = requirements.size - unproven.size;
    const counts = [`${held.length} of ${rules.length}`, `${proven} of ${requirements.size}`];
    return row([dialect, ...counts]);
  });
  return head(['dialect', 'rules held', 'requirements proven']) + lines.join('');
}

/** @param {Parts} parts */
function ruleTable({ rules, outcomes }) {
  const dialects = Object.keys(outcomes);
  const lines = rules.map(({ id, statement, requirements }) => {
    const came = dialects.map((dialect) => outcomes[dialect]?.[id] ?? 'skipped');
    return row([`\`${id}\``, statement, requirements.join(' '), ...came]);
  });
  return head(['rule', 'statement', 'requirements', ...dialects]) + lines.join('');
}

/** @param {Parts} parts */
function deviationList({ deviations }) {
  const parts = deviations.map(({ decision, section, spec, here, reason, rules }) => {
    const named = rules.map((id) => `\`${id}\``).join(', ');
    const proof = named === '' ? '' : `- Rules: ${named}\n`;
    const texts = `- The spec: ${spec}\n- Here: ${here}\n- Why: ${reason}\n`;
    return `### ${decision}, spec ${section}\n\n${texts}${proof}`;
  });
  return parts.join('\n');
}

/** @param {Parts} parts */
export function conformancePage(parts) {
  const reasons = Object.entries(parts.unproven).map(([id, reason]) => row([id, reason]));
  return `# What of the specification is proven

Made by \`npm run conformance\` from runs of \`armtwin verify\` against the built program, in both
dialects; \`npm test\` runs the same rules. The numbers are those of the requirements.

${scores(parts)}
## Where the letter of the spec is left

${deviationList(parts)}
## Rules

${ruleTable(parts)}
## What no rule proves

${head(['requirement', 'why'])}${reasons.join('')}`;
}

/** The outcomes that a page tells of. @param {string} text @returns {Outcomes} */
export function outcomesOf(text) {
  const dialects = [...text.matchAll(/^\| rule \| statement \| requirements \| (.*) \|$/gm)];
  const names = dialects[0]?.[1]?.split(' | ') ?? [];
  /** @type {Outcomes} */
  const outcomes = Object.fromEntries(names.map((name) => [name, {}]));
  for (const [, id = '', came = ''] of text.matchAll(
    /^\| `([^`]+)` \|.*?((?: \| (?:held|broken|skipped))+) \|$/gm,
  )) {
    const words = came.split(' | ').slice(1);
    names.forEach((name, i) => {
      const byRule = outcomes[name];
      const outcome = words[i];
      if (byRule && (outcome === 'held' || outcome === 'broken' || outcome === 'skipped')) {
        byRule[id] = outcome;
      }
    });
  }
  return outcomes;
}
