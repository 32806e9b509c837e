import { describe, expect, it } from 'vitest';
import { bodyFields, routesHaveRules } from './routes.mjs';
import { treeOf } from './tree.mjs';

const CONTRACT = {
  routes: [{ id: 'goTo', body: 'GoToBody' }],
  schemas: {
    GoToBody: { properties: { joints: {}, tool: { $ref: '#/$defs/Tool' } } },
    Tool: { properties: { radius: {} } },
  },
};
const RULE =
  "export const R = [{ routes: ['goTo'], check: () => ({ joints: 1, tool: { radius: 1 } }) }];";
const READER = 'export const f = ({ joints, tool }) => [joints, tool.radius];';

/** @param {Record<string, string>} texts */
const fields = async (texts) => (await bodyFields(treeOf(texts), CONTRACT)).places;

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
