import { Lazy, TerraformStack, TerraformVariable } from 'cdktf'
import { Construct } from 'constructs'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import {
  AddTags,
  EventDefinition,
  enforce,
  Flag,
  FlagSet,
  Plugin,
  Tags,
} from '../../src/constructs/own-constructs.ts'
import { anApp, aStack, synthesized } from './a-stack.ts'

function tagsIn(stack: TerraformStack): Record<string, unknown> {
  const { vexil_feature_flag: flags = {}, vexil_event_definition: events = {} } = synthesized(stack).resource
  return Object.fromEntries(
    Object.entries<{ tags?: unknown }>({ ...flags, ...events }).map(([name, { tags }]) => [name, tags]),
  )
}

describe('Tags', () => {
  it('are added to all flags and events below a construct, also to those that are declared later', () => {
    const stack = aStack()
    const team = new Construct(stack, 'Team')
    expect(Tags.of(team).add('team:growth').add('core').add('beta')).toBeInstanceOf(Tags)
    new Flag(team, 'A', { key: 'a', active: false })
    new FeatureFlag(team, 'b', { key: 'b', active: false })
    EventDefinition.named(team, 'paid')
    new Plugin(team, 'P', { name: 'p' })
    new Flag(stack, 'Other', { key: 'other', active: false })
    const all = ['team:growth', 'core', 'beta']
    const { a, paid, other, ...generated } = tagsIn(stack)
    expect([a, paid, other, Object.values(generated)]).toEqual([all, all, undefined, [all]])
  })

  it('are added once, in whichever spelling', () => {
    const stack = aStack()
    Tags.of(stack).add('Team:Growth').add('core')
    Tags.of(stack).add('core')
    enforce(stack, new AddTags(['CORE']))
    new Flag(stack, 'A', { key: 'a', active: false, tags: [' team:growth'] }).tag('Core')
    expect(tagsIn(stack)).toEqual({ a: [' team:growth', 'Core'] })
  })

  it('join those that are known only once a plan is made', () => {
    const stack = aStack()
    const tags = new TerraformVariable(stack, 'tags', { type: 'list(string)' }).listValue
    Tags.of(stack).add('core')
    new Flag(stack, 'A', { key: 'a', active: false, tags })
    expect(tagsIn(stack)).toEqual({ a: '${concat(var.tags, ["core"])}' })
  })

  describe('join what a Lazy produces', () => {
    const late = (tags: string[]) => Lazy.listValue({ produce: () => tags })

    it('as the list that it is', () => {
      const stack = aStack()
      new Flag(stack, 'A', { key: 'a', active: false, tags: late(['Core', 'x"y']) }).tag('late').tag('core')
      new EventDefinition(stack, 'Paid', { name: 'paid', tags: late(['core']) }).tag('paid')
      Tags.of(stack).add('more')
      expect(tagsIn(stack)).toEqual({ a: ['Core', 'x"y', 'late', 'more'], paid: ['core', 'paid', 'more'] })
    })

    it('as the list that it is in a set of flags', () => {
      const stack = aStack()
      const own = ['"${own}']
      FlagSet.of(stack, { a: { active: false, tags: own } }, { tags: late(['common']) })
      FlagSet.of(stack, { b: { active: false, tags: late(['own']) } }, { tags: late(['common']) })
      expect(tagsIn(stack)).toEqual({ a: ['common', '"$${own}'], b: ['common', 'own'] })
    })

    it('with what is known only in a plan', () => {
      const stack = aStack()
      const variable = (name: string) => new TerraformVariable(stack, name, {})
      const list = variable('list').listValue
      const text = variable('text').stringValue
      new Flag(stack, 'A', { key: 'a', active: false, tags: late([text, `x-${text}`]) }).tag('"${core}')
      new Flag(stack, 'B', { key: 'b', active: false, tags: Lazy.listValue({ produce: () => list }) }).tag(
        '"${core}',
      )
      expect(tagsIn(stack)).toEqual({
        a: ['${var.text}', 'x-${var.text}', '"$${core}'],
        b: '${concat(var.list, ["\\"$${core}"])}',
      })
    })

    it('where it is nothing', () => {
      const stack = aStack()
      const nothing = Lazy.listValue({ produce: () => undefined })
      new Flag(stack, 'A', { key: 'a', active: false, tags: nothing }).tag('core')
      expect(tagsIn(stack)).toEqual({ a: ['core'] })
    })
  })

  it.each([
    [{ includeKinds: ['flag' as const] }, { a: ['t'], b: ['t'], paid: undefined }],
    [{ excludeKinds: ['flag' as const] }, { a: undefined, b: undefined, paid: ['t'] }],
    [{ includeKinds: [] }, { a: undefined, b: undefined, paid: undefined }],
    [{ except: ['b', 'paid'] }, { a: ['t'], b: undefined, paid: undefined }],
  ])('are added to what is meant: %j', (props, tags) => {
    const stack = aStack()
    new Flag(stack, 'A', { key: 'a', active: false })
    new Flag(stack, 'B', { key: 'b', active: false })
    EventDefinition.named(stack, 'paid')
    Tags.of(stack).add('t', props)
    expect(tagsIn(stack)).toEqual(tags)
  })

  it('reach all stacks of an app', () => {
    const app = anApp()
    const stacks = ['one', 'two'].map(name => new TerraformStack(app, name))
    Tags.of(app).add('core')
    for (const stack of stacks) new Flag(stack, 'A', { key: 'a', active: false })
    expect(stacks.map(tagsIn)).toEqual([{ a: ['core'] }, { a: ['core'] }])
  })

  it('are checked when they are given, and so is to whom', () => {
    const tags = Tags.of(aStack())
    expect(() => tags.add('')).toThrow('tag')
    expect(() => tags.add('a', { includeKinds: ['plugin' as never] })).toThrow(
      '"includeKinds[0]" is "plugin", not a kind that has tags: event, flag',
    )
    expect(() => tags.add('a', { kinds: ['flag'] } as never)).toThrow(
      '"kinds" is not a property of Tags; the properties are except, excludeKinds, includeKinds',
    )
    expect(() => Tags.of(anApp())).toThrow('the app has no stacks yet')
  })
})
