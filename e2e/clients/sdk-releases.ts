/**
 * The public Python SDK by release: the tags of the clone that ARMTWIN_SDK_GIT names, each
 * unmodified, against a twin in its defaults. The SDK's own table says that releases from 3.0.0 on
 * fit robots of the version that the twin has.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOKEN, withTwinProcess } from '../robustness/twin-process.ts';
import { TOOLPATH } from './arm-of-run.ts';
import { runCommand, type ZooClient } from './zoo.ts';

const CLONE = process.env['ARMTWIN_SDK_GIT'] ?? '';
/** The system's Python, which the packages of the system are for, where no other is named. */
const PYTHON =
  process.env['ARMTWIN_PYTHON'] ??
  (existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3');
const CACHE = join(homedir(), '.cache', 'armtwin-clients');
const PROGRAM = fileURLToPath(new URL('programs/sdk_release.py', import.meta.url));

/** The releases, oldest first. A release that is not in the clone is a row that says so. */
const RELEASES = ['3.0.0', '4.0.0', '4.1.0', '4.2.0', '5.0.0', '5.0.1'] as const;
/** What the releases import besides Python's own modules. */
const MODULES = 'requests, websocket, websockets, zeroconf, semver';
const PACKAGES =
  'python3-requests python3-websocket python3-websockets python3-zeroconf python3-semver';

/** The release that imports a package of its own, which later ones made optional. */
const NEEDS_TRANSFORMS = '4.2.0';

/** The version in the sources before they are packaged. */
const UNPACKAGED = '%VERSION%';

const git = (args: readonly string[]) => spawnSync('git', ['-C', CLONE, ...args]);

function missing(release: string): string | null {
  if (spawnSync(PYTHON, ['-c', `import ${MODULES}`]).status !== 0) {
    return `apt-get install ${PACKAGES}`;
  }
  if (
    release === NEEDS_TRANSFORMS &&
    spawnSync(PYTHON, ['-c', 'import pytransform3d']).status !== 0
  ) {
    return 'pip install pytransform3d, which this release alone imports';
  }
  if (CLONE === '') return 'ARMTWIN_SDK_GIT, a clone of the SDK with its tags';
  return git(['rev-parse', '--verify', `v${release}^{commit}`]).status === 0
    ? null
    : `the tag v${release} in the clone of ARMTWIN_SDK_GIT`;
}

/**
 * The folder of a release as pip installs it: its sources, with the version that packaging writes
 * into them.
 */
function extract(release: string): string {
  const folder = join(CACHE, `evasdk-${release}`);
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['-C', CLONE, 'archive', `v${release}`, 'evasdk']);
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const version = join(folder, 'evasdk', 'version.py');
  if (existsSync(version)) {
    writeFileSync(version, readFileSync(version, 'utf8').replace(UNPACKAGED, release));
  }
  return folder;
}

export const SDK_RELEASES: readonly ZooClient[] = RELEASES.map((release) => ({
  id: `sdk ${release}`,
  proves: 'a session; saves, uses, homes and runs a toolpath',
  missing: () => missing(release),
  run: () =>
    withTwinProcess(['--driver', 'fast', '--clock', '10'], async ({ port }) => {
      const paths = [extract(release), process.env['PYTHONPATH'] ?? ''].filter(Boolean);
      const env = { PYTHONPATH: paths.join(':') };
      const output = await runCommand([PYTHON, PROGRAM, `127.0.0.1:${port}`, TOKEN, TOOLPATH], {
        env,
      });
      // The SDK's own log lines come before.
      return output.split('\n').at(-1) ?? '';
    }),
}));
