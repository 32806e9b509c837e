/**
 * A run of the spec's rules as one page that opens from disk: no script, nothing fetched, every
 * text escaped. For people who look into what a build server kept.
 */
import type { RuleResult } from '../../contract/rules/run-options.ts';
import { scoreOf, scoreText } from './rule-report.ts';

const STYLE = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}
body{margin:2rem auto;max-width:70rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}
td,th{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-top:1px solid #8884}
code{font-size:.9em}.held{color:#2a7d4f}.broken{color:#c0392b;font-weight:600}.skipped{opacity:.6}`;

const ENTITIES: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
};

function html(text: string): string {
  return text.replace(/[<>&"]/g, (character) => ENTITIES[character] ?? character);
}

function row({ rule, outcome, reason }: RuleResult): string {
  const why = reason === '' ? '' : `<br><small>${html(reason)}</small>`;
  return (
    `<tr><td class="${outcome}">${outcome}</td><td><code>${html(rule.id)}</code></td>` +
    `<td>${html(rule.statement)}${why}</td><td>${html(rule.requirements.join(', '))}</td></tr>`
  );
}

/** What broke first, then what was skipped, then what held. */
const ORDER: readonly RuleResult['outcome'][] = ['broken', 'skipped', 'held'];

/** The page of a run against the service at `url`. */
export function rulePage(results: readonly RuleResult[], url: string): string {
  const sorted = ORDER.flatMap((wanted) => results.filter(({ outcome }) => outcome === wanted));
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Rules of ${html(url)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Rules of ${html(url)}</h1>
<p>${html(scoreText(scoreOf(results)))}</p>
<table>
<thead><tr><th>result</th><th>rule</th><th>what it says</th><th>requirements</th></tr></thead>
<tbody>
${sorted.map(row).join('\n')}
</tbody>
</table>
</body>
</html>
`;
}
