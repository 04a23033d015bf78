/** How many lines around a change are shown. */
const around = 3

/** What one text has in place of another, in the form that `patch` and people read; empty where they are the same. */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return ''
  const [old, now] = [linesOf(before), linesOf(after)]
  const edits = editsBetween(old, now)
  const hunks = hunksOf(edits).map(hunk => hunkText(edits, hunk))
  return `--- a/${path}\n+++ b/${path}\n${hunks.join('')}`
}

interface Edit {
  readonly sign: ' ' | '-' | '+'
  readonly line: string
  /** The numbers of the lines that come next in both texts. */
  readonly old: number
  readonly now: number
}

/** Lines with their ends, so that a last line without one is another line. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function editsBetween(old: readonly string[], now: readonly string[]): Edit[] {
  const most = Math.min(old.length, now.length)
  let start = 0
  while (start < most && old[start] === now[start]) start += 1
  let end = 0
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end += 1
  const signs = [
    ...new Array<Edit['sign']>(start).fill(' '),
    ...shortestScript(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...new Array<Edit['sign']>(end).fill(' '),
  ]
  let [left, right] = [0, 0]
  return signs.map(sign => {
    const edit = { sign, line: (sign === '+' ? now[right] : old[left]) ?? '', old: left, now: right }
    if (sign !== '+') left += 1
    if (sign !== '-') right += 1
    return edit
  })
}

/** More steps than this are not looked for: what is between is then shown as replaced. */
const mostSteps = 1_000

/**
 * A short way from one list of lines to another. Lines that both have once, in one order, stay what they are; between
 * them it is the shortest way.
 */
function shortestScript(old: readonly string[], now: readonly string[]): Edit['sign'][] {
  const kept = [...keptLines(old, now), [old.length, now.length] as const]
  let [left, right] = [0, 0]
  return kept.flatMap(([nextLeft, nextRight], index) => {
    const between = scriptOf(old.slice(left, nextLeft), now.slice(right, nextRight))
    ;[left, right] = [nextLeft + 1, nextRight + 1]
    return index === kept.length - 1 ? between : [...between, ' ' as const]
  })
}

/** The places of lines that both lists have once, as many as are in one order. */
function keptLines(old: readonly string[], now: readonly string[]): (readonly [number, number])[] {
  const [olds, nows] = [onlyOnes(old), onlyOnes(now)]
  const pairs = [...olds].flatMap(([line, left]) => {
    const right = nows.get(line)
    return right === undefined ? [] : [{ left, right, before: -1 }]
  })
  // The longest run of ascending places: `ends` has the pair that ends one of each length, the lowest first.
  const ends: number[] = []
  for (const [index, pair] of pairs.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[ends[middle] ?? 0]?.right ?? 0) < pair.right) low = middle + 1
      else high = middle
    }
    pair.before = ends[low - 1] ?? -1
    ends[low] = index
  }
  const kept: (readonly [number, number])[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; ) {
    const pair = pairs[at]
    if (!pair) break
    kept.push([pair.left, pair.right])
    at = pair.before
  }
  return kept.reverse()
}

function onlyOnes(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>()
  const again = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (places.has(line)) again.add(line)
    places.set(line, index)
  }
  for (const line of again) places.delete(line)
  return places
}

/** The shortest way (Myers, "An O(ND) difference algorithm"), where it is not too long. */
function scriptOf(old: readonly string[], now: readonly string[]): Edit['sign'][] {
  const reached: ReadonlyMap<number, number>[] = []
  let furthest = new Map([[1, 0]])
  for (let depth = 0; depth <= mostSteps; depth += 1) {
    reached.push(furthest)
    const next = new Map<number, number>()
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      const goesDown = isDown(furthest, diagonal, depth)
      let x = goesDown ? (furthest.get(diagonal + 1) ?? 0) : (furthest.get(diagonal - 1) ?? 0) + 1
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x += 1
      next.set(diagonal, x)
      if (x >= old.length && x - diagonal >= now.length) return wayBack(reached, old.length, now.length)
    }
    furthest = next
  }
  return [...old.map(() => '-' as const), ...now.map(() => '+' as const)]
}

function isDown(furthest: ReadonlyMap<number, number>, diagonal: number, depth: number): boolean {
  if (diagonal === -depth) return true
  if (diagonal === depth) return false
  return (furthest.get(diagonal - 1) ?? 0) < (furthest.get(diagonal + 1) ?? 0)
}

function wayBack(
  reached: readonly ReadonlyMap<number, number>[],
  oldEnd: number,
  nowEnd: number,
): Edit['sign'][] {
  const signs: Edit['sign'][] = []
  let [x, y] = [oldEnd, nowEnd]
  for (let depth = reached.length - 1; depth >= 0; depth -= 1) {
    const furthest = reached[depth] ?? new Map<number, number>()
    const diagonal = x - y
    const goesDown = isDown(furthest, diagonal, depth)
    const before = goesDown ? diagonal + 1 : diagonal - 1
    const startX = furthest.get(before) ?? 0
    const startY = startX - before
    while (x > startX && y > startY && x > 0 && y > 0) {
      signs.push(' ')
      x -= 1
      y -= 1
    }
    if (depth > 0) signs.push(goesDown ? '+' : '-')
    ;[x, y] = [startX, startY]
  }
  return signs.reverse()
}

interface Hunk {
  readonly first: number
  readonly behind: number
}

function hunksOf(edits: readonly Edit[]): Hunk[] {
  const hunks: Hunk[] = []
  for (const [index, { sign }] of edits.entries()) {
    if (sign === ' ') continue
    const [first, behind] = [Math.max(0, index - around), Math.min(edits.length, index + around + 1)]
    const last = hunks.at(-1)
    if (last && first <= last.behind) hunks[hunks.length - 1] = { first: last.first, behind }
    else hunks.push({ first, behind })
  }
  return hunks
}

function hunkText(edits: readonly Edit[], { first, behind }: Hunk): string {
  const shown = edits.slice(first, behind)
  const [start] = shown
  const count = (sign: '+' | '-') => shown.filter(edit => edit.sign !== sign).length
  const range = (from: number, lines: number) => `${lines === 0 ? from : from + 1},${lines}`
  const head = `@@ -${range(start?.old ?? 0, count('+'))} +${range(start?.now ?? 0, count('-'))} @@\n`
  return head + shown.map(({ sign, line }) => `${sign}${ended(line)}`).join('')
}

function ended(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`
}
