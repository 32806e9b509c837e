/**
 * Creates a substitute for the base image when no image registry is reachable: Debian from
 * debootstrap, Node from its npm package, npm from this machine. Tagged with the real name, so that
 * the Dockerfile works unchanged.
 */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { runToEnd } from '../setup/process.mjs';
import { buildah } from './image.mjs';

/** The image that the Dockerfile names, with its version of Node and of Debian. */
const [FROM = '', NODE_MAJOR = '', DEBIAN = ''] =
  /^FROM (node:(\d+)-(\w+)-slim)/m.exec(readFileSync('Dockerfile', 'utf8'))?.slice(1) ?? [];
const NAME = `docker.io/library/${FROM}`;
/** The CA certificates of this machine. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** @param {string} folder */
async function bootstrap(folder) {
  const args = [
    '--variant=minbase',
    '--include=ca-certificates,libstdc++6,libatomic1',
    DEBIAN,
    folder,
  ];
  const done = await runToEnd('debootstrap', args, { label: 'debootstrap' });
  if (done.code !== 0) throw new Error(`debootstrap failed with code ${done.code}\n${done.output}`);
  for (const path of ['var/cache/apt/archives', 'var/lib/apt/lists']) {
    rmSync(join(folder, path), { recursive: true });
  }
}

/** Adds Node, npm and the user `node` at the paths of the real image. @param {string} folder */
function addNode(folder) {
  const local = join(folder, 'usr/local');
  const arch = process.arch === 'x64' ? 'x64' : process.arch;
  const packed = join(folder, 'tmp');
  const wanted = `node-linux-${arch}@${NODE_MAJOR}`;
  const said = execFileSync('npm', ['pack', wanted, '--silent', '--pack-destination', packed]);
  const tarball = join(packed, String(said).trim().split('\n').at(-1) ?? '');
  execFileSync('tar', ['-xzf', tarball, '-C', local, '--strip-components=1', 'package/bin/node']);
  rmSync(tarball);
  const npm = dirname(
    dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())),
  );
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true });
  for (const [name, file] of [
    ['npm', 'npm-cli.js'],
    ['npx', 'npx-cli.js'],
  ]) {
    symlinkSync(`../lib/node_modules/npm/bin/${file}`, join(local, 'bin', String(name)));
  }
  appendFileSync(join(folder, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/bash\n');
  appendFileSync(join(folder, 'etc/group'), 'node:x:1000:\n');
  mkdirSync(join(folder, 'home/node'), { recursive: true });
  if (existsSync(CERTIFICATES)) cpSync(CERTIFICATES, join(folder, CERTIFICATES));
}

/**
 * Creates the substitute and tags it with the name of the real base, unless it exists.
 * @param {string} work folder of this run
 * @param {import('./image.mjs').Store} store
 */
export async function createBaseImage(work, store) {
  if (existsSync(store.root) && buildah(store, ['images', '--quiet', NAME], true)) return;
  const folder = join(work, 'base');
  rmSync(folder, { recursive: true, force: true });
  await bootstrap(folder);
  addNode(folder);
  const container = buildah(store, ['from', 'scratch']);
  buildah(store, ['copy', '--quiet', container, folder, '/']);
  const path = 'PATH=/usr/local/bin:/usr/bin:/bin';
  const trust = `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`;
  buildah(store, ['config', '--env', path, '--env', trust, container]);
  buildah(store, ['commit', '--quiet', '--rm', container, NAME]);
  rmSync(folder, { recursive: true });
}
