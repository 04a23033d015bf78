/** What imports what, by path. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

/**
 * Circles of imports, each as a way from a file back to itself. Each file stands in one of them at the most: where
 * circles share a file, a shortest one is told, and the others come to light once it is mended.
 */
export function circlesIn(graph: ImportGraph): string[][] {
  const told = new Set<string>()
  const circles: string[][] = []
  for (const start of [...graph.keys()].sort()) {
    if (told.has(start)) continue
    const circle = shortestWayBack(graph, start)
    if (!circle) continue
    for (const path of circle) told.add(path)
    circles.push(circle)
  }
  return circles
}

function shortestWayBack(graph: ImportGraph, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>()
  let reached = [start]
  while (reached.length > 0) {
    const next: string[] = []
    for (const from of reached) {
      for (const to of graph.get(from) ?? []) {
        if (to === start) return wayTo(from, cameFrom, start)
        if (cameFrom.has(to)) continue
        cameFrom.set(to, from)
        next.push(to)
      }
    }
    reached = next
  }
  return undefined
}

function wayTo(end: string, cameFrom: ReadonlyMap<string, string>, start: string): string[] {
  const way = [end]
  for (let at = end; at !== start; ) {
    at = cameFrom.get(at) ?? start
    way.unshift(at)
  }
  return way
}
