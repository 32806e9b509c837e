/**
 * deploy/monitoring and deploy/proxy with the real programs: Prometheus evaluates every query of
 * the dashboard and every alert rule over two twins; nginx serves a twin with TLS. The programs are
 * found on PATH, or by ARMTWIN_PROMETHEUS and ARMTWIN_NGINX; without them the cases are skipped.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { connect } from '../../../contract/client.ts';
import { type RunningTwin, startTwin } from '../../app/app.ts';
import { type Config, TWIN_DEFAULTS } from '../../cli/config.ts';

function installed(name: string, variable: string): string | null {
  const named = process.env[variable];
  if (named !== undefined) return named;
  try {
    return execFileSync('which', [name], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

const PROMETHEUS = installed('prometheus', 'ARMTWIN_PROMETHEUS');
const NGINX = installed('nginx', 'ARMTWIN_NGINX');

const folder = mkdtempSync(join(tmpdir(), 'armtwin-operating-'));
const twins: RunningTwin[] = [];
const programs: ChildProcess[] = [];

afterAll(async () => {
  for (const program of programs) program.kill();
  for (const twin of twins) await twin.close();
  rmSync(folder, { recursive: true, force: true });
});

/** nginx as an ordinary user: its own folders are elsewhere. */
const WRITABLE = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  .map((name) => `${name}_temp_path ${folder}/${name};`)
  .concat('access_log off;')
  .join('\n');

const wait = (delay_ms: number) => new Promise((ready) => setTimeout(ready, delay_ms));

async function start(options: Partial<Config>): Promise<RunningTwin> {
  const pace = { kind: 'scaled', factor: 1 } as const;
  const twin = await startTwin({ ...TWIN_DEFAULTS, pace, token: 'operator', ...options });
  twins.push(twin);
  return twin;
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((found) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => found(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function eventually<Value>(look: () => Promise<Value | null>): Promise<Value> {
  for (let i = 0; i < 100; i++) {
    const found = await look().catch(() => null);
    if (found !== null) return found;
    await wait(200);
  }
  throw new Error('did not happen within 20 s');
}

interface Dashboard {
  readonly panels: readonly { title: string; targets?: readonly { expr: string }[] }[];
}

describe.skipIf(PROMETHEUS === null)('Prometheus', () => {
  it('evaluates every query of the dashboard to data, and every alert rule', async () => {
    const simulated = await start({});
    const mirrored = await start({ driver: 'mirrored', bus: 'memory' });
    const targets = [simulated, mirrored].map(({ port }) => `"127.0.0.1:${port}"`).join(', ');
    const config = join(folder, 'prometheus.yml');
    writeFileSync(
      config,
      `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: ["${resolve('deploy/monitoring/alerts.yml')}"]
scrape_configs:
  - job_name: armtwin
    static_configs: [{ targets: [${targets}] }]
`,
    );
    const port = await freePort();
    const flags = [`--config.file=${config}`, `--storage.tsdb.path=${join(folder, 'tsdb')}`];
    flags.push(`--web.listen-address=127.0.0.1:${port}`);
    programs.push(spawn(PROMETHEUS!, flags, { stdio: 'ignore' }));
    const api = async (path: string) => {
      const reply = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
      return ((await reply.json()) as { data: Record<string, unknown[]> }).data;
    };
    await eventually(async () =>
      (await api('targets'))['activeTargets']?.length === 2 ? 1 : null,
    );
    const arm = connect({ baseUrl: simulated.url, token: 'operator' });
    for (let second = 0; second < 20; second++) {
      await arm.getSnapshot();
      await arm.getToolpath({ toolpath_id: 999 }).catch(() => {});
      await wait(1000);
    }
    const dashboard = JSON.parse(
      readFileSync('deploy/monitoring/grafana-dashboard.json', 'utf8'),
    ) as Dashboard;
    const empty: string[] = [];
    for (const { title, targets: queries = [] } of dashboard.panels) {
      for (const { expr } of queries) {
        const query = expr
          .replaceAll('$instance', '.*')
          .replaceAll('$__rate_interval', '10s')
          .replaceAll('$__range', '10s');
        const { result } = await api(`query?query=${encodeURIComponent(query)}`);
        if (!result || result.length === 0) empty.push(`${title}: ${query}`);
      }
    }
    expect(empty).toEqual([]);
    const groups = ((await api('rules'))['groups'] ?? []) as {
      rules: { name: string; health: string; state: string }[];
    }[];
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(10);
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
    expect(rules.filter(({ state }) => state === 'firing')).toEqual([]);
  }, 90_000);
});

describe.skipIf(NGINX === null)('nginx', () => {
  it('serves calls and streams of a twin with TLS, and no metrics', async () => {
    const twin = await start({ allowedHosts: ['twin.example.org'] });
    const [key, certificate] = [join(folder, 'twin.key'), join(folder, 'twin.crt')];
    const subject = ['-subj', '/CN=twin.example.org', '-days', '2', '-nodes'];
    const files = ['-keyout', key, '-out', certificate];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...subject, ...files], {
      stdio: 'ignore',
    });
    const port = await freePort();
    const config = join(folder, 'nginx.conf');
    const text = readFileSync('deploy/proxy/nginx.conf', 'utf8')
      .replace('http {', `http {\n${WRITABLE}`)
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace('127.0.0.1:8080', `127.0.0.1:${twin.port}`)
      .replace('/etc/nginx/tls/twin.crt', certificate)
      .replace('/etc/nginx/tls/twin.key', key);
    writeFileSync(config, text);
    const own = `daemon off; pid ${folder}/pid; error_log stderr;`;
    programs.push(spawn(NGINX!, ['-p', folder, '-c', config, '-g', own], { stdio: 'ignore' }));
    const tls = { rejectUnauthorized: false, headers: { Host: 'twin.example.org' } };
    const get = (path: string, headers: Record<string, string> = {}) =>
      new Promise<{ status: number; text: string }>((done, fail) => {
        const options = { ...tls, headers: { ...tls.headers, ...headers } };
        request(`https://127.0.0.1:${port}${path}`, options, (reply) => {
          let body = '';
          reply.on('data', (part) => {
            body += part;
          });
          reply.on('end', () => done({ status: reply.statusCode ?? 0, text: body }));
        })
          .on('error', fail)
          .end();
      });
    await eventually(() => get('/api/versions'));
    const session = await connect({ baseUrl: twin.url, token: 'operator' }).session();
    const headers = { Authorization: `Bearer ${session}` };
    expect(await get('/api/v1/data/snapshot', headers)).toMatchObject({ status: 200 });
    for (const path of ['/metrics', '/livez', '/readyz']) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
    const socket = new WebSocket(
      `wss://127.0.0.1:${port}/api/v1/data/stream`,
      [`SessionToken_${session}`, 'object'],
      tls,
    );
    await new Promise((open, fail) => {
      socket.on('open', open);
      socket.on('error', fail);
    });
    const message = new Promise((seen) => socket.on('message', (data) => seen(String(data))));
    twin.loop.apply({ kind: 'estop', engaged: true });
    expect(await message).toContain('state_change');
    socket.close();
  }, 60_000);
});
