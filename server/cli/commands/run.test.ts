// @module-tag ci
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startTwin } from '../../app/app.ts';
import { type Config, TWIN_DEFAULTS } from '../config.ts';
import { type RunFlags, runWithTwin } from './run.ts';

const FAST = { kind: 'scaled', factor: 50 } as const;
const STEPPED = { kind: 'stepped' } as const;
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'armtwin-run-'));
});

/** Runs a command against a twin; the command writes its findings to the file `found`. */
async function run(
  command: readonly string[],
  flags: RunFlags = {},
  pace: Config['pace'] = FAST,
  token: string | null = null,
) {
  let url = '';
  let err = '';
  const start = async (config: typeof TWIN_DEFAULTS) => {
    const twin = await startTwin(config);
    url = twin.url;
    return twin;
  };
  const request = { config: { ...TWIN_DEFAULTS, pace, token }, command, flags, start };
  const io = { out: { write: () => {} }, err: { write: (text: string) => (err += text) } };
  const code = await runWithTwin(request, io);
  const found = join(folder, 'found');
  const isClosed = await fetch(url).then(
    () => false,
    () => true,
  );
  const text = existsSync(found) ? readFileSync(found, 'utf8') : '';
  return { code, err, isClosed, found: text, url };
}

const node = (program: string, ...args: string[]) => [
  process.execPath,
  '-e',
  `const found = ${JSON.stringify(join(folder, 'found'))};
   const write = (text) => require('node:fs').writeFileSync(found, text);
   ${program}`,
  '--',
  ...args,
];

describe('armtwin run', () => {
  it('gives the command a twin that works, and closes it afterwards', async () => {
    const program = `const { ARMTWIN_URL: url, ARMTWIN_TOKEN: token } = process.env;
      fetch(url + '/api/v1/auth', { method: 'POST', body: JSON.stringify({ token }),
        headers: { 'Content-Type': 'application/json' } }).then((r) => write(String(r.status)));`;
    expect(await run(node(program))).toMatchObject({ code: 0, found: '200', isClosed: true });
  });

  it('replaces {host}, {url} and {token} in arguments and lines', async () => {
    const program = `const lines = require('node:fs').readFileSync(0, 'utf8');
      write(JSON.stringify([process.argv.slice(1), lines, process.env.ARMTWIN_TOKEN]));`;
    const command = node(program, '--ip={host}', '{url}', '{other}');
    const { found, url } = await run(command, { type: ['{host}', '{token}', ''] });
    const [args, lines, token] = JSON.parse(found);
    const { host } = new URL(url);
    expect(args).toEqual([`--ip=${host}`, url, '{other}']);
    expect(lines).toBe(`${host}\n${token}\n\n`);
  });

  it.each([
    ['process.exit(7)', 7],
    ["process.kill(process.pid, 'SIGKILL')", 137],
  ])('%s: exits with %i, and closes the twin', async (program, code) => {
    expect(await run(node(program))).toMatchObject({ code, isClosed: true });
  });

  it('says what is wrong with a command that cannot start', async () => {
    expect(await run(['no-such-command'])).toMatchObject({
      code: 127,
      err: 'no-such-command was not found as a command; check its name and PATH.\n',
      isClosed: true,
    });
    const script = join(folder, 'arm.py');
    writeFileSync(script, 'print(1)');
    expect(await run([script])).toMatchObject({
      code: 126,
      err: `${script} is not executable; name the program that runs it, as in python3 ${script}.\n`,
      isClosed: true,
    });
    expect((await run(['README.md'])).err).toBe(
      'README.md was not found as a command; it is a file here: name the program that runs it, ' +
        'as in python3 README.md.\n',
    );
  });

  it('refuses a report that cannot be written before the twin starts', async () => {
    const junit = join(folder, 'absent', 'run.xml');
    const request = { config: TWIN_DEFAULTS, command: ['true'], flags: { junit } };
    const start = () => Promise.reject(new Error('must not start'));
    const io = { out: process.stdout, err: process.stderr };
    await expect(runWithTwin({ ...request, start }, io)).rejects.toThrow(
      `--junit cannot be written: The folder ${join(folder, 'absent')} does not exist (ENOENT).`,
    );
  });

  it('writes JUnit, recording page and MCAP', { tags: ['ci'] }, async () => {
    const at = (name: string) => join(folder, name);
    const flags = { junit: at('run.xml'), mcap: at('run.mcap'), html: at('run.html') };
    const { code, err } = await run(node('setTimeout(() => process.exit(3), 300)'), flags);
    expect([code, err]).toEqual([3, expect.stringContaining('equal: every bit')]);
    expect(readFileSync(flags.junit, 'utf8')).toMatch(
      /failures="1".* time="\d+\.\d{3}".*exit code 3/s,
    );
    expect(readFileSync(flags.mcap).subarray(1, 5).toString()).toBe('MCAP');
    const page = readFileSync(flags.html, 'utf8');
    expect(page).toContain('<!doctype html>');
    // The page has the name of the command where no toolpath was loaded.
    expect(page).not.toContain('recording.jsonl');
  });

  it('says when the run was too short to record, with the exit code of the command', async () => {
    const { code, err } = await run(['true'], { html: join(folder, 'run.html') }, STEPPED);
    expect([code, err]).toEqual([0, expect.stringContaining('shorter than two samples')]);
    expect(existsSync(join(folder, 'run.html'))).toBe(false);
  });

  it('injects faults before the command starts', { tags: ['slow'] }, async () => {
    const program = `fetch(process.env.ARMTWIN_URL + '/api/v1/name')
      .then(() => write('answered'), () => write('dropped'));`;
    const fault = { kind: 'reply', path: '/api/v1/name', effect: 'drop' } as const;
    expect((await run(node(program), { faults: [fault] })).found).toBe('dropped');
    expect((await run(node(program))).found).toBe('answered');
  });
});

describe('the calls that the twin refuses', () => {
  const calls = (codes: string, exit: number) => `
    const { ARMTWIN_URL: url, ARMTWIN_TOKEN: token } = process.env;
    const headers = { 'Content-Type': 'application/json' };
    const post = (path, body) => fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    (async () => {
      headers.Authorization = 'Bearer ' + (await (await post('/api/v1/auth', { token })).json()).token;
      for (const one of [${codes}]) await post(...one);
      process.exit(${exit});
    })();`;
  const UNLOCKED = "['/api/v1/controls/run', { mode: 'automatic' }]";

  it('are listed with their reasons when the command has failed', async () => {
    const wrong = "['/api/v1/controls/go_to', { joints: 5 }]";
    const { err } = await run(node(calls(`${UNLOCKED}, ${wrong}, ${UNLOCKED}`, 1)));
    const [head, ...lines] = err.trim().split('\n');
    expect(head).toBe('armtwin run: the twin refused 3 calls:');
    expect(lines).toEqual([
      expect.stringMatching(/^ {2}POST \/api\/v1\/controls\/run {2}\d+ .+ \(2 times\)$/),
      expect.stringMatching(/^ {2}POST \/api\/v1\/controls\/go_to {2}400 .*\/joints /),
    ]);
  });

  it('have one example when it has succeeded, and nothing is said without any', async () => {
    const { err } = await run(node(calls(`${UNLOCKED}, ['/api/v1/none', {}]`, 0)));
    expect(err.trim().split('\n')).toEqual([
      'armtwin run: the twin refused 2 calls:',
      expect.stringContaining('  POST /api/v1/controls/run  '),
      '  and others',
    ]);
    expect((await run(node(calls('', 1)))).err).toBe('');
  });
});

describe('the forward proxy of the command', () => {
  const call = (target: string) => `
    const proxy = new URL(process.env.http_proxy);
    require('node:http').get({ host: proxy.hostname, port: proxy.port, path: '${target}',
      headers: { Host: new URL('${target}').host } }, (reply) => {
      let text = '';
      reply.on('data', (more) => (text += more)).on('end', () =>
        write(JSON.stringify([reply.statusCode, reply.headers['x-armtwin'] ?? '', text])));
    });`;
  const got = async (target: string, flags: RunFlags = {}) => {
    const { found, err, code } = await run(node(call(target)), flags);
    const [status, banner, text] = JSON.parse(found);
    return { status, isTwin: banner !== '', text, err, code };
  };

  it.each(['http://172.16.16.2/api/versions', 'http://eva.local:80/api/versions'])(
    'leads %s to the twin',
    async (target) => {
      expect(await got(target)).toMatchObject({ status: 200, isTwin: true, err: '', code: 0 });
    },
  );

  it('refuses other hosts, and says so once', async () => {
    const { status, isTwin, err } = await got('http://example.com/');
    expect([status, isTwin]).toEqual([403, false]);
    expect(err).toContain('armtwin run: example.com is not the arm: private addresses reach');
  });

  it('takes only the addresses of --as', async () => {
    const as = ['10.1.2.3'];
    expect(await got('http://10.1.2.3/api/versions', { as })).toMatchObject({ isTwin: true });
    expect(await got('http://10.1.2.4/api/versions', { as })).toMatchObject({ status: 403 });
  });

  it('takes a name of --as that the internet has', async () => {
    const as = ['arm.example.com'];
    const target = 'http://Arm.example.com:4242/api/versions';
    expect(await got(target, { as })).toMatchObject({ status: 200, isTwin: true });
  });

  it('tunnels the websocket of a typed-in address', async () => {
    const program = `
      const proxy = new URL(process.env.http_proxy);
      const socket = require('node:net').connect(proxy.port, proxy.hostname);
      socket.write('CONNECT 172.16.16.2:80 HTTP/1.1\\r\\nHost: 172.16.16.2:80\\r\\n\\r\\n');
      let text = '';
      socket.on('data', (more) => {
        const isFirst = text === '';
        text += more;
        if (isFirst) socket.write('GET /api/versions HTTP/1.1\\r\\nHost: 172.16.16.2\\r\\nConnection: close\\r\\n\\r\\n');
      }).on('close', () => write(text));`;
    const { found } = await run(node(program));
    expect(found).toMatch(/^HTTP\/1\.1 200 Connection established/);
    expect(found).toContain('APIs');
  });

  it.each([
    ['172.16.16.2', /^HTTP\/1\.1 101 .*Sec-WebSocket-Accept/s],
    ['example.com', /^HTTP\/1\.1 403 .*example\.com is not the arm/s],
  ])('opens a stream that is asked of the proxy itself, as curl does: %s', async (host, answer) => {
    const program = `
      const { ARMTWIN_URL: url, ARMTWIN_TOKEN: token, http_proxy } = process.env;
      const { hostname, port } = new URL(http_proxy);
      (async () => {
        const body = JSON.stringify({ token });
        const headers = { 'Content-Type': 'application/json' };
        const login = await fetch(url + '/api/v1/auth', { method: 'POST', headers, body });
        const session = (await login.json()).token;
        const socket = require('node:net').connect(port, hostname);
        socket.write(['GET http://${host}/api/v1/data/stream HTTP/1.1', 'Host: ${host}',
          'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13',
          'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==', 'Authorization: Bearer ' + session,
          '', ''].join('\\r\\n'));
        let text = '';
        socket.on('data', (more) => {
          text += more;
          if (text.includes('\\r\\n\\r\\n')) socket.destroy();
        }).on('close', () => write(text));
      })();`;
    expect((await run(node(program))).found).toMatch(answer);
  });

  it('says that a tunnel leads nowhere else', async () => {
    const program = `
      const proxy = new URL(process.env.https_proxy);
      const socket = require('node:net').connect(proxy.port, proxy.hostname);
      socket.write('CONNECT pypi.org:443 HTTP/1.1\\r\\nHost: pypi.org\\r\\n\\r\\n');
      let text = '';
      socket.on('data', (more) => (text += more)).on('close', () => write(text));`;
    const { found, err } = await run(node(program));
    expect(found).toMatch(/^HTTP\/1\.1 403/);
    expect(err).toContain('pypi.org is not the arm');
  });

  describe('a token that the command has typed in', () => {
    const logIn = (body: string) => `
      const proxy = new URL(process.env.http_proxy);
      const call = require('node:http').request({ method: 'POST', host: proxy.hostname, port: proxy.port,
        path: 'http://172.16.16.2/api/v1/auth',
        headers: { 'Content-Type': 'application/json', 'Content-Length': ${body}.length } }, (reply) => {
        let text = '';
        reply.on('data', (more) => (text += more)).on('end', () => write(reply.statusCode + ' ' + text));
      });
      call.end(${body});`;
    const typed = `'{"token": "a-token-of-an-arm"}'`;

    it('stands for that of the twin, which is said', async () => {
      const { found, err } = await run(node(logIn(typed)));
      expect(found).toMatch(/^200 \{"token":"/);
      expect(err).toBe(
        "armtwin run: the token of the arm in the command stands for the twin's; " +
          'to have it checked, give it to the twin with --token\n',
      );
    });

    it('is checked where the twin was given one', async () => {
      const { found, err } = await run(node(logIn(typed)), {}, FAST, 'the-right-one');
      expect([found.slice(0, 3), err]).toEqual([
        '401',
        expect.stringMatching(/refused 1 call:\n {2}POST \/api\/v1\/auth {2}401 /),
      ]);
    });

    it('is that of its user where the twin knows it', async () => {
      const { found, err } = await run(
        node(`
        const call = async (path, body, session) => {
          const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer ' + session };
          const init = { method: 'POST', headers, body: JSON.stringify(body) };
          return (await fetch(process.env.ARMTWIN_URL + '/api/v1' + path, init)).json();
        };
        const user = { email: 'user@example.org', password: 'long enough for anyone' };
        (async () => {
        const admin = (await call('/auth', { token: process.env.ARMTWIN_TOKEN })).token;
        const { id } = (await call('/users', user, admin)).user;
        const session = (await call('/auth/login', user)).token;
        const made = await call('/users/' + id + '/tokens', { name: 'of a script' }, session);
        const body = JSON.stringify({ token: made.token });
        const proxy = new URL(process.env.http_proxy);
        const asked = { method: 'POST', host: proxy.hostname, port: proxy.port,
          path: 'http://172.16.16.2/api/v1/auth',
          headers: { 'Content-Type': 'application/json', 'Content-Length': body.length } };
        require('node:http').request(asked, (reply) => {
          let text = '';
          reply.on('data', (more) => (text += more)).on('end', async () => {
            const other = { email: 'other@example.org', password: 'long enough for anyone' };
            const refused = await call('/users', other, JSON.parse(text).token);
            write(JSON.stringify(refused.error?.error_code));
          });
        }).end(body);
        })();`),
      );
      expect([found, err]).toEqual(['4', expect.stringContaining('  POST /api/v1/users  403 ')]);
    });

    it.each([
      ['that of the twin', 'JSON.stringify({ token: process.env.ARMTWIN_TOKEN })', '200'],
      ['a body without one', `'{"secret": 1}'`, '400'],
      ['no JSON', `'token=1'`, '400'],
    ])('is passed on as it is: %s', async (_, body, status) => {
      const { found } = await run(node(logIn(body)));
      expect(found.slice(0, 3)).toBe(status);
    });
  });

  it('leaves the environment alone with --no-proxy', async () => {
    const program = "write(String(process.env.http_proxy ?? 'none'));";
    const { found } = await run(node(program), { proxy: false });
    expect(found).toBe(process.env['http_proxy'] ?? 'none');
  });

  it('names a proxy that the command had', async () => {
    vi.stubEnv('HTTP_PROXY', 'http://proxy.example:3128');
    const { err, found } = await run(node('write(process.env.HTTP_PROXY);'));
    vi.unstubAllEnvs();
    expect(err).toContain('http://proxy.example:3128 is no proxy of the command');
    expect(found).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });
});
