/** Runs work against a twin in a container, shown in docs/testing.md. */
import type { ContainerLibrary, StartedContainer } from '../index.ts';
import { TwinContainer } from '../index.ts';

/** `library` is the module `import * as testcontainers from 'testcontainers'`. */
export async function withTwin<Started extends StartedContainer>(
  library: ContainerLibrary<Started>,
  use: (url: string, token: string) => Promise<void>,
): Promise<void> {
  const container = new TwinContainer(library, { image: 'armtwin' });
  const url = await container.start();
  try {
    await use(url, container.token);
  } finally {
    await container.stop();
  }
}
