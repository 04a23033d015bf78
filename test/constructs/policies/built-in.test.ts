import { Fn, TerraformStack, TerraformVariable } from 'cdktf'
import { describe, expect, it } from 'vitest'
import {
  AddTags,
  EventDefinition,
  enforce,
  Flag,
  MaxRollout,
  NamePattern,
  NoReleaseToEveryone,
  Plugin,
  Policy,
  type PolicySubject,
  ProtectActive,
  RequireOwnerTag,
  When,
} from '../../../src/constructs/own-constructs.ts'
import { usePolicedStack } from './policed-stack.ts'

const { app, stack, under, flag, generated } = usePolicedStack()

describe('a policy', () => {
  it('looks below the construct that it was added to, and there only', () => {
    const other = new TerraformStack(app(), 'staging')
    flag({ release: [] })
    enforce(other, new RequireOwnerTag())
    expect(under().said).toEqual([])
  })

  it('leaves alone what it is told to', () => {
    flag({ release: [] })
    generated({ key: 'other' })
    expect(under(new RequireOwnerTag({ except: ['checkout'] })).said).toEqual([
      '[production/Generated] error: flag "other": no tag names an owner; a tag must match /^(owner|team)[:-]/',
    ])
  })
})

describe('a text that Terraform would take a byte order mark from', () => {
  it('is known to policies as it was written', () => {
    flag({ release: [], tags: ['\ufeffteam-checkout'] })
    expect(under(new RequireOwnerTag()).said).toEqual([
      '[production/Checkout] error: flag "checkout": no tag names an owner; a tag must match /^(owner|team)[:-]/',
    ])
  })
})

describe('a policy that has to know', () => {
  const own = new (class Short extends Policy {
    public constructor() {
      super({ unknown: 'error' })
    }

    protected override apply(subject: PolicySubject): void {
      this.cannotTell(subject, 'its length')
    }
  })()

  it.each([
    ['the share of condition 1 (everyone)', new MaxRollout(25, { unknown: 'error' }), 'MaxRollout'],
    ['its length', own, 'Short'],
  ])('refuses that %s is not known yet', (what, policy, name) => {
    const share = new TerraformVariable(stack(), 'share', { type: 'number' }).numberValue
    flag({ release: [When.everyone().at(share)] })
    expect(under(policy).said).toEqual([
      `[production/Checkout] error: flag "checkout": ${what} is known only in a plan, but ${name} needs it`,
    ])
  })

  it('refuses another word for it', () => {
    expect(() => new MaxRollout(25, { unknown: 'maybe' as never })).toThrow(
      '"unknown" cannot be "maybe"; the levels are error, warning, warn',
    )
  })
})

describe('RequireOwnerTag', () => {
  it('asks flags and events of either sort, and no plugins', () => {
    flag({ release: [], tags: ['pay', 'team-pay'] })
    generated({ tags: ['team'] })
    EventDefinition.named(stack(), 'paid').tag('owner:pay')
    EventDefinition.named(stack(), 'seen')
    new Plugin(stack(), 'Geo', { name: 'geo' })
    expect(under(new RequireOwnerTag()).said).toEqual([
      '[production/Generated] error: flag "checkout": no tag names an owner; a tag must match /^(owner|team)[:-]/',
      '[production/seen] error: event "seen": no tag names an owner; a tag must match /^(owner|team)[:-]/',
    ])
  })

  it('takes a pattern, whatever its flags', () => {
    flag({ release: [], tags: ['squad-pay'] })
    EventDefinition.named(stack(), 'paid').tag('squad-pay')
    expect(under(new RequireOwnerTag({ pattern: /^SQUAD-/gi })).said).toEqual([])
  })

  it('sees what AddTags adds before it', () => {
    flag({ release: [] })
    const { said, resource } = under(new AddTags(['team-pay']), new RequireOwnerTag())
    expect(said).toEqual([])
    expect(resource.vexil_feature_flag.checkout.tags).toEqual(['team-pay'])
  })

  it('cannot tell from tags that are not known', () => {
    flag({ release: [], tags: new TerraformVariable(stack(), 'tags', { type: 'list(string)' }).listValue })
    expect(under(new RequireOwnerTag()).said).toEqual([
      '[production/Checkout] warn: flag "checkout": one of its tags is known only in a plan: RequireOwnerTag is decided when Vexil plans the stack, not by Terraform',
    ])
  })
})

describe('NamePattern', () => {
  it('asks each kind for its own', () => {
    flag({ release: [] })
    new Flag(stack(), 'Bad', { key: 'Bad Key', active: false })
    EventDefinition.named(stack(), 'Paid')
    new Plugin(stack(), 'Geo', { name: 'geo' })
    expect(under(new NamePattern({ flags: /^[a-z_]+$/, plugins: /^vexil-/ })).said).toEqual([
      '[production/Bad] error: flag "Bad Key": the key does not match /^[a-z_]+$/',
      '[production/Geo] error: plugin "geo": the name does not match /^vexil-/',
    ])
  })
})

describe('a policy passes nothing that it cannot know', () => {
  const text = () => new TerraformVariable(stack(), 't', { type: 'string' }).stringValue
  const unknown = (what: string, policy: string) =>
    `warn: flag "checkout": ${what} is known only in a plan: ${policy} is decided when Vexil plans the stack, not by Terraform`

  it.each([
    ['a reference', () => text()],
    ['a text with a reference', () => `team-${text()}`],
    ['an expression', () => 'team-${var.t}'],
  ])('a tag that is %s is no tag of an owner yet', (_, tag) => {
    generated({ tags: [tag()], release: [] })
    expect(under(new RequireOwnerTag()).said).toEqual([
      `[production/Generated] ${unknown('one of its tags', 'RequireOwnerTag')}`,
    ])
  })

  it.each([
    ['a reference', () => text(), '(reference)'],
    ['a text with a reference', () => `team-${text()}`, 'team-(reference)'],
    ['an expression', () => 'team-${var.t}', 'team-${var.t}'],
  ])('a key that is %s matches no pattern yet, and is shown without marks of the engine', (_, key, shown) => {
    generated({ key: key(), release: [] })
    expect(under(new NamePattern({ flags: /./ })).said).toEqual([
      `[production/Generated] warn: flag "${shown}": its key is known only in a plan: NamePattern is decided when Vexil plans the stack, not by Terraform`,
    ])
  })

  it.each([
    [
      'properties',
      (number: number) => ({ release: [{ rolloutPercentage: 50, properties: number as never }] }),
    ],
    [
      'properties in JSON',
      (number: number) => ({
        filters: `{"groups":[{"rollout_percentage":50,"properties":${Fn.tostring(number)}}]}`,
      }),
    ],
  ])('%s that are not known may be everyone', (_, config) => {
    generated(config(new TerraformVariable(stack(), 'n', { type: 'number' }).numberValue))
    expect(under(new MaxRollout(25, { everyoneOnly: true })).said).toEqual([
      `[production/Generated] ${unknown('who is in condition 1', 'MaxRollout')}`,
    ])
  })

  it('a condition that is not known as a whole has no share to judge', () => {
    generated({
      filters: `{"groups":[${Fn.tostring(new TerraformVariable(stack(), 'n', { type: 'number' }).numberValue)}]}`,
    })
    expect(under(new NoReleaseToEveryone()).said).toEqual([
      `[production/Generated] ${unknown('the share of condition 1', 'NoReleaseToEveryone')}`,
    ])
  })
})

describe('ProtectActive', () => {
  it('protects flags that are not off, of either sort, beside their lifecycle', () => {
    flag({ release: [], lifecycle: { ignoreChanges: ['tags'] } })
    generated({})
    new Flag(stack(), 'Off', { key: 'off', active: false })
    new Flag(stack(), 'Free', { key: 'free', active: true, protect: false })
    const { vexil_feature_flag: flags } = under(new ProtectActive()).resource
    expect(
      Object.entries<{ lifecycle: unknown }>(flags).map(([name, { lifecycle }]) => [name, lifecycle]),
    ).toEqual([
      ['Generated', { prevent_destroy: true }],
      ['checkout', { prevent_destroy: true, ignore_changes: ['tags'] }],
      ['free', { prevent_destroy: false }],
      ['off', undefined],
    ])
  })
})

describe('AddTags', () => {
  it('adds tags to flags and events of either sort, each once', () => {
    flag({ release: [], tags: ['pay'] })
    generated({ tags: ['team-pay'] })
    EventDefinition.named(stack(), 'paid')
    new Plugin(stack(), 'Geo', { name: 'geo' })
    const { resource } = under(new AddTags(['team-pay', 'pay']))
    expect(resource.vexil_feature_flag.checkout.tags).toEqual(['pay', 'team-pay'])
    expect(resource.vexil_feature_flag.Generated.tags).toEqual(['team-pay', 'pay'])
    expect(resource.vexil_event_definition.paid.tags).toEqual(['team-pay', 'pay'])
    expect(resource.vexil_plugin.geo).toEqual({ name: 'geo' })
  })
})
