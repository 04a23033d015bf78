/** By the first number of V8's version: how much a function does before it is optimized. */
const flags: Readonly<Record<string, readonly string[]>> = {
  // Node 20. In bytes of bytecode, nine times the default; and about in bytes that WebAssembly runs through, of which a default
  // of 1,800,000. The parser of HTTP is such, and a process cannot end while it is optimized.
  '11': ['--interrupt-budget=600000', '--wasm-tiering-budget=60000000'],
  // Node 22. In calls, nine times the default of 3,000.
  '12': ['--invocation-count-for-turbofan=27000'],
}

/**
 * The flags that keep V8 from optimizing what a short process ends before it has paid for. Later versions have a quick
 * compiler before the slow one, and gain nothing.
 */
export function lateOptimizing(v8: string): readonly string[] {
  return flags[v8.split('.')[0] ?? ''] ?? []
}
