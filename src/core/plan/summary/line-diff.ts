/** One line of two texts beside each other. */
export interface LineEdit {
  readonly is: 'same' | 'removed' | 'added'
  readonly line: string
}

/** The most steps that are looked for; texts that are further apart are told as one replaced by the other. */
const mostSteps = 1000

/**
 * The shortest way from one list of lines to another (Myers' algorithm): removed before added wherever either could
 * come first.
 */
export function diffLines(before: readonly string[], after: readonly string[]): LineEdit[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const [left, right] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  return [
    ...before.slice(0, start).map(same),
    ...(shortestWay(left, right) ?? [...left.map(removed), ...right.map(added)]),
    ...before.slice(before.length - end).map(same),
  ]
}

/** How far each diagonal reaches after each number of steps, and the way back through that. */
function shortestWay(left: readonly string[], right: readonly string[]): LineEdit[] | undefined {
  const reached = new Map<number, number>([[1, 0]])
  const history: ReadonlyMap<number, number>[] = []
  for (let steps = 0; steps <= Math.min(left.length + right.length, mostSteps); steps++) {
    history.push(new Map(reached))
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      let x = isDownward(reached, diagonal, steps) ? at(reached, diagonal + 1) : at(reached, diagonal - 1) + 1
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x++
      reached.set(diagonal, x)
      if (x >= left.length && x - diagonal >= right.length) return wayBack(left, right, history)
    }
  }
  return undefined
}

function wayBack(
  left: readonly string[],
  right: readonly string[],
  history: readonly ReadonlyMap<number, number>[],
): LineEdit[] {
  const way: LineEdit[] = []
  let [x, y] = [left.length, right.length]
  for (let steps = history.length - 1; steps >= 0; steps--) {
    const reached = history[steps] ?? new Map()
    const diagonal = x - y
    const isDown = isDownward(reached, diagonal, steps)
    const from = isDown ? diagonal + 1 : diagonal - 1
    const [fromX, fromY] = steps === 0 ? [0, 0] : [at(reached, from), at(reached, from) - from]
    const [stepX, stepY] = steps === 0 ? [0, 0] : isDown ? [fromX, fromY + 1] : [fromX + 1, fromY]
    for (; x > stepX && y > stepY; x--, y--) way.push(same(left[x - 1] ?? ''))
    if (steps > 0) way.push(isDown ? added(right[fromY] ?? '') : removed(left[fromX] ?? ''))
    ;[x, y] = [fromX, fromY]
  }
  return way.reverse()
}

function isDownward(reached: ReadonlyMap<number, number>, diagonal: number, steps: number): boolean {
  if (diagonal === -steps) return true
  return diagonal !== steps && at(reached, diagonal - 1) < at(reached, diagonal + 1)
}

function at(reached: ReadonlyMap<number, number>, diagonal: number): number {
  return reached.get(diagonal) ?? 0
}

function same(line: string): LineEdit {
  return { is: 'same', line }
}

function removed(line: string): LineEdit {
  return { is: 'removed', line }
}

function added(line: string): LineEdit {
  return { is: 'added', line }
}
