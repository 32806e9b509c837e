import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';

interface SecretCardProps {
  readonly of: { readonly name: string; readonly token: string };
  readonly hide: () => void;
}

/** A new secret with a copy button, until the user hides it. */
export function SecretCard({ of: { name, token }, hide }: SecretCardProps) {
  const code = useRef<HTMLElement>(null);
  const status = useSignal('');
  async function copy(): Promise<void> {
    const copied = await navigator.clipboard?.writeText(token).then(
      () => true,
      () => false,
    );
    if (!copied) getSelection()?.selectAllChildren(code.current!);
    status.value = copied ? 'Copied.' : 'Selected: copy it with the keyboard.';
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has borders and a legend
    <div class="secret-card" role="group" aria-label="New token">
      <p>
        Token <bdi class="strong">{name}</bdi>. It is shown only once: copy it now.
      </p>
      <code class="secret" ref={code}>
        {token}
      </code>
      <div class="form-actions">
        <Button class="primary" onClick={copy}>
          <Icon name="copy" />
          Copy
        </Button>
        <Button onClick={hide}>Hide</Button>
        <span role="status" class="form-success">
          {status}
        </span>
      </div>
    </div>
  );
}
