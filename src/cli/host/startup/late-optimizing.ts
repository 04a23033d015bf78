/** By the first number of V8's version: how much a function does before it is optimized, nine times as much as by default. */
const flags: Readonly<Record<string, string>> = {
  // Node 20. In bytes of bytecode.
  '11': '--interrupt-budget=600000',
  // Node 22. In calls, of which a default of 3,000.
  '12': '--invocation-count-for-turbofan=27000',
}

/**
 * The flags that keep V8 from optimizing what a short process ends before it has paid for. Later versions have a quick
 * compiler before the slow one, and gain nothing.
 */
export function lateOptimizing(v8: string): readonly string[] {
  const flag = flags[v8.split('.')[0] ?? '']
  return flag === undefined ? [] : [flag]
}
