/**
 * Optional packages of a lock: which entries are missing, and what the name of a package says about
 * its platform (`…-linux-arm64-musl`, `…-win32-x64-msvc`, `…-android-arm-eabi`).
 */

/**
 * @typedef {{
 *   version?: string, integrity?: string, dev?: boolean, optional?: boolean, os?: string[],
 *   cpu?: string[], libc?: string[], optionalDependencies?: Record<string, string>,
 * }} Entry
 * @typedef {Record<string, Entry>} Packages
 * @typedef {{ packages: Packages }} Lock
 */

const SYSTEMS = 'aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32';
const PROCESSORS = 'arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|x64';
const PLATFORM = new RegExp(`[-/](${SYSTEMS})-(${PROCESSORS})(?:-(\\w+))?$`);

/**
 * The platform that a package's name states; null for a name without one.
 * @param {string} name
 * @param {readonly string[]} siblings names of the packages for other platforms
 * @returns {{ cpu: string[], libc?: string[], os: string[] } | null}
 */
export function platformOf(name, siblings) {
  const [, os, cpu, abi] = PLATFORM.exec(name) ?? [];
  if (os === undefined || cpu === undefined) return null;
  const libc = libcOf(name, siblings, { os, cpu, abi });
  return { cpu: [cpu], ...(libc === null ? {} : { libc: [libc] }), os: [os] };
}

/**
 * 32-bit ARM packages state no libc. Without a suffix, a package is for glibc if there is one for
 * musl too.
 * @param {string} name @param {readonly string[]} siblings
 * @param {{ os: string, cpu: string, abi: string | undefined }} platform
 */
function libcOf(name, siblings, { os, cpu, abi }) {
  if (os !== 'linux' || cpu === 'arm') return null;
  if (abi === 'musl') return 'musl';
  return abi === 'gnu' || siblings.includes(`${name}-musl`) ? 'glibc' : null;
}

/**
 * The path of a dependency as Node resolves it from a package; null if the lock has none.
 * @param {Packages} packages @param {string} from path of the package @param {string} name
 */
function pathOf(packages, from, name) {
  for (
    let base = from;
    ;
    base = base.slice(0, Math.max(0, base.lastIndexOf('node_modules/') - 1))
  ) {
    const path = `${base === '' ? '' : `${base}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (base === '') return null;
  }
}

/**
 * Whether a lock has a usable entry: npm drops `optional` from entries that it cannot look up.
 * @param {Packages} packages @param {string | null} path
 */
function isComplete(packages, path) {
  const entry = path === null ? undefined : packages[path];
  return entry?.integrity !== undefined || entry?.optional === true;
}

/**
 * The optional dependencies without a complete entry.
 * @param {Lock} lock
 */
export function missingOptional({ packages }) {
  return Object.entries(packages).flatMap(([from, { dev, optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isComplete(packages, pathOf(packages, from, name)))
      .map(([name, version]) => ({ from, name, version, dev, siblings: optionalDependencies })),
  );
}

/**
 * A lock with an entry for every optional dependency of a platform. Throws for a version that is
 * not exact or a name without a platform: those have to come from a registry.
 * @param {Lock} lock
 */
export function completeLock(lock) {
  const missing = missingOptional(lock);
  /** @type {Packages} */
  const packages = { ...lock.packages };
  for (const { from, name, version, dev, siblings } of missing) {
    const platform = platformOf(name, Object.keys(siblings));
    if (platform === null || !/^\d+\.\d+\.\d+$/.test(version)) {
      throw new Error(`${name} ${version}, optional for ${from}, is missing in the lock`);
    }
    const { cpu, ...others } = platform;
    const kind = dev === true ? { dev } : {};
    packages[`node_modules/${name}`] = { version, cpu, ...kind, optional: true, ...others };
  }
  const sorted = Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1));
  const added = missing.map(({ name, version }) => `${name}@${version}`);
  return { lock: { ...lock, packages: Object.fromEntries(sorted) }, added };
}
