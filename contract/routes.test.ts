import { describe, expect, it } from 'vitest';
import { fillPath, ROUTES, type RouteRow, routeOf } from './routes.ts';
import type { SchemaId } from './schemas.ts';
import { validate } from './validator.ts';

const rows: readonly RouteRow[] = ROUTES;

describe('rows', () => {
  it('have unique names and unique method-path pairs', () => {
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
    expect(new Set(rows.map((row) => `${row.method} ${row.path}`)).size).toBe(rows.length);
  });

  it('are under /api/v1, except /sim/v1, /workflow/v1 and the versions', () => {
    const inside = /^\/(api|sim|workflow)\/v1\//;
    const outside = rows.filter((row) => !inside.test(row.path));
    expect(outside.map((row) => row.path)).toEqual(['/api/versions']);
  });

  it('need a session except where the spec says none', () => {
    const open = rows.filter((row) => row.auth === 'none').map((row) => row.id);
    expect(open.sort()).toEqual(['createSession', 'getName', 'getVersions', 'logIn']);
  });

  it('need the lock on all controls but the lock itself', () => {
    const controls = rows.filter((row) => row.path.startsWith('/api/v1/controls/'));
    const free = controls.filter((row) => !row.lock).map((row) => row.id);
    expect(free).toEqual(['getLock', 'takeLock', 'renewLock', 'releaseLock']);
  });

  it('return 200 in the fielded dialect only for the seven motion calls', () => {
    const differing = rows.filter((row) => row.status.documented !== row.status.fielded);
    expect(differing.map((row) => row.id).sort()).toEqual(
      ['cancel', 'goTo', 'home', 'pause', 'resume', 'run', 'stopLoop'].sort(),
    );
  });

  it('have a reply exactly where the status is not 204', () => {
    for (const row of rows) {
      expect([row.id, (row.reply ?? row.media) !== undefined]).toEqual([
        row.id,
        row.status.documented !== 204,
      ]);
    }
  });

  it('may leave out their body exactly where its schema accepts {}', () => {
    for (const row of rows) {
      if (row.body === undefined || row.body === 'WorkflowDocument') continue;
      const accepts = validate(row.body as SchemaId, {}, { dialect: 'documented' }).ok;
      expect([row.id, row.bodyOptional === true]).toEqual([row.id, accepts]);
    }
  });

  it('are found by name', () => {
    expect(routeOf('goTo').path).toBe('/api/v1/controls/go_to');
  });
});

describe('fillPath', () => {
  it('fills the parameters', () => {
    expect(fillPath('/api/v1/users/{user_id}/tokens/{token_id}', { user_id: 3, token_id: 7 })).toBe(
      '/api/v1/users/3/tokens/7',
    );
  });

  it('throws on a missing value', () => {
    expect(() => fillPath('/a/{b}', {})).toThrow('no value for b');
  });
});
