/** Events as hooks see them: which hooks one fires, its body as JSON, and samples. */

import { hookKind, hookTypeOf } from '../../contract/hooks/hook-types.ts';
import type { Hook, HookTypeName, RunEvent } from '../../contract/types.generated.ts';
import { type TwinTime, timestamp } from '../clock/twin-time.ts';

/** Returns the JSON body of an event. */
export function hookBodyText({ hook_type, body }: RunEvent): string {
  const values = new Map<string, unknown>(Object.entries(body));
  const fields = hookKind(hook_type).fields.map((name) => [name, values.get(name)] as const);
  return JSON.stringify(Object.fromEntries(fields));
}

/** Whether an event fires a hook. */
export function hookMatches(hook: Hook, { hook_type, body }: RunEvent): boolean {
  return hookTypeOf(hook) === hook_type && hookKind(hook_type).matches(hook, body);
}

/** Returns a sample event of a type for test calls, with the twin's time. */
export function sampleEvent(hook_type: HookTypeName, time: TwinTime): RunEvent {
  const body = { run_id: 'test', timestamp: timestamp(time), ...hookKind(hook_type).sample };
  return { sequence: 1, hook_type, body } as RunEvent;
}
