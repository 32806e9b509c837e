/** The report of a conformance run as an HTML page. */
import type { RuleResult } from '../../../conformance/rule-result.ts';
import { scoreOf, scoreText } from './rule-score.ts';

const STYLE = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}
body{margin:2rem auto;max-width:70rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}
td,th{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-top:1px solid #8884}
code{font-size:.9em}.held{color:#2a7d4f}.broken{color:#c0392b;font-weight:600}.skipped{opacity:.6}`;

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
};

function escapeHtml(text: string): string {
  return text.replace(/[<>&"]/g, (character) => HTML_ENTITIES[character] ?? character);
}

function pageRow({ rule, outcome, reason }: RuleResult): string {
  const note = reason === '' ? '' : `<br><small>${escapeHtml(reason)}</small>`;
  const requirements = escapeHtml(rule.requirements.join(', '));
  return (
    `<tr><td class="${outcome}">${outcome}</td><td><code>${escapeHtml(rule.id)}</code></td>` +
    `<td>${escapeHtml(rule.statement)}${note}</td><td>${requirements}</td></tr>`
  );
}

/** Broken rules first, then skipped ones, then those that held. */
const PAGE_ORDER: readonly RuleResult['outcome'][] = ['broken', 'skipped', 'held'];

/** An offline HTML page of a run against `url`: no script, no fetches, all text escaped. */
export function rulePage(results: readonly RuleResult[], url: string): string {
  const sorted = PAGE_ORDER.flatMap((wanted) =>
    results.filter(({ outcome }) => outcome === wanted),
  );
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Rules of ${escapeHtml(url)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Rules of ${escapeHtml(url)}</h1>
<p>${escapeHtml(scoreText(scoreOf(results)))}</p>
<table>
<thead><tr><th>result</th><th>rule</th><th>statement</th><th>requirements</th></tr></thead>
<tbody>
${sorted.map(pageRow).join('\n')}
</tbody>
</table>
</body>
</html>
`;
}
