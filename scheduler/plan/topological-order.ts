/** Returns the tasks in topological order; tasks on a cycle are missing. */
export function topological(before: readonly (readonly number[])[]): number[] {
  const waiting = before.map((list) => new Set(list).size);
  const followers: number[][] = before.map(() => []);
  before.forEach((list, task) => {
    for (const other of new Set(list)) followers[other]!.push(task);
  });
  const order: number[] = [];
  waiting.forEach((count, task) => {
    if (count === 0) order.push(task);
  });
  for (let i = 0; i < order.length; i++) {
    for (const next of followers[order[i]!]!) if (--waiting[next]! === 0) order.push(next);
  }
  return order;
}
