import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What SDKs answered, in `answers.json`: T and F, `v:KEY` for a variant, U when the SDK asked the service, E when it
 * failed, N when it answered nothing.
 */
export type Answers = ReadonlyMap<string, string>

/** Versions that answer the same, newest first. Only `from`, `to` and perhaps some between them were run. */
export interface Range {
  readonly from: string
  readonly to: string
  /** The day on which `from` was published, if the registry shows it. */
  readonly published?: string
  /** The day of the last run. */
  readonly run: string
  /** `c001=T c002=U`: all answers of the newest range, and of the others what the next newer one answers otherwise. */
  readonly answers: string
}

interface Recorded {
  /** Cases without one right answer, such as a distinct id that is a number. */
  readonly notDecided: readonly string[]
  readonly sdks: Readonly<Record<string, readonly Range[]>>
}

/** The file has lists as texts, which take one line each. */
type Written = Omit<Recorded, 'notDecided'> & { readonly notDecided: string }

const answersFile = join(import.meta.dirname, 'answers.json')

export function readRecorded(): Recorded {
  const { notDecided, sdks } = JSON.parse(readFileSync(answersFile, 'utf8')) as Written
  return { notDecided: notDecided.split(' '), sdks }
}

export function writeRecorded({ notDecided, sdks }: Recorded): void {
  const written: Written = { notDecided: notDecided.join(' '), sdks }
  writeFileSync(answersFile, `${JSON.stringify(written, null, 2)}\n`)
}

/** The answers of the range that the version belongs to: the newest that begins at the version or before, or the oldest. */
export function answersOf(ranges: readonly Range[], version: string): Answers {
  const answers = new Map<string, string>()
  for (const range of ranges) {
    for (const [id, answer] of parseAnswers(range.answers)) answers.set(id, answer)
    if (compareVersions(range.from, version) <= 0) break
  }
  return answers
}

/** The ranges with one more run: a range grows, or is split. */
export function withRun(
  ranges: readonly Range[],
  version: string,
  run: string,
  answers: Answers,
): readonly Range[] {
  const points = pointsOf(ranges)
  const earlier = points.find(point => point.version === version)
  const all = [...points.filter(point => point !== earlier), { ...earlier, version, run, answers }]
  const groups: Point[][] = []
  for (const point of all.sort((one, other) => compareVersions(other.version, one.version))) {
    const last = groups.at(-1)
    if (last?.every(newer => differences(newer.answers, point.answers).length === 0)) last.push(point)
    else groups.push([point])
  }
  return groups.map((group, index) => {
    const [newest, oldest] = [group[0]!, group.at(-1)!]
    const newer = groups[index - 1]?.at(-1)?.answers
    const own = [...newest.answers].filter(([id, answer]) => newer?.get(id) !== answer)
    return {
      from: oldest.version,
      to: newest.version,
      ...(oldest.published !== undefined && { published: oldest.published }),
      run: group
        .map(point => point.run)
        .sort()
        .at(-1)!,
      answers: own.map(([id, answer]) => `${id}=${answer}`).join(' '),
    }
  })
}

/** The ids of cases that are answered otherwise. */
export function differences(one: Answers, other: Answers): readonly string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter(id => one.get(id) !== other.get(id))
}

export function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true })
}

/** A version that was run. */
interface Point {
  readonly version: string
  readonly published?: string | undefined
  readonly run: string
  readonly answers: Answers
}

function pointsOf(ranges: readonly Range[]): readonly Point[] {
  return ranges.flatMap(({ from, to, published, run }) => {
    const answers = answersOf(ranges, from)
    const oldest = { version: from, published, run, answers }
    return from === to ? [oldest] : [oldest, { version: to, run, answers }]
  })
}

function parseAnswers(text: string): readonly (readonly [string, string])[] {
  return text.split(' ').map(each => {
    const end = each.indexOf('=')
    return [each.slice(0, end), each.slice(end + 1)]
  })
}
