import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleOf } from './api-docs/schema-example.ts';
import { ROUTES, type RouteRow } from './routes.ts';
import { type SchemaId, schemaOf } from './schemas.ts';
import { unsafeContent } from './unsafe-content.ts';
import { validate } from './validator.ts';

const rows: readonly RouteRow[] = ROUTES;
const bodies = rows.flatMap((row) => (row.body ? [row.body as SchemaId] : []));
/** Bodies that accept unknown fields: old toolpaths, and workflows, where they only warn (D3). */
const OPEN = ['MigrateToolpathBody', 'WorkflowDocument'];
/** Fields whose names the sender chooses: what a task returned. */
const OPEN_FIELDS = ['data_outputs'];
/** Bodies with a closed schema, which can detect unknown fields. */
const closed = bodies.filter((id) => !OPEN.includes(id));

describe('any body', () => {
  it('gets a result in either dialect', () => {
    const property = fc.property(
      fc.constantFrom(...bodies),
      fc.jsonValue({ maxDepth: 6 }),
      (id, value) => {
        for (const dialect of ['documented', 'fielded'] as const) {
          const result = validate(id, value, { dialect });
          if (result.ok) continue;
          expect(result.error.length).toBeGreaterThan(0);
          for (const { path, problem } of result.error) {
            expect(path).toMatch(/^(\/|$)/);
            expect(problem.length).toBeGreaterThan(5);
          }
        }
      },
    );
    fc.assert(property, { numRuns: 500 });
  });
});

/** Values without the forbidden keys. */
const harmless = fc.jsonValue().filter((value) => unsafeContent(value) === null);

/** Inserts the unknown field into one object of a tree; returns its pointer. */
function inject(tree: unknown, choice: number, value: unknown): string {
  const places: { readonly at: Record<string, unknown>; readonly path: string }[] = [];
  const visit = (node: unknown, path: string): void => {
    if (node === null || typeof node !== 'object') return;
    if (!Array.isArray(node)) places.push({ at: node as Record<string, unknown>, path });
    for (const [key, child] of Object.entries(node)) {
      if (!OPEN_FIELDS.includes(key)) visit(child, `${path}/${key}`);
    }
  };
  visit(tree, '');
  const place = places[choice % places.length]!;
  place.at['zz_unknown'] = value;
  return `${place.path}/zz_unknown`;
}

describe('an unknown field anywhere in a valid body', () => {
  interface Case {
    readonly id: SchemaId;
    readonly good: unknown;
    readonly spoilt: unknown;
    readonly path: string;
  }
  const property = (check: (given: Case) => void) =>
    fc.assert(
      fc.property(fc.constantFrom(...closed), fc.nat(), harmless, (id, choice, value) => {
        const good = exampleOf(schemaOf(id));
        const spoilt: unknown = structuredClone(good);
        const path = inject(spoilt, choice, value);
        check({ id, good, spoilt, path });
      }),
      { numRuns: 300 },
    );

  it('is the only problem in the documented dialect', () => {
    property(({ id, spoilt, path }) => {
      const result = validate(id, spoilt, { dialect: 'documented' });
      expect(result.ok ? [] : result.error.map((entry) => entry.path)).toEqual([path]);
    });
  });

  it('is dropped and listed in the fielded dialect', () => {
    property(({ id, good, spoilt, path }) => {
      const result = validate(id, spoilt, { dialect: 'fielded' });
      expect(result).toEqual({ ok: true, value: { value: good, ignored: [path] } });
    });
  });
});
