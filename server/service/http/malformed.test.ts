/**
 * Malformed bodies: invalid JSON, deep nesting, keys that target prototypes, oversized bodies and
 * wrong content types. The reply is always 4xx in the error format, and the twin keeps working (D2,
 * D7).
 */

import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { expectError, sharedApiFixture, smallToolpath } from './api-fixture.cases.ts';

const fixture = sharedApiFixture();

const RUN = '/api/v1/controls/run';
const json = { 'Content-Type': 'application/json' };

async function refusedRaw(raw: string | Uint8Array, path = RUN, method = 'POST') {
  const got = await fixture.send(method, path, { as: fixture.ada, headers: json, raw });
  const error = expectError(got);
  return { status: got.status, error_code: error.error_code, details: error.details };
}

const bytes = (...values: number[]) => Uint8Array.from(values);

/** Texts that are not JSON in UTF-8, one for each kind of error. */
const NOT_JSON: readonly (readonly [string, string | Uint8Array])[] = [
  ['nothing', ''],
  ['a space', ' '],
  ['a word', 'run'],
  ['an open object', '{'],
  ['an open array', '['],
  ['an open text', '"abc'],
  ['a closed object alone', '}'],
  ['the wrong bracket', '{"mode":"teach"]'],
  ['a comma at the end of an object', '{"mode":"teach",}'],
  ['a comma at the end of an array', '[1,]'],
  ['a comma at the start', '[,1]'],
  ['two commas', '[1,,2]'],
  ['no comma', '[1 2]'],
  ['no colon', '{"mode" "teach"}'],
  ['two colons', '{"mode"::"teach"}'],
  ['a key without quotes', '{mode:"teach"}'],
  ['single quotes', "{'mode':'teach'}"],
  ['a comment', '{"mode":"teach"/* x */}'],
  ['a line comment', '{"mode":"teach"}//'],
  ['two values', '{}{}'],
  ['something behind', '{"mode":"teach"}x'],
  ['NaN', '{"loop":NaN}'],
  ['Infinity', '{"loop":Infinity}'],
  ['minus Infinity', '{"loop":-Infinity}'],
  ['hexadecimal', '{"loop":0x10}'],
  ['octal', '{"loop":010}'],
  ['a plus sign', '{"loop":+1}'],
  ['a bare minus', '{"loop":-}'],
  ['a bare point', '{"loop":.5}'],
  ['a point at the end', '{"loop":1.}'],
  ['a bare exponent', '{"loop":1e}'],
  ['an underscore', '{"loop":1_000}'],
  ['True', '{"loop":True}'],
  ['undefined', '{"loop":undefined}'],
  ['a truncated word', '{"loop":tru}'],
  ['a tab in a text', '{"mode":"te\tach"}'],
  ['a line break in a text', '{"mode":"te\nach"}'],
  ['a wrong escape', '{"mode":"\\x41"}'],
  ['a short escape', '{"mode":"\\u12"}'],
  ['a lone backslash', '{"mode":"\\'],
  ['a zero byte', '\u0000'],
  ['a zero byte behind', '{"mode":"teach"}\u0000'],
  ['a non-breaking space', '{\u00a0}'],
  ['a form feed', '{\f}'],
  ['a byte order mark twice', '\ufeff\ufeff{}'],
  ['XML', '<run mode="teach"/>'],
  ['a form', 'mode=teach&loop=1'],
  ['YAML', 'mode: teach'],
  ['UTF-16', bytes(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00)],
  ['a lone continuation byte', bytes(0x22, 0x80, 0x22)],
  ['an overlong slash', bytes(0x22, 0xc0, 0xaf, 0x22)],
  ['a surrogate in UTF-8', bytes(0x22, 0xed, 0xa0, 0x80, 0x22)],
  ['a cut character', bytes(0x22, 0xe2, 0x82)],
  ['gzip', bytes(0x1f, 0x8b, 0x08, 0x00)],
];

describe('a body that is not JSON', () => {
  it.each(NOT_JSON)('is 400 with code 8: %s', async (_name, raw) => {
    expect(await refusedRaw(raw)).toMatchObject({ status: 400, error_code: 8 });
  });

  it.each(['null', 'true', '0', '-0', '1e400', '""', '[]', '[[]]', '"\\ud800"'])(
    'is 400 with the place when it is JSON of another shape: %s',
    async (raw) => {
      const { status, error_code, details } = await refusedRaw(raw);
      expect([status, error_code]).toEqual([400, 8]);
      expect(details).toEqual(expect.arrayContaining([expect.objectContaining({ path: '' })]));
    },
  );

  it('names numbers beyond the range and half surrogate pairs', async () => {
    const infinite = 'is beyond the range of a number (±1.8e308)';
    const paths = { '{"mode":"teach","loop":1e400}': '/loop', '[[0,-1e400]]': '/0/1', '1e400': '' };
    for (const [text, path] of Object.entries(paths)) {
      expect((await refusedRaw(text)).details).toEqual([{ path, problem: infinite }]);
    }
    // Fields that the schema leaves open, which are stored as they are.
    const workflow = '{"name":"w","metadata":{"a":1e400},"workflow":{},"workcell":{}}';
    expect((await refusedRaw(workflow, '/workflow/v1/workflows')).details).toEqual([
      { path: '/metadata/a', problem: infinite },
    ]);
    const problem = 'must be valid Unicode, but has half of a surrogate pair';
    const texts = [
      ['"\\ud800"', ''],
      ['{"mode":"\\udc00\\ud800","loop":1}', '/mode'],
      ['{"mode":["a\\ud83d"]}', '/mode/0'],
    ] as const;
    for (const [text, path] of texts) {
      const { status, details } = await refusedRaw(text);
      expect([status, details]).toEqual([400, [{ path, problem }]]);
    }
    const name = '{"name":"\\ud800","toolpath":{}}';
    expect((await refusedRaw(name, '/api/v1/toolpaths')).details).toEqual([
      { path: '/name', problem },
    ]);
    const whole = { name: '\u{1F916}', toolpath: smallToolpath() };
    const saved = await fixture.send('POST', '/api/v1/toolpaths', { as: fixture.ada, body: whole });
    expect(saved.body).toMatchObject({ toolpath: { name: '\u{1F916}' } });
  });

  it('keeps the last of two equal keys, as JSON parsers do', async () => {
    const { details } = await refusedRaw('{"mode":"teach","loop":1,"loop":-1}');
    expect(details).toEqual([{ path: '/loop', problem: 'must be at least 0' }]);
  });
});

describe('keys that target prototypes', () => {
  const spots = [
    ['the body', (key: string) => `{"mode":"teach","loop":1,"${key}":{"isAdmin":true}}`, '/'],
    ['a field', (key: string) => `{"mode":{"${key}":1},"loop":1}`, '/mode/'],
    ['an array', (key: string) => `{"mode":[[{"${key}":1}]],"loop":1}`, '/mode/0/0/'],
  ] as const;

  it.each(['__proto__', 'constructor', 'prototype'])('%s is refused at any depth', async (key) => {
    for (const [, text, path] of spots) {
      const { status, error_code, details } = await refusedRaw(text(key));
      expect([status, error_code]).toEqual([400, 8]);
      expect(details).toMatchObject([{ path: path + key }]);
    }
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it('is refused even where unknown fields are ignored', async () => {
    const got = await fixture.send('POST', RUN, {
      as: fixture.ada,
      headers: { ...json, 'User-Agent': 'Automata EvaSDK/4.0.0 (Python)' },
      raw: '{"mode":"teach","loop":1,"x":{"constructor":1}}',
    });
    expect(expectError(got).details).toMatchObject([{ path: '/x/constructor' }]);
  });

  it('is refused in escaped form', async () => {
    const escaped = '{"mode":"teach","loop":1,"\\u005f_proto__":1}';
    expect((await refusedRaw(escaped)).details).toMatchObject([{ path: '/__proto__' }]);
  });
});

describe('nesting', () => {
  const nest = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

  it('is refused beyond 64 levels, at any depth', async () => {
    for (const levels of [65, 1000, 5000, 30_000]) {
      const { status, details } = await refusedRaw(nest(levels));
      expect(status).toBe(400);
      expect(details).toEqual([{ path: '', problem: 'must not nest deeper than 64 levels' }]);
    }
  });

  it('is checked by the schema up to 64 levels', async () => {
    const { details } = await refusedRaw(nest(64));
    expect(JSON.stringify(details)).toContain('must be object');
  });
});

describe('size', () => {
  const padded = (size: number) => {
    const core = '{"mode":"teach","loop":1}';
    return core + ' '.repeat(size - core.length);
  };

  it('is accepted up to the limit and refused one byte beyond', async () => {
    const cap = limits.body_default_bytes;
    expect(await refusedRaw(padded(cap))).toMatchObject({ status: 403, error_code: 3 });
    expect(await refusedRaw(padded(cap + 1))).toMatchObject({ status: 413, error_code: 8 });
  });

  it('has a larger limit for toolpaths', async () => {
    const body = JSON.stringify({ name: 'big', toolpath: smallToolpath() });
    const path = '/api/v1/toolpaths';
    const pad = (size: number) => body + ' '.repeat(size - body.length);
    const fits = await fixture.send('POST', path, {
      as: fixture.ada,
      headers: json,
      raw: pad(limits.body_toolpath_bytes),
    });
    expect(fits.status).toBe(200);
    const over = await refusedRaw(pad(limits.body_toolpath_bytes + 1), path);
    expect(over).toMatchObject({ status: 413, error_code: 8 });
  });

  it('is counted without a Content-Length', async () => {
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          port: fixture.twin.port,
          host: '127.0.0.1',
          method: 'POST',
          path: RUN,
          headers: { ...json, Authorization: `Bearer ${fixture.ada.session}` },
        },
        (reply) => {
          reply.resume();
          resolve(reply.statusCode);
        },
      );
      request.on('error', reject);
      for (let written = 0; written <= limits.body_default_bytes; written += 1024) {
        request.write(' '.repeat(1024));
      }
      request.end();
    });
    expect(status).toBe(413);
  });
});

describe('content types', () => {
  const good = '{"mode":"teach","loop":1}';
  const status = async (type: string | null, agent = 'test') => {
    const headers: Record<string, string> = { 'User-Agent': agent };
    if (type !== null) headers['Content-Type'] = type;
    const got = await fixture.send('POST', RUN, { as: fixture.ada, headers, raw: good });
    expectError(got);
    return got.status;
  };

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
  ])('takes %s', async (type) => expect(await status(type)).toBe(403));

  it.each([
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/json; charset=utf-7',
    'application/json; charset=iso-8859-1',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    ';',
  ])('refuses %s', async (type) => expect(await status(type)).toBe(415));

  it('refuses a compressed body, whatever it holds', async () => {
    const statusOf = async (encoding: string) => {
      const headers = { ...json, 'Content-Encoding': encoding };
      const raw = encoding === 'gzip' ? gzipSync(good).toString('latin1') : good;
      return (await fixture.send('POST', RUN, { as: fixture.ada, headers, raw })).status;
    };
    for (const encoding of ['gzip', 'br', 'gzip, identity']) {
      expect([encoding, await statusOf(encoding)]).toEqual([encoding, 415]);
    }
    expect(await statusOf('Identity')).toBe(403);
  });

  it('of a call without a body is ignored where clients add it unasked', async () => {
    const statusOf = async (type: string) => {
      const headers = { 'Content-Type': type, 'Content-Length': '0' };
      const path = '/api/v1/auth/renew';
      return (await fixture.send('POST', path, { as: fixture.ada, headers })).status;
    };
    expect(await statusOf('application/octet-stream')).toBe(204);
    expect(await statusOf('application/x-www-form-urlencoded')).toBe(204);
    expect(await statusOf('text/plain')).toBe(415);
  });

  it('is not needed without a body, which may be left out where all its fields may', async () => {
    const path = '/workflow/v1/runs/999999/pause';
    const bare = await fixture.send('POST', path, { as: fixture.ada });
    expect(bare.status).toBe(404);
    const run = await fixture.send('POST', RUN, { as: fixture.ada });
    expect(run.status).toBe(415);
  });

  it('is required, except from SDK clients, which send none', async () => {
    expect(await status(null)).toBe(415);
    expect(await status(null, 'Automata EvaSDK/4.0.0 (Python)')).toBe(403);
  });
});

it('two headers Authorization are refused, whichever of them is right', async () => {
  const right = `Bearer ${fixture.ada.session}`;
  const status = (values: string[]) =>
    new Promise((resolve, reject) => {
      const { port } = fixture.twin;
      const options = { port, host: '127.0.0.1', path: '/api/v1/data/snapshot' };
      const request = httpRequest({ ...options, headers: { Authorization: values } }, (reply) => {
        reply.resume();
        resolve(reply.statusCode);
      });
      request.on('error', reject).end();
    });
  expect(await status([right])).toBe(200);
  expect(await status([right, 'Bearer other'])).toBe(401);
  expect(await status([right, right])).toBe(401);
});

describe('afterwards', () => {
  it('the twin still answers', async () => {
    const got = await fixture.send('GET', '/api/v1/data/snapshot', { as: fixture.ada });
    expect(got.body).toMatchObject({ snapshot: { control: { state: 'ready' } } });
  });
});
