/** An order for evaluation; things that wait for each other in a circle are listed separately. */
export interface DependencyOrder {
  readonly order: readonly string[]
  /** Each from one member back to itself: `a`, `b`, `a`. */
  readonly cycles: readonly (readonly string[])[]
}

/** Sorts things by what they need. Without recursion, since a chain may be as long as the stack. */
export function dependencyOrder(needs: ReadonlyMap<string, ReadonlySet<string>>): DependencyOrder {
  const order: string[] = []
  const cycles: string[][] = []
  const state = new Map<string, 'open' | 'done'>()
  for (const start of needs.keys()) {
    const path: { readonly name: string; readonly left: Iterator<string> }[] = []
    const enter = (name: string) => {
      state.set(name, 'open')
      path.push({ name, left: (needs.get(name) ?? new Set<string>()).values() })
    }
    if (!state.has(start)) enter(start)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.left.next()
      if (next.done) {
        path.pop()
        state.set(top.name, 'done')
        order.push(top.name)
      } else if (state.get(next.value) === 'open') {
        const from = path.findIndex(({ name }) => name === next.value)
        cycles.push([...path.slice(from).map(({ name }) => name), next.value])
      } else if (!state.has(next.value) && needs.has(next.value)) enter(next.value)
    }
  }
  return { order, cycles }
}
