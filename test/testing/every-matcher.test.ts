import { expect as jestExpect } from 'expect'
import { afterAll, describe, expect, it } from 'vitest'
import { matchers } from '../../src/testing/index.ts'
import '../../src/testing/vitest.ts'
import { anUnownedApp, aWholeApp, cases, type Expect, removeFolders, subjects } from './matcher-cases.ts'

// What `vexil/testing/jest` does in a project that has jest, with jest's own `expect`.
jestExpect.extend(matchers as never)

// The matchers of the table are called by their names, which no type knows.
const frameworks = { vitest: expect, jest: jestExpect } as unknown as Readonly<Record<string, Expect>>
const every = Object.entries(cases).flatMap(([name, own]) => own.map((each, at) => ({ name, at, ...each })))

afterAll(removeFolders)

/** The message of what it throws, at once or later. */
async function messageOf(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'nothing was thrown'
}

describe.each(Object.entries(frameworks))('in %s', (_, frameworkExpect) => {
  it.each(every)('$name $at passes, fails with a message, and so behind .not', async matcherCase => {
    const { name, met, unmet, message, notMessage } = matcherCase
    const stack = aWholeApp()
    await frameworkExpect(stack)[name]?.(...met)
    await frameworkExpect(stack).not[name]?.(...unmet)
    const failed = await messageOf(() => frameworkExpect(stack)[name]?.(...unmet))
    const failedNot = await messageOf(() => frameworkExpect(stack).not[name]?.(...met))
    expect(failed).toContain(message)
    expect(failedNot).toContain(notMessage)
    expect(failed + failedNot).not.toContain('do_not_show')
  })

  it('annotations are told where they make a synthesis fail', () => {
    const annotated = frameworkExpect(anUnownedApp())
    annotated.toHaveAnnotation?.('error', 'no tag names an owner', { at: 'shop/Unowned' })
    annotated.not.toHaveAnnotation?.('error', undefined, { at: 'shop/gift_wrap' })
    annotated.not.toHaveNoAnnotation?.('error')
  })
})

it.each(Object.entries(subjects))('every matcher takes %s', async (what, subject) => {
  const given = subject()
  for (const { name, met, unmet } of every.filter(({ at }) => at === 0)) {
    if (what === 'the text of a stack' && name.endsWith('Annotation')) {
      expect(await messageOf(() => frameworks.vitest?.(given)[name]?.(...met))).toContain(
        'has no annotations',
      )
      continue
    }
    const elsewhere = what === 'the text of a stack' ? withoutStack(met) : met
    await frameworks.vitest?.(given)[name]?.(...elsewhere)
    await frameworks.vitest?.(given).not[name]?.(...unmet)
  }
})

/** A text has no name. */
function withoutStack(given: readonly unknown[]): readonly unknown[] {
  return given.map(each => {
    if (typeof each !== 'object' || each === null || !('stack' in each)) return each
    const { stack: _, ...others } = each
    return others
  })
}

it('the table has every matcher', () => {
  expect(Object.keys(cases)).toEqual(Object.keys(matchers))
})
