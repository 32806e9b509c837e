/** Conditions and I/O addresses in words, as the tree and the inspector say them. Pure. */
import type { IoAddress, TestCondition } from '../../contract/types.ts';

/** "Base input 0", "Tool analog output 1". */
export function ioWords(io: IoAddress, side: 'input' | 'output'): string {
  const place = io.location === 'base' ? 'Base' : 'Tool';
  return `${place} ${io.type === 'analog' ? 'analog ' : ''}${side} ${io.index}`;
}

/** "base input 3 is on", "tool analog input 0 is above 6". */
export function conditionWords(condition: TestCondition): string {
  const { io, operator = 'equal', thresholds, value } = condition;
  const place = ioWords(io, condition.type === 'input' ? 'input' : 'output');
  const subject = place.charAt(0).toLowerCase() + place.slice(1);
  const { lower, upper } = thresholds ?? { lower: 0, upper: 0 };
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
