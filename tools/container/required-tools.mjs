/** Checks the tools and permissions for building and running an image without an engine. */
import { spawnSync } from 'node:child_process';

const NEEDED = ['buildah', 'debootstrap', 'unshare', 'chroot', 'mount', 'git', 'tar'];

/** Whether this host allows a mount in a new namespace. */
function mayMount() {
  const script = 'mount -t tmpfs tmpfs /mnt';
  return spawnSync('unshare', ['--mount', '--pid', '--fork', 'sh', '-c', script]).status === 0;
}

/** The missing requirements; empty when all are met. */
export function missingTools() {
  if (process.platform !== 'linux') return ['needs Linux namespaces'];
  if (process.getuid?.() !== 0) return ['needs root for mounts'];
  const absent = NEEDED.filter((name) => spawnSync('which', [name]).status !== 0);
  if (absent.length > 0) {
    return [`${absent.join(', ')} not found (apt-get install buildah debootstrap)`];
  }
  return mayMount() ? [] : ['this host forbids mounts in namespaces'];
}
