/**
 * The clients of others that `npm run test:clients` runs in their default settings, each against a
 * twin of its own. A client that is not installed is skipped with the package that is missing; npm
 * packages are installed in a cache.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOKEN, type TwinProcess, withTwinProcess } from '../robustness/twin-process.ts';

/** A client and its run. */
export interface ZooClient {
  readonly id: string;
  /** What it does. */
  readonly proves: string;
  /** What is missing to run it, or null. */
  readonly missing: () => string | null;
  /** Runs it; the result names versions or figures. Rejects when it fails. */
  readonly run: () => Promise<string>;
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PROGRAMS = here('programs');
const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
/** Packages of the npm clients; a compiler emits nothing for files under node_modules. */
const CACHE = join(homedir(), '.cache', 'armtwin-clients');
/** npm packages, as pinned versions. */
const PACKAGES = {
  '@asyncapi/parser': '3.6.3',
  axios: '1.21.1',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  'swagger-typescript-api': '13.13.0',
  typescript: '5.9.3',
  undici: '7.30.2',
  ws: '8.23.0',
} as const;
const RUN_LIMIT_MS = 600_000;

interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly limit_ms?: number;
}

/** Runs a command to its end; rejects with the end of its output unless it succeeds. */
export function runCommand(
  [command = '', ...args]: readonly string[],
  { cwd = CACHE, input, env = {}, limit_ms: timeout = RUN_LIMIT_MS }: RunOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, timeout, env: { ...process.env, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => (output += String(chunk)));
    }
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output.trim());
      else reject(new Error(`${command}: exit code ${code}\n${output.slice(-1500)}`));
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
  });
}

/** Installs the npm packages in the cache. */
export async function installPackages(): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: PACKAGES });
  const path = join(CACHE, 'package.json');
  const known = await readFile(path, 'utf8').catch(() => '');
  if (known === manifest && existsSync(join(CACHE, 'node_modules'))) return;
  await writeFile(path, manifest);
  await runCommand(['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts']);
}

function without(command: readonly string[], reason: string): string | null {
  const [name = '', ...args] = command;
  return spawnSync(name, args).status === 0 ? null : reason;
}

const onTwin = (work: (twin: TwinProcess) => Promise<string>) => () =>
  withTwinProcess(['--driver', 'fast', '--clock', '1'], work);

const EVERYTHING = 'a session with the stream';

function pythonClient(id: string, packages: readonly string[]): ZooClient {
  const program = join(PROGRAMS, 'python_clients.py');
  const modules = packages.map((name) => name.replace('python3-', '').replace('-client', ''));
  const needs = `apt-get install ${packages.join(' ')}`;
  return {
    id,
    proves: EVERYTHING,
    missing: () => without([PYTHON, '-c', `import ${modules.join(', ')}`], needs),
    run: onTwin(({ url }) => runCommand([PYTHON, program, id, url, TOKEN])),
  };
}

function nodeClient(id: string): ZooClient {
  const program = join(PROGRAMS, 'node_clients.mjs');
  const env = { CLIENT_PACKAGES: CACHE };
  return {
    id: `node ${id}`,
    proves: EVERYTHING,
    missing: () => null,
    run: onTwin(({ url }) => runCommand([process.execPath, program, id, url, TOKEN], { env })),
  };
}

function curlClient(flag: string): ZooClient {
  return {
    id: `curl ${flag}`,
    proves: EVERYTHING,
    missing: () => without(['curl', '--version'], 'apt-get install curl'),
    run: onTwin(({ url }) =>
      runCommand(['sh', join(PROGRAMS, 'curl_client.sh'), flag, url, TOKEN]),
    ),
  };
}

/** Descriptions of fields that a generated client has at least, as comments of its types. */
const DESCRIBED_MIN = 1000;

/** A generated client: its generator, then the compiler, then a program that uses it. */
function generatedClient(
  id: keyof typeof PACKAGES,
  [generator = '', ...generate]: readonly string[],
  types: string,
): ZooClient {
  return {
    id,
    proves: 'its client compiles in strict mode; a session',
    missing: () => null,
    run: onTwin(async ({ url }) => {
      const bin = (name: string) => join(CACHE, 'node_modules', '.bin', name);
      const document = await (await fetch(`${url}/openapi.json`)).text();
      await writeFile(join(CACHE, 'openapi.json'), document);
      await runCommand([bin(generator), ...generate, types]);
      const comments = /\/\*\*(?:[^*]|\*(?!\/))*\*\/\s*"?\w+"?\??:/g;
      const described = (await readFile(join(CACHE, types), 'utf8')).match(comments)?.length ?? 0;
      if (described < DESCRIBED_MIN) throw new Error(`only ${described} fields have a comment`);
      const program = join(CACHE, `${id}.ts`);
      await copyFile(join(PROGRAMS, `${id}.ts.txt`), program);
      const strict = ['--strict', '--module', 'nodenext', '--lib', 'es2023,dom,dom.iterable'];
      const out = ['--outDir', 'built', '--rewriteRelativeImportExtensions', '--skipLibCheck'];
      await runCommand([bin('tsc'), '--target', 'es2023', ...strict, ...out, program]);
      await runCommand([process.execPath, join(CACHE, 'built', `${id}.js`), url, TOKEN]);
      const versions = `${id} ${PACKAGES[id]}, TypeScript ${PACKAGES.typescript}`;
      return `${versions}, ${described} fields described`;
    }),
  };
}

/** The official parser of AsyncAPI documents. */
const asyncApiParser: ZooClient = {
  id: '@asyncapi/parser',
  proves: '/asyncapi.json has no errors',
  missing: () => null,
  run: onTwin(async ({ url }) => {
    const program = `
      import { Parser } from '@asyncapi/parser';
      const text = await (await fetch('${url}/asyncapi.json')).text();
      const { diagnostics } = await new Parser().parse(text);
      const errors = diagnostics.filter(({ severity }) => severity === 0);
      for (const { message, path } of errors.slice(0, 5)) console.error(message, path.join('/'));
      process.exit(errors.length === 0 ? 0 : 1);`;
    await writeFile(join(CACHE, 'parse-asyncapi.mjs'), program);
    await runCommand([process.execPath, 'parse-asyncapi.mjs']);
    return `@asyncapi/parser ${PACKAGES['@asyncapi/parser']}: 0 errors`;
  }),
};

/** Sources of the crates that Debian packages install. */
const CRATES = '/usr/share/cargo/registry';

/** Debian's ureq, built by cargo without any other registry. */
const rustClient: ZooClient = {
  id: 'rust',
  proves: 'a session',
  missing() {
    const needs = 'apt-get install cargo librust-ureq-dev';
    return existsSync(CRATES) ? without(['cargo', '--version'], needs) : needs;
  },
  run: onTwin(async ({ url }) => {
    const folder = join(CACHE, 'rust');
    await mkdir(join(folder, '.cargo'), { recursive: true });
    await copyFile(join(PROGRAMS, 'rust_client.rs'), join(folder, 'main.rs'));
    const source = `[source.crates-io]\nreplace-with = "debian"\n[source.debian]\n`;
    await writeFile(join(folder, '.cargo', 'config.toml'), `${source}directory = "${CRATES}"\n`);
    const ureq = 'ureq = { version = "2", default-features = false }';
    const target = '[[bin]]\nname = "client"\npath = "main.rs"';
    const head = '[package]\nname = "client"\nversion = "0.0.0"\nedition = "2018"';
    await writeFile(join(folder, 'Cargo.toml'), `${head}\n${target}\n[dependencies]\n${ureq}\n`);
    await runCommand(['cargo', 'build', '--offline', '--quiet'], { cwd: folder });
    await runCommand([join(folder, 'target', 'debug', 'client'), url, TOKEN]);
    const version = await runCommand(['cargo', 'tree', '--offline', '--depth', '1', '-i', 'ureq'], {
      cwd: folder,
    });
    const compiler = await runCommand(['rustc', '--version'], { cwd: folder });
    return `${version.split('\n')[0]?.replace(' v', ' ')}, ${compiler.replace(/ \(.*/, '')}`;
  }),
};

/** The linter of OpenAPI documents with its own settings. */
const redocly: ZooClient = {
  id: 'redocly lint',
  proves: '/openapi.json has no errors by the recommended rules',
  missing: () => null,
  run: onTwin(async ({ url }) => {
    const document = await (await fetch(`${url}/openapi.json`)).text();
    await writeFile(join(CACHE, 'openapi.json'), document);
    const cli = here('../../node_modules/@redocly/cli/bin/cli.js');
    const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const output = await runCommand([process.execPath, cli, 'lint', 'openapi.json'], { env });
    const warnings = /You have (\d+) warning/.exec(output)?.[1] ?? '0';
    return `0 errors, ${warnings} warnings (it closes the parts of \`if\` and \`oneOf\`)`;
  }),
};

/**
 * What the public Go driver of the arm sends, by release: from the first to the last that has it, only
 * stopping a motion has changed. The driver itself is a part of a platform that is not built here.
 */
const GO_DRIVERS: readonly ZooClient[] = [
  { releases: '0.0.1 – 0.2.7', also: '', args: [] },
  { releases: '0.2.8 – 0.53.0', also: '; pauses and cancels a motion', args: ['stop'] },
].map(({ releases, also, args }) => ({
  id: `go driver ${releases}`,
  proves: `its calls: logs in after a 401, takes the lock for each motion, polls every 10 ms${also}`,
  missing: () => without(['go', 'version'], 'apt-get install golang-go'),
  run: onTwin(({ url }) =>
    runCommand(['go', 'run', join(PROGRAMS, 'go_driver.go'), url, TOKEN, ...args]),
  ),
}));

export const CLIENTS: readonly ZooClient[] = [
  curlClient('--http1.1'),
  curlClient('--http2'),
  {
    id: 'java',
    proves: `${EVERYTHING}; offers HTTP/2 on each call`,
    missing: () => without(['java', '--version'], 'apt-get install openjdk-17-jdk-headless'),
    run: onTwin(({ url }) => runCommand(['java', join(PROGRAMS, 'JavaClient.java'), url, TOKEN])),
  },
  {
    id: 'go',
    proves: `${EVERYTHING}; sends no content type`,
    missing: () => without(['go', 'version'], 'apt-get install golang-go'),
    run: onTwin(({ url }) => {
      return runCommand(['go', 'run', join(PROGRAMS, 'go_client.go'), url, TOKEN]);
    }),
  },
  ...GO_DRIVERS,
  pythonClient('requests', ['python3-requests', 'python3-websocket']),
  pythonClient('httpx', ['python3-httpx', 'python3-websockets']),
  pythonClient('aiohttp', ['python3-aiohttp']),
  rustClient,
  nodeClient('fetch'),
  nodeClient('undici'),
  nodeClient('axios'),
  generatedClient('openapi-typescript', ['openapi-typescript', 'openapi.json', '-o'], 'schema.ts'),
  generatedClient(
    'swagger-typescript-api',
    ['swagger-typescript-api', 'generate', '-p', 'openapi.json', '-o', '.', '-n'],
    'api.ts',
  ),
  asyncApiParser,
  redocly,
];
