import { describe, expect, it } from 'vitest';
import { errorStatuses } from './error-statuses.mjs';
import { bodyFields, routesHaveRules } from './routes.mjs';
import { treeOf } from './tree.mjs';

const CONTRACT = {
  routes: [{ id: 'goTo', body: 'GoToBody', statuses: [400, 500] }],
  schemas: {
    GoToBody: { properties: { joints: {}, tool: { $ref: '#/$defs/Tool' } } },
    Tool: { properties: { radius: {} } },
  },
  errors: { invalid_arguments: 400, not_supported: 501 },
};
const RULE =
  "export const R = [{ routes: ['goTo'], check: () => ({ joints: 1, tool: { radius: 1 } }) }];";
const READER = 'export const f = ({ joints, tool }) => [joints, tool.radius];';

/** @param {Record<string, string>} texts */
const fields = async (texts) => (await bodyFields(treeOf(texts), CONTRACT)).places;

/** @param {Record<string, string>} texts */
const statuses = async (texts) => (await errorStatuses(treeOf(texts), CONTRACT)).problems;

describe('routes have rules', () => {
  const row = "export const ROWS = [{ id: 'getLock', method: 'GET', path: '/api/v1/lock' }];";

  it('reports rows without a rule', () => {
    const { checked, places } = routesHaveRules(treeOf({ 'contract/routes.ts': row }));
    expect([checked, [...places.keys()]]).toEqual([1, ['getLock']]);
  });

  it('accepts a rule that names the row', () => {
    const rule = "export const RULES = [{ id: 'x', routes: ['getLock'] }];";
    const texts = { 'contract/routes/a.ts': row, 'contract/rules/lock-rules.ts': rule };
    expect(routesHaveRules(treeOf(texts)).places.size).toBe(0);
  });
});

describe('request fields', () => {
  it('accepts fields that code reads and a rule names', async () => {
    expect(await fields({ 'server/a.ts': READER, 'contract/rules/a.ts': RULE })).toEqual(new Map());
  });

  it('reports a field that no code reads', async () => {
    const found = await fields({
      'server/a.ts': 'export const f = ({ joints, tool }) => ({ joints, tool, radius: 1 });',
      'contract/rules/a.ts': RULE,
    });
    expect([...found.keys()]).toEqual(['Tool radius']);
    expect(found.get('Tool radius')?.say).toMatch(/^no code reads it/);
  });

  it('reports a field that no rule of the route names', async () => {
    const found = await fields({
      'server/a.ts': READER,
      'contract/rules/a.ts': RULE.replace('radius: 1', ''),
      'contract/rules/b.ts': "export const R = [{ routes: ['home'], check: (a) => a.radius }];",
    });
    expect(found.get('Tool radius')?.say).toMatch(/^no rule of goTo names it/);
  });

  it('accepts a field in a file that the rule file imports', async () => {
    const found = await fields({
      'server/a.ts': READER,
      'contract/rules/a.ts': `import './samples.ts';\n${RULE.replace('radius: 1', '')}`,
      'contract/rules/samples.ts': 'export const tool = { radius: 1 };',
    });
    expect(found.size).toBe(0);
  });
});

describe('error statuses', () => {
  it('accepts a listed status', async () => {
    const text = "export const h = { goTo: () => refuse('invalid_arguments') };";
    expect(await statuses({ 'server/http/a.ts': text })).toEqual([]);
  });

  it.each([
    "export const h = { goTo: () => refuse('not_supported') };",
    "export const h = { goTo() { return f(); } };\nconst f = () => refuse('not_supported');",
    "import { check as c } from '../b.ts';\nexport const h = { goTo: () => c() };",
  ])('reports an unlisted status: %s', async (text) => {
    const texts = {
      'server/http/a.ts': text,
      'server/b.ts': "export function check() { return refuse('not_supported'); }",
    };
    const [problem] = await statuses(texts);
    expect(problem).toMatch(/^server\/http\/a\.ts: goTo refuses with not_supported, status 501/);
  });
});
