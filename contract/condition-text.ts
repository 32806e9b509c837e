/** Conditions on I/O lines as text. */
import type { IoAddress, TestCondition, WaitCondition } from './types.generated.ts';

/** "Base input 0", "Tool analog output 1". */
export function ioText(io: IoAddress, side: 'input' | 'output'): string {
  const place = io.location === 'base' ? 'Base' : 'Tool';
  return `${place} ${io.type === 'analog' ? 'analog ' : ''}${side} ${io.index}`;
}

/** "base input 3 is on", "tool analog input 0 is above 6". */
export function conditionText(condition: TestCondition): string {
  const { io, operator = 'equal', thresholds, value } = condition;
  const place = ioText(io, condition.type === 'input' ? 'input' : 'output');
  const subject = place.charAt(0).toLowerCase() + place.slice(1);
  const { lower = 0, upper = 0 } = thresholds ?? {};
  switch (operator) {
    case 'equal':
      return `${subject} is ${typeof value === 'boolean' ? (value ? 'on' : 'off') : value}`;
    case 'below':
      return `${subject} is below ${lower}`;
    case 'above':
      return `${subject} is above ${upper}`;
    default:
      return `${subject} is ${operator} ${lower} to ${upper}`;
  }
}

/** "waits until base input 3 is on", "waits for 3 s". */
export function waitText(condition: WaitCondition): string {
  return condition.type === 'time'
    ? `waits for ${condition.duration} s`
    : `waits until ${conditionText(condition)}`;
}
