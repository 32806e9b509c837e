/**
 * A fake service for the tests of the client: replies by a callback, records requests, and provides
 * a manual clock and a fake socket.
 */
import type { Schedule, StreamSocket } from './event-stream.ts';

export interface RecordedRequest {
  readonly call: string;
  readonly authorization: string | null;
  readonly contentType: string | null;
  readonly body: unknown;
}

export interface FakeReply {
  readonly status: number;
  readonly body?: unknown;
}

export interface FakeService {
  readonly requests: RecordedRequest[];
  readonly fetch: typeof fetch;
}

/** `answer` returns the reply to each request; `call` has the form `POST /api/v1/auth`. */
export function createFakeService(
  answer: (asked: RecordedRequest) => FakeReply | Promise<FakeReply>,
): FakeService {
  const asked: RecordedRequest[] = [];
  return {
    requests: asked,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      const text = typeof init?.body === 'string' ? init.body : null;
      const { pathname, search } = new URL(String(input));
      const request: RecordedRequest = {
        call: `${init?.method} ${pathname}${search}`,
        authorization: headers.get('authorization'),
        contentType: headers.get('content-type'),
        body: text === null ? (init?.body ?? null) : JSON.parse(text),
      };
      asked.push(request);
      const { status, body } = await answer(request);
      return new Response(body === undefined ? null : JSON.stringify(body), { status });
    },
  };
}

/** A fake service whose log-ins return the given session tokens in turn. */
export function logIns(sessions: readonly string[], answer: (asked: RecordedRequest) => FakeReply) {
  let next = 0;
  return createFakeService((asked) => {
    const isLogIn = asked.call === 'POST /api/v1/auth' || asked.call === 'POST /api/v1/auth/login';
    return isLogIn ? { status: 200, body: { token: sessions[next++] } } : answer(asked);
  });
}

export function errorReply(status: number, error_code: number, title = 'refused'): FakeReply {
  return { status, body: { error: { error_code, title, details: null } } };
}

/** A manual clock. */
export class FakeTime {
  now_ms = 0;
  private tasks: { at_ms: number; task: () => void }[] = [];

  /** How many tasks wait for their time. */
  get waiting(): number {
    return this.tasks.length;
  }

  readonly schedule: Schedule = (delay_ms, task) => {
    const entry = { at_ms: this.now_ms + delay_ms, task };
    this.tasks.push(entry);
    return () => {
      this.tasks = this.tasks.filter((other) => other !== entry);
    };
  };

  /** Runs the tasks that are due within the span and lets promises settle in between. */
  async pass(span_ms: number): Promise<void> {
    const end_ms = this.now_ms + span_ms;
    for (;;) {
      await settled();
      const due = this.tasks.filter((entry) => entry.at_ms <= end_ms);
      const next = due.sort((a, b) => a.at_ms - b.at_ms)[0];
      if (!next) break;
      this.tasks = this.tasks.filter((other) => other !== next);
      this.now_ms = next.at_ms;
      next.task();
    }
    this.now_ms = end_ms;
  }
}

/** Waits until pending promises have settled. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A socket that a test controls; `made` lists all instances. */
export class FakeSocket implements StreamSocket {
  static made: FakeSocket[] = [];
  onopen: ((event: never) => unknown) | null = null;
  onmessage: ((event: never) => unknown) | null = null;
  onclose: ((event: never) => unknown) | null = null;
  onerror: ((event: never) => unknown) | null = null;
  readonly url: string;
  readonly protocols: string[];
  closedWith: number | undefined;

  constructor(url: string, protocols: string[]) {
    this.url = url;
    this.protocols = protocols;
    FakeSocket.made.push(this);
  }

  pause(): void {}

  resume(): void {}

  close(code?: number): void {
    this.closedWith = code;
  }

  emit(name: 'onopen' | 'onmessage' | 'onclose', event: object = {}): void {
    this[name]?.(event as never);
  }
}
