import { Annotations } from 'cdktf'
import { expect as jestExpect } from 'expect'
import { describe, expect, it } from 'vitest'
import { Flag, When } from '../../src/constructs/index.ts'
import { absent, capture, matchers } from '../../src/testing/index.ts'
import '../../src/testing/vitest.ts'
import { aStack } from '../constructs/a-stack.ts'
import { growth } from './shop.ts'

jestExpect.extend(matchers as never)

/** What is needed here of either framework. */
interface Framework {
  (
    subject: unknown,
  ): {
    toHaveResource(type: unknown, attributes?: object, options?: object): void
    toHaveGrant(flag: unknown, role: unknown): void
    readonly not: { toHaveResource(type: unknown, attributes?: object, options?: object): void }
  }
  objectContaining(sample: object): unknown
  arrayContaining(sample: unknown[]): unknown
  stringMatching(pattern: RegExp): { asymmetricMatch(actual: unknown): boolean }
}
const frameworks = { vitest: expect, jest: jestExpect } as unknown as Readonly<Record<string, Framework>>

function twoFlags() {
  const stack = aStack()
  new Flag(stack, 'A', { key: 'a', name: 'One', active: true, release: [When.everyone().at(5)] }).grants.edit(
    growth,
  )
  new Flag(stack, 'B', {
    key: 'b',
    name: 'Two',
    active: true,
    release: [When.everyone().at(50)],
    projectId: '3',
  })
  return stack
}

describe.each(Object.entries(frameworks))('a capture in %s', (_, framework) => {
  it('takes what stands in its place, however deep', () => {
    const [key, percent, from] = [capture<string>(), capture<number>(), capture<number>()]
    const release = [{ rolloutPercentage: percent }]
    framework(twoFlags()).toHaveResource(Flag, { key, name: 'Two', release })
    expect([key.value, percent.value]).toEqual(['b', 50])
    const inMatcher = [framework.objectContaining({ rolloutPercentage: from })]
    framework(twoFlags()).toHaveResource(Flag, { key: 'a', release: inMatcher })
    expect(from.value).toBe(5)
  })

  it('takes the values of all that are as expected, and of no other', () => {
    const key = capture<string>()
    framework(twoFlags()).toHaveResource(Flag, { key, active: true }, { times: 2 })
    expect(key.values).toEqual(['a', 'b'])
    expect(() => key.value).toThrow(
      '2 values were captured; use "values", or make the expectation match only one',
    )
    const one = capture<string>()
    framework(twoFlags()).toHaveResource(Flag, { key: one, projectId: '3' })
    expect(one.values).toEqual(['b'])
  })

  it('may say what it takes, and does not take nothing', () => {
    const key = capture<string>(framework.stringMatching(/^b/))
    framework(twoFlags()).toHaveResource(Flag, { key })
    expect(key.value).toBe('b')
    const project = capture<string>()
    framework(twoFlags()).not.toHaveResource(Flag, { key: 'a', projectId: project })
    expect(project.values).toEqual([])
    expect(() => project.value).toThrow('nothing was captured')
    expect(() => framework(twoFlags()).toHaveResource(Flag, { key: 'a', projectId: project })).toThrow(
      '/project_id: expected any value, got nothing',
    )
  })

  it('takes the one side of a grant', () => {
    const flag = capture<string>()
    framework(twoFlags()).toHaveGrant(flag, growth)
    expect(flag.value).toBe('a')
  })

  it('is refused where what it takes would depend on what is tried first', () => {
    const release = framework.arrayContaining([{ rolloutPercentage: capture() }])
    expect(() => framework(twoFlags()).toHaveResource(Flag, { release })).toThrow(
      'a capture does not work within ArrayContaining',
    )
  })

  it('stands beside absent(), which no framework has', () => {
    framework(twoFlags()).toHaveResource(Flag, { key: 'a', projectId: absent() })
    framework(twoFlags()).not.toHaveResource(Flag, { key: 'b', projectId: absent() })
    framework(twoFlags()).toHaveResource(Flag, { release: [{ variant: absent(), rolloutPercentage: 5 }] })
    expect(() => framework(twoFlags()).toHaveResource(Flag, { key: 'b', projectId: absent() })).toThrow(
      '/project_id: expected nothing, got "3"',
    )
    const within = framework.objectContaining({ variant: absent() })
    expect(() => framework(twoFlags()).not.toHaveResource(Flag, { release: [within] })).toThrow(
      'absent() does not work within ObjectContaining',
    )
  })
})

type Called = Readonly<Record<string, (...given: readonly unknown[]) => void>>

describe('what a matcher is given beside attributes', () => {
  it.each<[what: string, matcher: string, given: readonly unknown[], message: string]>([
    ['an unknown option', 'toHaveResource', [Flag, {}, { time: 2 }], 'did you mean "times"?'],
    ['a part of one', 'toHaveResource', [Flag, {}, { times: 1.5 }], 'a whole number, not 1.5'],
    ['a count of none', 'toHaveNoResource', [Flag, {}, { times: 1 }], 'no option "times"'],
    ['no number', 'toHaveResourceCount', [Flag], 'the count is missing: toHaveResourceCount(type, count)'],
    ['another stack', 'toHaveResource', [Flag, {}, { stack: 'x' }], 'no stack "x"; there are flags'],
    ['another level', 'toHaveAnnotation', ['warn'], 'one of error, warning, info, not "warn"'],
    ['no level', 'toHaveAnnotation', [], 'the level of the annotation is missing: error, warning or info'],
    ['a number for a text', 'toHaveAnnotation', ['warning', 4], '4 is not a text, pattern or matcher'],
    ['a resource', 'toHaveDataSource', [Flag], 'vexil_feature_flag is a resource'],
    ['no role', 'toHaveGrant', ['a', 4], '"role" is not a role: pass its id, or an object with "id"'],
    [
      'what no output has',
      'toHaveOutput',
      ['a', { vale: 1 }],
      '"vale" is not an attribute of an output; did you mean "value"?',
    ],
  ])('is refused, also behind .not, where it makes no sense: %s', (_, matcher, given, message) => {
    // Called by its name, which no type knows.
    const annotatedStack = expect(annotated()) as unknown as Called & { readonly not: Called }
    expect(() => annotatedStack[matcher]?.(...given)).toThrow(message)
    expect(() => annotatedStack.not[matcher]?.(...given)).toThrow(message)
  })
})

function annotated() {
  const stack = twoFlags()
  Annotations.of(stack).addWarning('a warning')
  return stack
}
