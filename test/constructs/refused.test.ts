import { type App, type TerraformStack, Testing } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { VexilProvider } from '../../src/constructs/generated/provider/index.ts'
import { EventDefinition, Flag, FlagSet, Plugin, Role } from '../../src/constructs/own-constructs.ts'
import { isFull } from '../suites.ts'
import { annotationsOf, aStack } from './a-stack.ts'
import { everyArgument } from './arguments/every-argument.ts'
import { sourcesIn, wrongValues } from './arguments/token-forms.ts'

const support = Role.fromId('01900000-0000-0000-0000-0000000000aa', 'support')
const other = Role.fromId('01900000-0000-0000-0000-0000000000bb', 'support')
const off = { active: false } as const

type Make = (stack: TerraformStack) => unknown

/** What each refuses because of what there is already. */
const besideOthers: readonly (readonly [title: string, make: Make, why: string])[] = [
  ['a second flag', stack => new Flag(stack, 'Bad', { key: 'good', ...off }), 'declared twice'],
  ['a second plugin', stack => new Plugin(stack, 'Bad', { name: 'geo' }), 'declared twice'],
  ['a second event', stack => new EventDefinition(stack, 'Bad', { name: 'paid' }), 'declared twice'],
  ['a second construct of an id', stack => new Flag(stack, 'Good', { key: 'bad', ...off }), 'already'],
  [
    'a flag whose editors are two of one name',
    stack => new Flag(stack, 'Bad', { key: 'bad', ...off, editors: [support, other] }),
    'flag "bad": two roles have the name "support", 01900000-0000-0000-0000-0000000000aa and 01900000-0000-0000-0000-0000000000bb',
  ],
  [
    'a set with one flag too many',
    stack => FlagSet.of(stack, { bad: { ...off, editors: [support] }, worse: { key: 'good', ...off } }),
    'declared twice',
  ],
  ['a flag outside of stacks', stack => new Flag(stack.node.root as App, 'Bad', { key: 'bad' }), 'stack'],
  [
    'a grant of a second role of a name',
    stack => goodIn(stack).grants.edit(other),
    'flag "good": two roles have the name "support", 01900000-0000-0000-0000-0000000000aa and 01900000-0000-0000-0000-0000000000bb',
  ],
  ['a grant of a second level', stack => goodIn(stack).grants.give(support, 'viewer'), 'two levels'],
]

const goodIn = (stack: TerraformStack) => stack.node.findChild('Good') as Flag

function aShop(): TerraformStack {
  const stack = aStack()
  new VexilProvider(stack, 'vexil', {})
  new Flag(stack, 'Good', { key: 'good', ...off, editors: [support] })
  new Plugin(stack, 'Geo', { name: 'geo' })
  EventDefinition.named(stack, 'paid')
  Flag.fromKey(stack, 'Elsewhere', 'legacy').grants.edit(support)
  return stack
}

/** Everything that a stack comes to: what Terraform reads, what is said, and which constructs there are. */
function wholeOf(stack: TerraformStack) {
  const text = Testing.synth(stack, true)
  return {
    text,
    said: annotationsOf(stack),
    paths: stack.node.root.node.findAll().map(({ node }) => node.path),
  }
}

/** Those whose first step makes the construct, so that nothing else is there when it is refused. */
const constructors =
  /^(new (Flag|Plugin|EventDefinition)\b|FlagSet\.|EventDefinition\.named|(Flag|Plugin|EventDefinition)\.from|Role\.fromName)/

describe('what was refused leaves nothing behind', () => {
  it.each(besideOthers)('of %s', (_, make, why) => {
    const stack = aShop()
    expect(() => make(stack)).toThrow(why)
    expect(wholeOf(stack)).toEqual(wholeOf(aShop()))
  })

  let refused = 0
  // Some wrong values for each argument, all of them in turn.
  const tried = everyArgument
    .filter(({ name }) => constructors.test(name))
    .map((argument, index) => ({
      ...argument,
      values: wrongValues.filter((_, at) => isFull() || at % 8 === index % 8),
    }))

  it.each(tried)('for $name', ({ ours, values }) => {
    const outcomes = values.flatMap(({ make }) => {
      const stack = aStack()
      const value = make(sourcesIn(stack))
      const before = wholeOf(stack)
      return isRefused(() => ours(stack, value)) ? [{ before, after: wholeOf(stack) }] : []
    })
    refused += outcomes.length
    expect(outcomes.map(({ after }) => after)).toEqual(outcomes.map(({ before }) => before))
  })

  it('with most of the values, which are refused', () => {
    expect(refused).toBeGreaterThan(tried.length)
  })

  it('so that the right one may take its id and its name', () => {
    const stack = aShop()
    const editors = [support, other]
    expect(() => new Flag(stack, 'New', { key: 'new', ...off, editors })).toThrow()
    new Flag(stack, 'New', { key: 'new', ...off, editors: [support] })
    const { resource } = JSON.parse(wholeOf(stack).text)
    expect(Object.keys(resource.vexil_feature_flag)).toEqual(['good', 'new'])
    expect(Object.keys(resource.vexil_feature_flag_role_access)).toEqual([
      'good--support',
      'legacy--support',
      'new--support',
    ])
  })
})

function isRefused(make: () => unknown): boolean {
  try {
    make()
    return false
  } catch {
    return true
  }
}
