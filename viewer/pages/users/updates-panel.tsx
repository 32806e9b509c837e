/** Software updates, for admins: available updates with their changes, and the installation. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { failure } from '../../../contract/result.ts';
import type { ArmView } from '../../link/arm-view.ts';
import type { Commands } from '../../link/commands.ts';
import { Button } from '../../ui/buttons.tsx';
import { FormMessage, type Message } from '../../ui/form.tsx';
import { installationProgress } from './installation-progress.ts';
import { Panel } from './panel.tsx';
import type { UsersProps } from './users-state.ts';

const PROGRESS_MS = 250;

/** The progress of an installation, from when this is shown. */
function InstallationBar({ clock }: { readonly clock: string | null }) {
  const passed_s = useSignal(0);
  useEffect(() => {
    const since_ms = performance.now();
    const timer = setInterval(() => {
      passed_s.value = (performance.now() - since_ms) / 1000;
    }, PROGRESS_MS);
    return () => clearInterval(timer);
  }, []);
  const share = installationProgress(clock, passed_s.value);
  return (
    <div class="update-progress">
      <p role="status">
        Installing the update. The arm does not move; the page reconnects when it is done.
      </p>
      <progress max={1} value={share ?? undefined} aria-label="Installation" />
    </div>
  );
}

/** The updates; only the first one can be installed. */
function UpdateList({ state, install }: UsersProps & { install: (version: string) => void }) {
  return (
    <ul class="updates">
      {state.updates.value?.map(({ version, changelogs }, i) => (
        <li class="update" key={version}>
          <div class="update-head">
            <b>{version}</b>
            {i === 0 ? (
              <Button class="plain small" onClick={() => install(version)}>
                Install {version}
              </Button>
            ) : (
              <span class="sub">after the previous update</span>
            )}
          </div>
          <ul>
            {changelogs.map((log) => (
              <li key={log.version}>
                <span class="sub">{log.version}</span> {log.content}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

interface UpdatesProps extends UsersProps {
  readonly arm: ReadonlySignal<ArmView>;
  readonly commands: Commands;
}

function Updates({ state, arm, commands }: UpdatesProps) {
  const message = useSignal<Message>(null);
  const { version, clock, snapshot } = arm.value;
  async function check(): Promise<void> {
    message.value = await state.checkUpdates();
  }
  async function install(wanted: string): Promise<void> {
    const isHeld = await commands.acquireLock();
    const outcome = isHeld
      ? await state.call((client) => client.applyUpdate({ version: wanted }))
      : failure(arm.value.notice?.text ?? '');
    message.value = outcome.ok ? null : outcome;
  }
  // After an installation others are available.
  useEffect(() => {
    if (state.updates.value) void check();
  }, [version]);
  return (
    <Panel id="users-updates" heading="Updates">
      <p class="sub">{version && `Version ${version} is installed.`}</p>
      {snapshot?.control.state === 'updating' && <InstallationBar clock={clock} />}
      <UpdateList state={state} install={install} />
      <Button onClick={check}>Check for updates</Button>
      <FormMessage of={message.value} />
    </Panel>
  );
}

/** The panel; only admins see it. */
export function UpdatesPanel(props: UpdatesProps) {
  return props.state.isAdmin.value ? <Updates {...props} /> : null;
}
