import { describe, expect, it, vi } from 'vitest';
import { coverageProblems, createRuleCoverage } from './rule-coverage.mjs';
import { judge, withViolations } from './rules.mjs';

/** @param {string} id @param {'held' | 'broken' | 'skipped'} outcome */
const result = (id, outcome) => ({ rule: { id, statement: 'S' }, outcome, reason: 'R' });

describe('judge', () => {
  it('counts held, broken and skipped rules, with reasons', () => {
    const results = [result('a', 'held'), result('b', 'broken'), result('c', 'skipped')];
    const { counts, lines, broken } = judge(results, []);
    expect(counts).toEqual({ passed: 1, failed: 1, skipped: 1 });
    expect(lines).toEqual(['FAIL b: S\n     R', 'skip c: R']);
    expect(broken).toEqual(['b']);
  });

  it('counts a violation that the monitor found as a broken rule', () => {
    const { counts } = judge(withViolations([result('a', 'held')], ['{statement="s"}']), []);
    expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it('skips a listed rule that does not hold', () => {
    const { counts, lines } = judge([result('b', 'broken')], ['b']);
    expect(counts).toEqual({ passed: 0, failed: 0, skipped: 1 });
    expect(lines).toEqual(['skip b: R']);
  });

  it('fails for a listed rule that holds and for an unknown id', () => {
    expect(judge([result('a', 'held')], ['a']).counts.failed).toBe(1);
    expect(judge([result('a', 'held')], ['gone']).counts).toEqual({
      passed: 1,
      failed: 1,
      skipped: 0,
    });
  });
});

describe('the coverage of the rules', () => {
  /** @type {Record<string, object>} */
  const schemas = {
    Move: {
      properties: { joints: {}, zones: { items: { $ref: '#/$defs/Zone' } } },
      oneOf: [{ $ref: '#/$defs/Timed' }],
    },
    Zone: { properties: { name: {}, inner: { $ref: '#/$defs/Zone' } } },
    Timed: { required: ['kind'], properties: { kind: { const: 'timed' }, time: {} } },
  };
  const contract = {
    ROUTES: [
      { id: 'move', method: 'POST', path: '/arms/{arm_id}/move', body: 'Move' },
      { id: 'look', method: 'GET', path: '/arms' },
    ],
    ERROR_ROWS: { busy: {}, lost: {} },
    schemaOf: (/** @type {string} */ id) => schemas[id] ?? {},
    errorNamed: (/** @type {number} */ status) => (status === 409 ? 'busy' : null),
  };
  const nothing = { fields: [], errors: {} };

  /** @param {number} status @param {object} body */
  async function exercised(status, body) {
    const reply = new Response('{"error":{}}', { status });
    const { fetch: recording, exercised: seen } = createRuleCoverage(contract);
    const sending = vi.spyOn(globalThis, 'fetch').mockResolvedValue(reply);
    await recording('http://a/arms/1/move', { method: 'POST', body: JSON.stringify(body) });
    sending.mockRestore();
    return seen;
  }
  const BODY = { kind: 'timed', time: 1, joints: [], zones: [{ name: 'a', inner: { name: 'b' } }] };

  it('fails for a field that no rule sends, and for an error that no rule provokes', async () => {
    const { time: _, ...body } = BODY;
    const problems = coverageProblems(contract, await exercised(200, body), nothing);
    expect(problems.map((line) => line.split(':')[0])).toEqual([
      'FAIL Timed.time',
      'FAIL error busy',
      'FAIL error lost',
    ]);
    expect(problems[0]).toContain('add one that sends it and checks its effect');
  });

  it('does not count the fields of a refused call, and counts its error', async () => {
    const seen = await exercised(409, BODY);
    expect([...seen.fields, ...seen.errors]).toEqual(['busy']);
  });

  it('accepts what the list names, until a rule exercises it', async () => {
    const listed = { fields: ['Timed.time'], errors: { lost: 'a test', busy: 'a test' } };
    const { time: _, ...body } = BODY;
    expect(coverageProblems(contract, await exercised(200, body), listed)).toEqual([]);
    const [problem] = coverageProblems(contract, await exercised(200, BODY), listed);
    expect(problem).toContain('FAIL Timed.time: a rule sends it now, or it is gone; remove it');
  });
});
