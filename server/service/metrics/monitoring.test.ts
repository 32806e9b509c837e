/**
 * Dashboard and alert rules against /metrics of a simulated arm and of an arm of emulated servos:
 * every metric, label and label value that a query names is there. Where Prometheus is installed
 * (ARMTWIN_PROMETHEUS, or on PATH), monitoring.slow.test.ts evaluates the queries.
 */

import { readFileSync } from 'node:fs';
// @ts-expect-error: the package has no types.
import { load } from 'js-yaml';
import { beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../../contract/client.ts';
import { startTwin } from '../../app/app.ts';
import { type Config, TWIN_DEFAULTS } from '../../cli/config.ts';

interface Rules {
  readonly groups: readonly { readonly rules: readonly { alert: string; expr: string }[] }[];
}
interface Dashboard {
  readonly panels: readonly { title: string; targets?: readonly { expr: string }[] }[];
}

const { groups } = load(readFileSync('deploy/monitoring/alerts.yml', 'utf8')) as Rules;
const dashboard = readFileSync('deploy/monitoring/grafana-dashboard.json', 'utf8');
const { panels } = JSON.parse(dashboard) as Dashboard;
const queries = [
  ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const)),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** Labels that Prometheus adds at the scrape. */
const ADDED = ['instance', 'job', 'le'];

/** Series by metric name, each with its labels. */
const series = new Map<string, Record<string, string>[]>();

async function scrape(options: Partial<Config>): Promise<void> {
  const twin = await startTwin({ ...TWIN_DEFAULTS, token: 'scrape', ...options });
  await connect({ baseUrl: twin.url, token: 'scrape' }).getSnapshot();
  const text = await (await fetch(`${twin.url}/metrics`)).text();
  await twin.close();
  for (const [, name, labels] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const pairs = [...(labels ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [
      key,
      value,
    ]);
    series.set(name!, [...(series.get(name!) ?? []), Object.fromEntries(pairs)]);
  }
}

beforeAll(async () => {
  await scrape({});
  await scrape({ driver: 'mirrored', bus: 'memory', pace: { kind: 'scaled', factor: 1 } });
});

/** Selectors of a query: metric and matchers. */
function selectorsOf(expr: string) {
  return [...expr.matchAll(/\b((?:armtwin|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', matchers = '']) => ({
      name,
      matchers: [...matchers.matchAll(/(\w+)\s*(=~|=)\s*"([^"]*)"/g)].map(
        ([, label = '', kind = '', value = '']) => ({ label, kind, value }),
      ),
    }),
  );
}

/** Labels that appear only where something happened, and their values. */
const OCCASIONAL: Readonly<Record<string, RegExp>> = {
  armtwin_driver_fault: /^(kind|joint|cause)$/,
  armtwin_http_duration_seconds_count: /^(status|route)$/,
};

describe('monitoring', () => {
  it.each(queries)('%s asks for metrics that exist: %s', (title, expr) => {
    const selectors = selectorsOf(expr);
    if (title !== 'ArmtwinDown') expect(selectors.length).toBeGreaterThan(0);
    for (const { name, matchers } of selectors) {
      const known = series.get(name);
      if (!known) expect(Object.keys(OCCASIONAL)).toContain(name);
      for (const { label, kind, value } of matchers) {
        if (ADDED.includes(label) || OCCASIONAL[name]?.test(label)) continue;
        const fits = new RegExp(kind === '=~' ? `^(?:${value})$` : `^${value}$`);
        const values = known!.map((labels) => labels[label] ?? '');
        expect([name, label, values.some((each) => fits.test(each))]).toEqual([name, label, true]);
      }
    }
  });

  it.each(queries)(
    '%s takes the rate of counters only, and the difference of gauges: %s',
    (_, expr) => {
      const calls = expr.matchAll(/\b(rate|irate|increase|delta|deriv)\(\s*(\w+)/g);
      for (const [, name = '', metric = ''] of calls) {
        const isCounter = /_(total|count|sum|bucket)$/.test(metric);
        expect([name, metric, isCounter]).toEqual([name, metric, !/^de/.test(name)]);
      }
    },
  );

  it('shows every metric of the twin in the dashboard or watches it', () => {
    const asked = new Set(queries.flatMap(([, expr]) => selectorsOf(expr).map(({ name }) => name)));
    const unwatched = [...series.keys()].filter((name) => !asked.has(name));
    expect(unwatched).toEqual(['armtwin_http_duration_seconds_sum']);
  });

  it('names one service in every alert and explains it in docs/operating.md', () => {
    const page = readFileSync('docs/operating.md', 'utf8');
    for (const { rules } of groups) {
      for (const { alert } of rules) expect(page).toContain(`\`${alert}\``);
    }
  });
});
