/** What building and running an image without an engine needs of the machine. */
import { spawnSync } from 'node:child_process';

const NEEDED = ['buildah', 'debootstrap', 'unshare', 'chroot', 'mount', 'git', 'tar'];

/** One namespace with a mount of its own is all that running takes; some hosts forbid it. */
function mayMount() {
  const script = 'mount -t tmpfs tmpfs /mnt';
  return spawnSync('unshare', ['--mount', '--pid', '--fork', 'sh', '-c', script]).status === 0;
}

/** What is missing, in words; empty when everything is there. */
export function missingTools() {
  if (process.platform !== 'linux') return ['only Linux has the namespaces for it'];
  if (process.getuid?.() !== 0) return ['only root may mount what a container sees'];
  const absent = NEEDED.filter((name) => spawnSync('which', [name]).status !== 0);
  if (absent.length > 0) {
    return [`${absent.join(', ')} not found (apt-get install buildah debootstrap)`];
  }
  return mayMount() ? [] : ['this host lets nobody mount'];
}
