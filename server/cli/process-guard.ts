/**
 * Ends the processes that this one has started when it ends, however that happens: the guard is a
 * shell that outlives it.
 */
import { type ChildProcess, spawn } from 'node:child_process';

/** Time from SIGTERM to SIGKILL (tenths of a second). */
const GRACE_TENTHS = 20;

/**
 * Program of the guard, for any POSIX shell. It reads lines from a pipe whose other end only the
 * guarded process holds: `+PID` for a process that was started, `-PID` for one that has ended, and
 * the path of a temporary folder. The system closes the pipe when the guarded process ends, however
 * that happens; the guard then ends what was started with all its descendants. It stops them first,
 * generation by generation, so that none starts another. One that has ended stays in the table of
 * processes where the system's first process does not wait for it, as in many containers.
 */
const GUARD = `
trap '' TERM INT HUP
started= folder=
while read -r line; do
  case $line in
    +*) started="$started \${line#+}" ;;
    -*) kept=
      for one in $started; do [ "$one" = "\${line#-}" ] || kept="$kept $one"; done
      started=$kept ;;
    /*) folder=$line ;;
  esac
done
processes() {
  if [ -r /proc/self/stat ]; then
    for file in /proc/[0-9]*/stat; do
      { read -r stat < "$file"; } 2>/dev/null || continue
      set -- \${stat##*) }
      file=\${file#/proc/}
      echo "\${file%/stat} $2"
    done
  else
    ps -A -o pid=,ppid=
  fi
}
runs() {
  kill -0 "$1" 2>/dev/null || return 1
  { read -r stat < "/proc/$1/stat"; } 2>/dev/null || return 0
  case \${stat##*) } in [ZX]*) return 1 ;; esac
}
stop() { for one in $1; do kill -STOP "$one"; done 2>/dev/null; }
stop "$started"
found="$started "
new=$started
while [ -n "$new" ]; do
  new=
  while read -r pid parent; do
    case $found in
      *" $pid "*) ;;
      *" $parent "*) new="$new $pid" ;;
    esac
  done <<END
$(processes)
END
  stop "$new"
  found="$found\${new# } "
done
for one in $found; do kill -TERM "$one"; kill -CONT "$one"; done 2>/dev/null
tenths=0
while [ $tenths -lt ${GRACE_TENTHS} ]; do
  alive=
  for one in $found; do runs "$one" && alive="$alive $one"; done
  [ -z "$alive" ] && break
  sleep 0.1; tenths=$((tenths + 1))
done
for one in $alive; do kill -KILL "$one" 2>/dev/null; done
[ -z "$folder" ] || rm -rf "$folder"
`;

/** Ends the processes that this one starts when this one ends, also by SIGKILL. */
export class ProcessGuard {
  private readonly shell: ChildProcess | null;

  /** Starts the guard. On Windows there is none: Node itself ends its children with it. */
  constructor() {
    this.shell =
      process.platform === 'win32'
        ? null
        : spawn('sh', ['-c', GUARD], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    // Without a shell, as in an image of Node alone, there is no guard.
    this.shell?.on('error', () => {});
    this.shell?.stdin?.on('error', () => {});
    this.shell?.unref();
  }

  private write(line: string): void {
    this.shell?.stdin?.write(`${line}\n`);
  }

  /** Guards a started process until it ends. */
  add(child: ChildProcess): void {
    const { pid } = child;
    if (pid === undefined) return;
    this.write(`+${pid}`);
    child.once('exit', () => this.write(`-${pid}`));
  }

  /** Removes a temporary folder, if this process does not get to it. */
  addFolder(path: string): void {
    this.write(path);
  }

  /** Ends the guard and what it still guards. */
  close(): void {
    this.shell?.stdin?.end();
  }
}
