import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from './buttons.tsx';
import { type FileReceiver, JSON_FILES, readFile } from './user-file.ts';

interface FileButtonProps extends FileReceiver {
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** A button that opens a file of JSON, with its hidden input. */
export function FileButton(props: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  async function read(): Promise<void> {
    const { files } = input.current!;
    if (files?.[0]) await readFile(files[0], props);
    input.current!.value = '';
  }
  return (
    <>
      <input ref={input} type="file" accept={JSON_FILES} hidden onChange={read} />
      <Button title={props.title} onClick={() => input.current!.click()}>
        {props.children}
      </Button>
    </>
  );
}
