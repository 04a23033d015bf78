import { type TerraformStack, TerraformVariable, Testing } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../../src/constructs/generated/feature-flag/index.ts'
import { Flag, Variants, When } from '../../../src/constructs/own-constructs.ts'
import { aStack, flagAttributes, saidOf, synthesized } from '../a-stack.ts'

describe('Flag', () => {
  it('declares who gets what in attributes that a plan shows line by line', () => {
    const attributes = flagAttributes({
      name: 'New checkout',
      active: true,
      variants: Variants.even('control', 'test'),
      payloads: { test: { steps: 1 } },
      release: [
        When.person('email').contains('@example.com').serve('test'),
        When.person('country').is('DE').and(When.notInCohort(12)).at(25),
        When.everyone().at(0.5),
      ],
      tags: ['team-pay'],
    })
    expect(attributes).toEqual({
      key: 'checkout',
      name: 'New checkout',
      active: true,
      variants: [
        { key: 'control', rollout_percentage: 50 },
        { key: 'test', rollout_percentage: 50, payload: '{"steps":1}' },
      ],
      release: [
        { properties: [{ key: 'email', operator: 'icontains', value: '@example.com' }], variant: 'test' },
        {
          properties: [
            { key: 'country', values: ['DE'] },
            { key: 'id', type: 'cohort', operator: 'not_in', value: '12' },
          ],
          rollout_percentage: 25,
        },
        { rollout_percentage: 0.5 },
      ],
      tags: ['team-pay'],
    })
  })

  it('says why a condition is there beside it, with what is known only later', () => {
    const stack = aStack()
    const team = new TerraformVariable(stack, 'team', { type: 'string' }).stringValue
    new Flag(stack, 'Checkout', {
      key: 'checkout',
      active: true,
      release: [
        When.person('country').is('DE').at(25).because('a ${first} step'),
        When.everyone().at(5).because(`asked for by ${team}`),
      ],
    })
    expect(synthesized(stack).resource.vexil_feature_flag.checkout).toEqual({
      key: 'checkout',
      active: true,
      release: [
        {
          properties: [{ key: 'country', values: ['DE'] }],
          rollout_percentage: 25,
          description: 'a $${first} step',
        },
        { rollout_percentage: 5, description: 'asked for by ${var.team}' },
      ],
    })
  })

  it('is released to groups of a type', () => {
    expect(
      flagAttributes({ groupTypeIndex: 2, release: [When.group('plan').is('pro')], active: true }),
    ).toEqual({
      key: 'checkout',
      active: true,
      group_type_index: 2,
      release: [{ properties: [{ key: 'plan', type: 'group', values: ['pro'], group_type_index: 2 }] }],
    })
  })

  it('counts groups of several types, each condition its own, and may be out early', () => {
    expect(
      flagAttributes({
        active: true,
        earlyExit: true,
        release: [When.group('plan').is('pro').ofGroups(1).at(5), When.person('country').is('DE').at(10)],
      }),
    ).toEqual({
      key: 'checkout',
      active: true,
      early_exit: true,
      release: [
        {
          properties: [{ key: 'plan', type: 'group', values: ['pro'], group_type_index: 1 }],
          rollout_percentage: 5,
          group_type_index: 1,
        },
        { properties: [{ key: 'country', values: ['DE'] }], rollout_percentage: 10 },
      ],
    })
  })

  it('is released to a share of everybody', () => {
    const attributes = flagAttributes({ active: true, rolloutPercentage: 25 })
    expect(attributes).toEqual(flagAttributes({ active: true, release: [When.everyone().at(25)] }))
    expect(() => flagAttributes({ active: true, rolloutPercentage: 25, release: [] })).toThrow(
      '"release" and "rolloutPercentage" mean the same: remove one of them',
    )
    expect(() => flagAttributes({ active: true, rolloutPercentage: 101 })).toThrow('101 is not a percentage')
  })

  it('adds conditions behind a share of everybody', () => {
    const stack = aStack()
    const flag = new Flag(stack, 'Checkout', { key: 'checkout', active: true, rolloutPercentage: 25 })
    flag.addRelease(When.person('country').is('AT').at(10))
    expect(synthesized(stack).resource.vexil_feature_flag.checkout.release).toMatchObject([
      { rollout_percentage: 25 },
      { rollout_percentage: 10 },
    ])
  })

  it('is released to nobody', () => {
    expect(flagAttributes({ active: true, release: [] })).toEqual({
      key: 'checkout',
      active: true,
      release: [],
    })
  })

  it('leaves to others what it does not say', () => {
    expect(flagAttributes({})).toEqual({ key: 'checkout' })
  })

  it.each([
    ['a value', { steps: [1, null] }, '{"steps":[1,null]}'],
    ['null', null, 'null'],
    ['a text', 'hello', '"hello"'],
    ['a text that is JSON', '{"id": 12345678901234567890}', '{"id": 12345678901234567890}'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['members without a value', { a: undefined, b: 1 }, '{"b":1}'],
  ])('gives %s as its payload', (_, payload, text) => {
    expect(flagAttributes({ active: true, release: [], payload }).payload).toBe(text)
  })

  it('asks another flag in attributes as well', () => {
    const stack = aStack()
    const base = new Flag(stack, 'Base', { key: 'base', active: true, release: [] })
    const asked = When.flag(base)
    const release = [asked.isOn().at(5), asked.isOff(), asked.serves('bold')]
    new Flag(stack, 'Checkout', { key: 'checkout', active: true, release })
    const asking = (value: string) => ({
      key: '${vexil_feature_flag.base.key}',
      type: 'flag',
      operator: 'flag_evaluates_to',
      value,
    })
    expect(synthesized(stack).resource.vexil_feature_flag.checkout.release).toEqual([
      { properties: [asking('true')], rollout_percentage: 5 },
      { properties: [asking('false')] },
      { properties: [asking('bold')] },
    ])
  })

  it('asks a flag that is declared elsewhere by its key', () => {
    const stack = aStack()
    new Flag(stack, 'Checkout', { key: 'checkout', active: true, release: [When.flag('base').isOn()] })
    const [condition] = synthesized(stack).resource.vexil_feature_flag.checkout.release
    expect(condition.properties).toEqual([
      { key: 'base', type: 'flag', operator: 'flag_evaluates_to', value: 'true' },
    ])
  })

  it.each([
    ['a variant that is called "true"', () => 'true', '"true"'],
    [
      'a variant that may be called so',
      (stack: TerraformStack) => new TerraformVariable(stack, 'v', { type: 'string' }).stringValue,
      '${jsonencode(var.v)}',
    ],
  ])('says in JSON what the attributes take for something else: %s', (_, variant, written) => {
    const stack = aStack()
    const base = new Flag(stack, 'Base', { key: 'base', active: true, release: [] })
    const release = [When.flag(base).serves(variant(stack))]
    new Flag(stack, 'Checkout', { key: 'checkout', active: true, release })
    expect(synthesized(stack).resource.vexil_feature_flag.checkout.filters).toBe(
      '{"groups":[{"properties":[{"key":${jsonencode(vexil_feature_flag.base.key)},"type":"flag",' +
        `"value":${written},"operator":"flag_evaluates_to"}]}]}`,
    )
  })

  it('says in JSON what the attributes cannot say', () => {
    const stack = aStack()
    const base = new Flag(stack, 'Base', { key: 'base', active: true, release: [] })
    new Flag(stack, 'Checkout', {
      key: 'checkout',
      active: true,
      variants: Variants.even('a', 'b'),
      payloads: { a: { text: 'say "hi"' } },
      release: [When.flag(base).isOn().at(5), When.flag(base).isOff().serve('a').because('they wait')],
      filters: { super_groups: [] },
    })
    const { filters, ...others } = synthesized(stack).resource.vexil_feature_flag.checkout
    expect(others).toEqual({ key: 'checkout', active: true })
    const key = '${jsonencode(vexil_feature_flag.base.key)}'
    expect(JSON.parse(filters.replaceAll(key, '"7"'))).toEqual({
      groups: [
        {
          properties: [{ key: '7', type: 'flag', value: true, operator: 'flag_evaluates_to' }],
          rollout_percentage: 5,
        },
        {
          properties: [{ key: '7', type: 'flag', value: false, operator: 'flag_evaluates_to' }],
          variant: 'a',
          description: 'they wait',
        },
      ],
      multivariate: {
        variants: [
          { key: 'a', rollout_percentage: 50 },
          { key: 'b', rollout_percentage: 50 },
        ],
      },
      payloads: { a: { text: 'say "hi"' } },
      super_groups: [],
    })
  })

  it("takes members of the service's own filters", () => {
    const { filters, release } = flagAttributes({
      active: true,
      release: [When.everyone().at(5)],
      filters: { super_groups: [{ properties: [], rollout_percentage: 1 }] },
    })
    expect(release).toBeUndefined()
    expect(JSON.parse(String(filters))).toEqual({
      groups: [{ properties: [], rollout_percentage: 5 }],
      super_groups: [{ properties: [], rollout_percentage: 1 }],
    })
  })

  it('takes all the rest of what a flag has', () => {
    const stack = aStack()
    new Flag(stack, 'Checkout', {
      key: 'checkout',
      active: false,
      ensureExperienceContinuity: true,
      rollbackConditions: [{ threshold: 5 }],
      allow: ['survey'],
      adopt: true,
      projectId: '2',
      logicalId: 'old_name',
    })
    expect(synthesized(stack).resource.vexil_feature_flag).toEqual({
      old_name: {
        key: 'checkout',
        active: false,
        ensure_experience_continuity: true,
        rollback_conditions: '[{"threshold":5}]',
        allow: ['survey'],
        adopt: true,
        project_id: '2',
      },
    })
  })

  it('is protected from being deleted, beside its lifecycle', () => {
    expect(flagAttributes({ protect: true, lifecycle: { ignoreChanges: ['tags'] } })).toEqual({
      key: 'checkout',
      lifecycle: { prevent_destroy: true, ignore_changes: ['tags'] },
    })
  })

  it('lets people reach the generated construct', () => {
    const stack = aStack()
    const flag = new Flag(stack, 'Checkout', { key: 'checkout' })
    expect(flag.resource).toBeInstanceOf(FeatureFlag)
    expect(flag.node.defaultChild).toBe(flag.resource)
    flag.resource.addOverride('release', [])
    flag.resource.importFrom('7')
    const { resource, import: imported } = synthesized(stack)
    expect(resource.vexil_feature_flag).toEqual({ checkout: { key: 'checkout', release: [] } })
    expect(imported).toEqual([{ id: '7', to: 'vexil_feature_flag.checkout' }])
  })

  it('looks up a flag of others once, however many ask for it', () => {
    const stack = aStack()
    const legacy = Flag.fromKey(stack, 'Legacy', 'legacy_nav')
    const again = Flag.fromKey(stack, 'Again', 'legacy_nav')
    const elsewhere = Flag.fromKey(stack, 'Elsewhere', 'legacy_nav', { projectId: '2' })
    expect([legacy.key, again.key, elsewhere.key]).toEqual(['legacy_nav', 'legacy_nav', 'legacy_nav'])
    expect(synthesized(stack).data.vexil_feature_flag).toEqual({
      legacy_nav: { key: 'legacy_nav' },
      'legacy_nav--2': { key: 'legacy_nav', project_id: '2' },
    })
  })

  it.each([
    [{}, '"active" and "release" are not declared'],
    [{ active: true }, '"release" is not declared'],
    [{ release: [] }, '"active" is not declared'],
  ])('warns where a new flag would be open: %j', (props, words) => {
    const stack = aStack()
    new Flag(stack, 'Checkout', { key: 'checkout', ...props })
    expect(saidOf(stack)).toEqual([
      `[flags/Checkout] warn: ${words}: if the service has to create this flag, it will be on, and for everybody without "release"`,
    ])
  })

  it.each([[{ active: false }], [{ active: true, release: [] }]])('warns of nothing: %j', props => {
    const stack = aStack()
    new Flag(stack, 'Checkout', { key: 'checkout', ...props })
    expect(saidOf(stack)).toEqual([])
  })

  it('passes on what is odd about its release', () => {
    const stack = aStack()
    const release = [When.everyone(), When.person('country').is('DE').at(5)]
    new Flag(stack, 'Checkout', { key: 'checkout', active: true, release })
    expect(saidOf(stack)).toEqual([
      '[flags/Checkout] warn: condition 2 can never match: condition 1 takes everyone at 100% (remove it, or move it to the first place)',
    ])
    expect(Testing.synth(stack)).toContain('"checkout"')
  })
})
