import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answersOf, type Range, readRecorded, withRun } from './answers.ts'
import { askSdk } from './ask-sdk.ts'
import { readCases } from './cases.ts'
import { askNode } from './sdks.ts'

const { notDecided, sdks } = readRecorded()
const cases = readCases(0)

describe('posthog-node', () => {
  it.each(['posthog-node-3', 'posthog-node-5'])('answers each case as recorded: %s', async name => {
    const folder = join(import.meta.dirname, '../../node_modules', name)
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    const answers = await askSdk(questions => askNode(folder, questions))
    expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(answersOf(sdks['posthog-node']!, version)))
  })
})

describe('the cases', () => {
  it('each ask something else', () => {
    const contents = cases.map(({ id, ...content }) => JSON.stringify(content))
    expect(new Set(contents).size).toBe(cases.length)
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
  })

  it.each(Object.entries(sdks))(
    'have one answer each from the newest %s, unless none is right',
    (_, ranges) => {
      const decided = cases.map(({ id }) => id).filter(id => !notDecided.includes(id))
      expect([...answersOf(ranges, ranges[0]!.to).keys()].sort()).toEqual(decided.sort())
    },
  )

  it('count their times from a given one', () => {
    const texts = readCases(Date.UTC(2026, 10, 28)).map(({ question }) => JSON.stringify(question))
    for (const time of [
      '"2026-10-29T00:00:00Z"',
      '1795737600000}',
      '1795737600}',
      '"2026-11-28T00:00:00.000000+00:00"',
    ])
      expect(texts.filter(text => text.includes(time))).not.toEqual([])
    expect(texts.filter(text => text.includes(' ago}'))).toEqual([])
  })
})

describe('the ranges of versions', () => {
  const [first, second, third] = ['T', 'F', 'U'].map(
    answer =>
      new Map([
        ['c1', answer],
        ['c2', 'T'],
      ]),
  ) as [Map<string, string>, Map<string, string>, Map<string, string>]
  const recorded = (runs: readonly (readonly [string, Map<string, string>])[]) =>
    runs.reduce<readonly Range[]>(
      (ranges, [version, answers]) => withRun(ranges, version, '2026-11-28', answers),
      [],
    )
  const shown = (ranges: readonly Range[]) =>
    ranges.map(({ from, to, answers }) => `${from} to ${to}: ${answers}`)

  it('hold what the next newer one answers otherwise', () => {
    const ranges = recorded([
      ['1.9.0', first],
      ['1.10.0', second],
      ['1.2.0', first],
      ['2.0.0', second],
    ])
    expect(shown(ranges)).toEqual(['1.10.0 to 2.0.0: c1=F c2=T', '1.2.0 to 1.9.0: c1=T'])
    expect(['1.1.0', '1.9.5', '1.11.0'].map(version => answersOf(ranges, version).get('c1'))).toEqual([
      'T',
      'T',
      'F',
    ])
  })

  it('are split by a version that answers otherwise', () => {
    const ranges = recorded([
      ['1.0.0', first],
      ['3.0.0', first],
      ['2.0.0', third],
    ])
    expect(shown(ranges)).toEqual([
      '3.0.0 to 3.0.0: c1=T c2=T',
      '2.0.0 to 2.0.0: c1=U',
      '1.0.0 to 1.0.0: c1=T',
    ])
  })

  it.each(Object.entries(sdks))(
    'of %s do not change when what is recorded is recorded again',
    (_, ranges) => {
      for (const { from, run } of ranges)
        expect(withRun(ranges, from, run, answersOf(ranges, from))).toEqual(ranges)
    },
  )
})
