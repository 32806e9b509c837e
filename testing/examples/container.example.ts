/** A twin in a container for the length of one use: docs/testing.md shows it. */
import type { ContainerLibrary, StartedContainer } from '../index.ts';
import { TwinContainer } from '../index.ts';

/** `library` is what `import * as testcontainers from 'testcontainers'` gives. */
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
