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
const fields = async (texts) => (await bodyFields(treeOf(texts), CONTRACT)).problems;

describe('routes have rules', () => {
  const row = "export const ROWS = [{ id: 'getLock', method: 'GET', path: '/api/v1/lock' }];";

  it('reports rows without a rule', () => {
    const { checked, problems } = routesHaveRules(treeOf({ 'contract/routes.ts': row }));
    expect(checked).toBe(1);
    expect(problems).toEqual([expect.stringMatching(/^getLock: no rule names this route/)]);
  });

  it('accepts a rule that names the row', () => {
    const rule = "export const RULES = [{ id: 'x', routes: ['getLock'] }];";
    const texts = { 'contract/routes/a.ts': row, 'conformance/rules/lock-rules.ts': rule };
    expect(routesHaveRules(treeOf(texts)).problems).toEqual([]);
  });
});

describe('request fields', () => {
  it('accepts fields that code reads and a rule names', async () => {
    expect(await fields({ 'server/a.ts': READER, 'conformance/a.ts': RULE })).toEqual([]);
  });

  it('reports a field that no code reads', async () => {
    const found = await fields({
      'server/a.ts': 'export const f = ({ joints, tool }) => ({ joints, tool, radius: 1 });',
      'conformance/a.ts': RULE,
    });
    expect(found).toEqual([expect.stringMatching(/^Tool radius: no code reads it/)]);
  });

  it('reports a field that no rule of the route names', async () => {
    const found = await fields({
      'server/a.ts': READER,
      'conformance/a.ts': RULE.replace('radius: 1', ''),
      'conformance/b.ts': "export const R = [{ routes: ['home'], check: (a) => a.radius }];",
    });
    expect(found).toEqual([expect.stringMatching(/^Tool radius: no rule of goTo names it/)]);
  });

  it('accepts a field in a file that the rule file imports', async () => {
    const found = await fields({
      'server/a.ts': READER,
      'conformance/a.ts': `import './samples/sample-workflow.ts';\n${RULE.replace('radius: 1', '')}`,
      'conformance/samples/sample-workflow.ts': 'export const tool = { radius: 1 };',
    });
    expect(found).toEqual([]);
  });
});
