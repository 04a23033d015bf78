import { Fn, TerraformStack, TerraformVariable } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../../src/constructs/generated/feature-flag/index.ts'
import {
  enforce,
  Flag,
  MaxRollout,
  NoReleaseToEveryone,
  When,
} from '../../../src/constructs/own-constructs.ts'
import { annotationsOf, synthesized } from '../a-stack.ts'
import { usePolicedStack } from './policed-stack.ts'
import { withoutRule } from './without-rule.ts'

const german = When.person('country').is('DE')

const { app, stack, under, flag, generated } = usePolicedStack()

describe('MaxRollout', () => {
  const tooFar = 'error: flag "checkout": condition 2 (everyone) goes to 30%; the ceiling is 25%'

  const everyone = When.everyone().at(30)
  const json = '{"groups":[{"rollout_percentage":25},{"rollout_percentage":30}]}'
  const only = (share: string) => tooFar.replace('2 (everyone) goes to 30%', share)

  it.each<[string, () => unknown, string]>([
    ['conditions', () => flag({ release: [german.at(25), everyone] }), tooFar],
    ['one with a reason', () => flag({ release: [german.at(25), everyone.because('they asked')] }), tooFar],
    [
      'JSON of our construct',
      () => flag({ release: [When.flag('base').isOn().at(5), everyone], filters: { super_groups: [] } }),
      tooFar,
    ],
    ['a share of everybody', () => flag({ rolloutPercentage: 30 }), only('1 (everyone) goes to 30%')],
    [
      'what is overridden',
      () =>
        flag({ release: [german.at(5), When.everyone().at(5)] }).resource.addOverride(
          'release.1.rollout_percentage',
          30,
        ),
      tooFar,
    ],
    ['no share, which is all', () => flag({ release: [german] }), only('1 (country is DE) goes to 100%')],
    [
      'no release at all',
      () => flag({}),
      'error: flag "checkout": its release is not declared; a flag that the service creates reaches everybody',
    ],
    [
      'attributes',
      () => generated({ release: [25, 30].map(rolloutPercentage => ({ rolloutPercentage })) }),
      tooFar,
    ],
    ['JSON', () => generated({ filters: json }), tooFar],
    ['a share', () => generated({ rolloutPercentage: 30 }), only('1 (everyone) goes to 30%')],
  ])('reads %s', (_, declare, line) => {
    declare()
    expect(under(new MaxRollout(25)).said.map(said => said.replace(/^\[.*?\] /, ''))).toEqual([line])
  })

  it('leaves people that are named alone, when it is told to', () => {
    flag({ release: [german, When.everyone().at(30)] })
    expect(under(new MaxRollout(25, { everyoneOnly: true })).said).toEqual([
      `[production/Checkout] ${tooFar}`,
    ])
  })

  it('has a ceiling for each stack(), and misses none in silence', () => {
    flag({ release: [german.at(30)] })
    const staging = new TerraformStack(app(), 'staging')
    new Flag(staging, 'Checkout', { key: 'checkout', active: true, release: [german] })
    const ceilings = new MaxRollout({ staging: 100, production: 25 })
    expect(under(ceilings).said).toEqual([
      '[production/Checkout] error: flag "checkout": condition 1 (country is DE) goes to 30%; the ceiling is 25%',
    ])
    synthesized(staging)
    expect(annotationsOf(staging)).toEqual([])
    enforce(staging, new MaxRollout({ prod: 25 }))
    synthesized(staging)
    expect(annotationsOf(staging).map(withoutRule)).toEqual([
      '[staging/Checkout] error: flag "checkout": MaxRollout has no ceiling for the stack "staging"; add one (100 for no limit)',
    ])
  })

  it('refuses a ceiling that is none', () => {
    expect(() => new MaxRollout({ production: 250 })).toThrow(
      'MaxRollout: 250 is not a percentage; write a number from 0 to 100',
    )
  })

  it.each([
    ['conditions', (number: number) => ({ filters: Fn.jsonencode({ groups: [number] }) }), 'its release'],
    ['half of a text', (number: number) => ({ filters: `{"groups":${Fn.tostring(number)}` }), 'its release'],
    [
      'a share in a text',
      (number: number) => ({ filters: `{"groups":[{"rollout_percentage":${Fn.tostring(number)}}]}` }),
      'the share of condition 1 (everyone)',
    ],
  ])('cannot tell from %s that is unknown', (_, config, what) => {
    generated(config(new TerraformVariable(stack(), 'n', { type: 'number' }).numberValue))
    expect(under(new MaxRollout(25)).said).toEqual([
      `[production/Generated] warn: flag "checkout": ${what} is known only in a plan: MaxRollout is decided when Vexil plans the stack, not by Terraform`,
    ])
  })

  it('lets Terraform decide of a share that it works out, and once however often it looks', () => {
    const share = new TerraformVariable(stack(), 'n', { type: 'number' }).numberValue
    const active = new TerraformVariable(stack(), 'on', { type: 'bool' }).booleanValue
    flag({ release: [german.at(share)] })
    generated({ key: 'other', active, release: [{ rolloutPercentage: share }] })
    expect(under(new MaxRollout(25)).said).toEqual([])
    const { said, resource } = under()
    expect(said).toEqual([])
    const errorMessage = (words: string) =>
      `condition 1 (${words}) goes to \${coalesce(var.n, 100)}%; the ceiling is 25% (MaxRollout)`
    expect(resource.vexil_feature_flag.checkout.lifecycle).toEqual({
      precondition: [
        {
          condition: '${coalesce(var.n, 100) <= 25}',
          error_message: errorMessage('country is DE'),
        },
      ],
    })
    expect(resource.vexil_feature_flag.Generated.lifecycle.precondition).toEqual([
      {
        condition: '${!coalesce(var.on, true) || coalesce(var.n, 100) <= 25}',
        error_message: errorMessage('everyone'),
      },
    ])
  })

  it('lets Terraform decide of a share of everybody that is an attribute by itself', () => {
    const rolloutPercentage = new TerraformVariable(stack(), 'n', { type: 'number' }).numberValue
    generated({ rolloutPercentage })
    const { said, resource } = under(new NoReleaseToEveryone())
    expect(said).toEqual([])
    expect(resource.vexil_feature_flag.Generated.lifecycle.precondition).toEqual([
      {
        condition: '${coalesce(var.n, 100) < 100}',
        error_message:
          'condition 1 (everyone) goes to ${coalesce(var.n, 100)}% of everybody; add properties, or a lower percentage (NoReleaseToEveryone)',
      },
    ])
  })

  it.each([
    ['refers to nothing', '${5 * 4}'],
    ['has a text around', '1${var.n}'],
    ['has expressions inside', '${tonumber("1${var.n}")}'],
  ])('leaves an expression to no precondition that %s', (_, share) => {
    generated({ release: [{ rolloutPercentage: share as never }] })
    const { said, resource } = under(new MaxRollout(15))
    expect(said).toHaveLength(1)
    expect(said[0]).toContain(
      '[production/Generated] warn: flag "checkout": the share of condition 1 (everyone) is known only in a plan: MaxRollout is decided when Vexil plans the stack, not by Terraform',
    )
    expect(resource.vexil_feature_flag.Generated.lifecycle).toBeUndefined()
  })

  it('leaves a share to no precondition where the flag may be one that is left alone', () => {
    const key = new TerraformVariable(stack(), 'key', { type: 'string' }).stringValue
    const share = new TerraformVariable(stack(), 'n', { type: 'number' }).numberValue
    generated({ key, release: [{ rolloutPercentage: share }] })
    const { said, resource } = under(new MaxRollout(25, { except: ['big'] }))
    expect(said).toHaveLength(1)
    expect(resource.vexil_feature_flag.Generated.lifecycle).toBeUndefined()
  })

  it('shows references as what they are', () => {
    const country = new TerraformVariable(stack(), 'country', { type: 'string' }).stringValue
    flag({ release: [When.person('country').is(country).at(30)] })
    expect(under(new MaxRollout(25)).said).toEqual([
      '[production/Checkout] error: flag "checkout": condition 1 (country is "(reference)") goes to 30%; the ceiling is 25%',
    ])
  })
})

describe('NoReleaseToEveryone', () => {
  it('refuses generated constructs that say something else, or nothing', () => {
    generated({ variants: [{ key: 'a', rolloutPercentage: 100 }] })
    new FeatureFlag(stack(), 'Silent', { key: 'silent' })
    expect(under(new NoReleaseToEveryone()).said).toEqual([
      '[production/Generated] error: flag "checkout": condition 1 (everyone) goes to 100% of everybody; add properties, or a lower percentage',
      '[production/Silent] error: flag "silent": its release is not declared; a flag that the service creates reaches everybody',
    ])
  })
})
