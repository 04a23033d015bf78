import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dependencyOrder } from '../../../src/stack/evaluate/evaluate-stack.ts'

const graphs = fc
  .array(fc.tuple(fc.nat(12), fc.nat(12)), { maxLength: 30 })
  .map(edges => edges.map(([from, to]) => [`n${from}`, `n${to}`] as const))

function graphOf(edges: readonly (readonly [string, string])[]): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>(edges.flat().map(name => [name, new Set()]))
  for (const [from, to] of edges) graph.get(from)?.add(to)
  return graph
}

it('puts everything after what it needs', () => {
  fc.assert(
    fc.property(graphs, edges => {
      // Edges that lead to lower numbers only make no circle.
      const downward = edges.filter(([from, to]) => Number(from.slice(1)) > Number(to.slice(1)))
      const { order, cycles } = dependencyOrder(graphOf(downward))
      expect(cycles).toEqual([])
      for (const [from, to] of downward) expect(order.indexOf(from)).toBeGreaterThan(order.indexOf(to))
    }),
  )
})

it('finds a circle where there is one, and names things that need each other', () => {
  fc.assert(
    fc.property(graphs, edges => {
      const graph = graphOf(edges)
      const { order, cycles } = dependencyOrder(graph)
      expect([...order].sort()).toEqual([...graph.keys()].sort())
      for (const cycle of cycles) {
        expect(cycle.at(0)).toBe(cycle.at(-1))
        for (const [index, name] of cycle.slice(0, -1).entries())
          expect(graph.get(name)?.has(cycle[index + 1] ?? '')).toBe(true)
      }
      const position = new Map(order.map((name, index) => [name, index]))
      const isOrdered = edges.every(([from, to]) => (position.get(from) ?? 0) > (position.get(to) ?? 0))
      expect(cycles.length === 0).toBe(isOrdered)
    }),
  )
})

it('takes a chain as long as a stack is large', () => {
  const length = 100_000
  const chain = new Map(
    Array.from({ length }, (_, index) => [`n${index}`, new Set(index + 1 < length ? [`n${index + 1}`] : [])]),
  )
  const { order } = dependencyOrder(chain)
  expect([order.length, order[0], order.at(-1)]).toEqual([length, `n${length - 1}`, 'n0'])
})
