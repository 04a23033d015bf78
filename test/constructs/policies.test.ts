import { type App, Fn, type IAspect, TerraformStack, TerraformVariable } from 'cdktf'
import { beforeEach, describe, expect, it } from 'vitest'
import { FeatureFlag, type FeatureFlagConfig } from '../../src/constructs/generated/feature-flag/index.ts'
import { VexilProvider } from '../../src/constructs/generated/provider/index.ts'
import {
  AddTags,
  EventDefinition,
  enforce,
  Flag,
  type FlagProps,
  MaxRollout,
  NamePattern,
  NoReleaseToEveryone,
  Plugin,
  ProtectActive,
  RequireOwnerTag,
  When,
} from '../../src/constructs/ours.ts'
import { anApp, annotationsOf, synthesized } from './a-stack.ts'

const german = When.person('country').is('DE')

let app: App
let stack: TerraformStack

beforeEach(() => {
  app = anApp()
  stack = new TerraformStack(app, 'production')
  new VexilProvider(stack, 'vexil', {})
})

/** What a policy says of a stack, and what that synthesizes to. */
function under(...policies: IAspect[]) {
  enforce(app, ...policies)
  const { resource } = synthesized(stack)
  return { said: annotationsOf(stack).filter(line => !line.includes('not declared: if')), resource }
}

function flag(props: Omit<FlagProps, 'key'>) {
  return new Flag(stack, 'Checkout', { key: 'checkout', active: true, ...props })
}

function generated(config: Partial<FeatureFlagConfig>) {
  return new FeatureFlag(stack, 'Generated', { key: 'checkout', active: true, ...config })
}

describe('a policy', () => {
  it('looks below the construct that it was added to, and there only', () => {
    const other = new TerraformStack(app, 'staging')
    flag({ release: [] })
    enforce(other, new RequireOwnerTag())
    expect(under().said).toEqual([])
  })

  it('leaves alone what it is told to', () => {
    flag({ release: [] })
    generated({ key: 'other' })
    expect(under(new RequireOwnerTag({ except: ['checkout'] })).said).toEqual([
      '[production/Generated] error: flag "other": it has no tag that says who owns it, matching /^(owner|team)[:-]/',
    ])
  })
})

describe('RequireOwnerTag', () => {
  it('asks flags and events of either sort, and no plugins', () => {
    flag({ release: [], tags: ['pay', 'team-pay'] })
    generated({ tags: ['team'] })
    EventDefinition.named(stack, 'paid').tag('owner:pay')
    EventDefinition.named(stack, 'seen')
    new Plugin(stack, 'Geo', { name: 'geo' })
    expect(under(new RequireOwnerTag()).said).toEqual([
      '[production/Generated] error: flag "checkout": it has no tag that says who owns it, matching /^(owner|team)[:-]/',
      '[production/seen] error: event "seen": it has no tag that says who owns it, matching /^(owner|team)[:-]/',
    ])
  })

  it('takes a pattern, whatever its flags', () => {
    flag({ release: [], tags: ['squad-pay'] })
    EventDefinition.named(stack, 'paid').tag('squad-pay')
    expect(under(new RequireOwnerTag({ pattern: /^SQUAD-/gi })).said).toEqual([])
  })

  it('sees what AddTags adds before it', () => {
    flag({ release: [] })
    const { said, resource } = under(new AddTags(['team-pay']), new RequireOwnerTag())
    expect(said).toEqual([])
    expect(resource.vexil_feature_flag.checkout.tags).toEqual(['team-pay'])
  })

  it('cannot tell from tags that are not known', () => {
    flag({ release: [], tags: new TerraformVariable(stack, 'tags', { type: 'list(string)' }).listValue })
    expect(under(new RequireOwnerTag()).said).toEqual([
      '[production/Checkout] warn: flag "checkout": one of its tags is known only once a plan is made, so RequireOwnerTag cannot tell',
    ])
  })
})

describe('NamePattern', () => {
  it('asks each kind for its own', () => {
    flag({ release: [] })
    new Flag(stack, 'Bad', { key: 'Bad Key', active: false })
    EventDefinition.named(stack, 'Paid')
    new Plugin(stack, 'Geo', { name: 'geo' })
    expect(under(new NamePattern({ flags: /^[a-z_]+$/, plugins: /^vexil-/ })).said).toEqual([
      '[production/Bad] error: flag "Bad Key": the key does not match /^[a-z_]+$/',
      '[production/Geo] error: plugin "geo": the name does not match /^vexil-/',
    ])
  })
})

describe('a policy passes nothing that it cannot know', () => {
  const text = () => new TerraformVariable(stack, 't', { type: 'string' }).stringValue
  const unknown = (what: string, policy: string) =>
    `warn: flag "checkout": ${what} is known only once a plan is made, so ${policy} cannot tell`

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
    ['a reference', () => text()],
    ['a text with a reference', () => `team-${text()}`],
    ['an expression', () => 'team-${var.t}'],
  ])('a key that is %s matches no pattern yet', (_, key) => {
    generated({ key: key(), release: [] })
    const { said } = under(new NamePattern({ flags: /./ }))
    expect(said).toHaveLength(1)
    expect(said[0]).toContain(' warn: flag ')
    expect(said[0]).toContain(': its key is known only once a plan is made, so NamePattern cannot tell')
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
    generated(config(new TerraformVariable(stack, 'n', { type: 'number' }).numberValue))
    expect(under(new MaxRollout(25, { everyoneOnly: true })).said).toEqual([
      `[production/Generated] ${unknown('who is in condition 1', 'MaxRollout')}`,
    ])
  })

  it('a condition that is not known as a whole has no share to judge', () => {
    generated({
      filters: `{"groups":[${Fn.tostring(new TerraformVariable(stack, 'n', { type: 'number' }).numberValue)}]}`,
    })
    expect(under(new NoReleaseToEveryone()).said).toEqual([
      `[production/Generated] ${unknown('the share of condition 1', 'NoReleaseToEveryone')}`,
    ])
  })
})

describe('MaxRollout', () => {
  const tooFar = 'error: flag "checkout": condition 2 (everyone) goes to 30%; the ceiling is 25%'

  it('reads what our construct declares', () => {
    flag({ release: [german.at(25), When.everyone().at(30)] })
    expect(under(new MaxRollout(25)).said).toEqual([`[production/Checkout] ${tooFar}`])
  })

  it('reads past why a condition is there', () => {
    flag({ release: [german.at(25), When.everyone().at(30).because('they asked')] })
    expect(under(new MaxRollout(25)).said).toEqual([`[production/Checkout] ${tooFar}`])
  })

  it('reads what our construct declares in JSON', () => {
    const base = new Flag(stack, 'Base', { key: 'base', active: false })
    const filters = { super_groups: [] }
    flag({ release: [When.flag(base).isOn().at(5), When.everyone().at(30).because('they asked')], filters })
    expect(under(new MaxRollout(25)).said).toEqual([`[production/Checkout] ${tooFar}`])
  })

  it.each([
    ['attributes', { release: [{ rolloutPercentage: 25 }, { rolloutPercentage: 30 }] }],
    ['JSON', { filters: '{"groups":[{"rollout_percentage":25},{"rollout_percentage":30}]}' }],
  ])('reads the %s of a generated construct', (_, config) => {
    generated(config)
    expect(under(new MaxRollout(25)).said).toEqual([`[production/Generated] ${tooFar}`])
  })

  it('reads what is overridden', () => {
    flag({ release: [german.at(5), When.everyone().at(5)] }).resource.addOverride(
      'release.1.rollout_percentage',
      30,
    )
    expect(under(new MaxRollout(25)).said).toEqual([`[production/Checkout] ${tooFar}`])
  })

  it.each([
    [
      'all when no share is said',
      { release: [german] },
      'condition 1 (country is DE) goes to 100%; the ceiling is 25%',
    ],
    [
      'all when nothing is said',
      {},
      'its release is not declared, and if the service has to create it, everybody gets it',
    ],
  ])('counts as %s', (_, props, words) => {
    flag(props)
    expect(under(new MaxRollout(25)).said).toEqual([`[production/Checkout] error: flag "checkout": ${words}`])
  })

  it.each([
    ['a flag that is off', { active: false, release: [When.everyone()] }],
    ['a flag for nobody', { release: [] }],
    ['a flag below it', { release: [german.at(25)] }],
  ])('says nothing of %s', (_, props) => {
    flag(props)
    expect(under(new MaxRollout(25)).said).toEqual([])
  })

  it('leaves people that are named alone, when it is told to', () => {
    flag({ release: [german, When.everyone().at(30)] })
    expect(under(new MaxRollout(25, { everyoneOnly: true })).said).toEqual([
      `[production/Checkout] ${tooFar}`,
    ])
  })

  it('has a ceiling for each stack, and misses none in silence', () => {
    flag({ release: [german.at(30)] })
    const staging = new TerraformStack(app, 'staging')
    new Flag(staging, 'Checkout', { key: 'checkout', active: true, release: [german] })
    const ceilings = new MaxRollout({ staging: 100, production: 25 })
    expect(under(ceilings).said).toEqual([
      '[production/Checkout] error: flag "checkout": condition 1 (country is DE) goes to 30%; the ceiling is 25%',
    ])
    synthesized(staging)
    expect(annotationsOf(staging)).toEqual([])
    enforce(staging, new MaxRollout({ prod: 25 }))
    synthesized(staging)
    expect(annotationsOf(staging)).toEqual([
      '[staging/Checkout] error: flag "checkout": MaxRollout has no ceiling for the stack "staging"; give it one, 100 for none',
    ])
  })

  it('refuses a ceiling that is none', () => {
    expect(() => new MaxRollout({ production: 250 })).toThrow(
      'MaxRollout: 250 is not a percentage; it goes from 0 to 100',
    )
  })

  it.each([
    [
      'a share',
      (number: number) => ({ release: [{ rolloutPercentage: number }] }),
      'the share of condition 1 (everyone)',
    ],
    ['conditions', (number: number) => ({ filters: Fn.jsonencode({ groups: [number] }) }), 'its release'],
    ['half of a text', (number: number) => ({ filters: `{"groups":${Fn.tostring(number)}` }), 'its release'],
    [
      'a share in a text',
      (number: number) => ({ filters: `{"groups":[{"rollout_percentage":${Fn.tostring(number)}}]}` }),
      'the share of condition 1 (everyone)',
    ],
  ])('cannot tell from %s that is not known', (_, config, what) => {
    generated(config(new TerraformVariable(stack, 'n', { type: 'number' }).numberValue))
    expect(under(new MaxRollout(25)).said).toEqual([
      `[production/Generated] warn: flag "checkout": ${what} is known only once a plan is made, so MaxRollout cannot tell`,
    ])
  })

  it('shows references as what they are', () => {
    const country = new TerraformVariable(stack, 'country', { type: 'string' }).stringValue
    flag({ release: [When.person('country').is(country).at(30)] })
    expect(under(new MaxRollout(25)).said).toEqual([
      '[production/Checkout] error: flag "checkout": condition 1 (country is "(reference)") goes to 30%; the ceiling is 25%',
    ])
  })
})

describe('NoReleaseToEveryone', () => {
  it.each([
    ['everyone', { release: [When.everyone()] }],
    ['everyone at 100%', { release: [german.at(5), When.everyone().at(100)] }],
    ['everyone in JSON', { filters: { groups: [{}] } }],
  ])('refuses %s', (_, props) => {
    flag(props)
    const { said } = under(new NoReleaseToEveryone())
    expect(said.filter(line => line.includes('error'))).toHaveLength(1)
    expect(said[0]).toMatch(
      /^\[production\/Checkout] error: flag "checkout": condition \d \(everyone\) goes to all of them; name people, or say how many with at\(\.\.\.\)$/,
    )
  })

  it.each([
    ['some of everyone', { release: [When.everyone().at(99.9)] }],
    ['all of some', { release: [german] }],
    ['nobody', { release: [] }],
    ['everyone when it is off', { active: false, release: [When.everyone()] }],
  ])('lets %s pass', (_, props) => {
    flag(props)
    expect(under(new NoReleaseToEveryone()).said).toEqual([])
  })

  it('refuses generated constructs that say something else, or nothing', () => {
    generated({ variants: [{ key: 'a', rolloutPercentage: 100 }] })
    new FeatureFlag(stack, 'Silent', { key: 'silent' })
    expect(under(new NoReleaseToEveryone()).said).toEqual([
      '[production/Generated] error: flag "checkout": condition 1 (everyone) goes to all of them; name people, or say how many with at(...)',
      '[production/Silent] error: flag "silent": its release is not declared, and if the service has to create it, everybody gets it',
    ])
  })
})

describe('ProtectActive', () => {
  it('protects flags that are not off, of either sort, beside their lifecycle', () => {
    flag({ release: [], lifecycle: { ignoreChanges: ['tags'] } })
    generated({})
    new Flag(stack, 'Off', { key: 'off', active: false })
    new Flag(stack, 'Free', { key: 'free', active: true, protect: false })
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
    EventDefinition.named(stack, 'paid')
    new Plugin(stack, 'Geo', { name: 'geo' })
    const { resource } = under(new AddTags(['team-pay', 'pay']))
    expect(resource.vexil_feature_flag.checkout.tags).toEqual(['pay', 'team-pay'])
    expect(resource.vexil_feature_flag.Generated.tags).toEqual(['team-pay', 'pay'])
    expect(resource.vexil_event_definition.paid.tags).toEqual(['team-pay', 'pay'])
    expect(resource.vexil_plugin.geo).toEqual({ name: 'geo' })
  })
})
