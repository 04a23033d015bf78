import { Fn, Op, TerraformVariable, Token } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { EventDefinition } from '../../src/constructs/generated/event-definition/index.ts'
import { FeatureFlag, type FeatureFlagConfig } from '../../src/constructs/generated/feature-flag/index.ts'
import { Plugin } from '../../src/constructs/generated/plugin/index.ts'
import { Flag, Variants, When } from '../../src/constructs/own-constructs.ts'
import { desiredOf, fieldsOf, load } from './load.ts'

async function flagFields(config: Partial<FeatureFlagConfig>) {
  return fieldsOf(stack => {
    new FeatureFlag(stack, 'flag', { key: 'flag', ...config })
  })
}

describe('a flag', () => {
  it('has the fields that it is given, and no others', async () => {
    expect(await flagFields({})).toEqual({})
    expect(
      await flagFields({
        active: true,
        name: 'New',
        tags: ['b', 'a', 'b'],
        ensureExperienceContinuity: true,
        rollbackConditions: '[{"threshold": 5}]',
        adopt: true,
        allow: ['experiment'],
      }),
    ).toEqual({
      active: true,
      name: 'New',
      tags: ['a', 'b'],
      ensure_experience_continuity: true,
      rollback_conditions: [{ threshold: 5 }],
    })
  })

  it('is released to a share of everybody', async () => {
    expect(await flagFields({ rolloutPercentage: 25, payload: '1' })).toEqual({
      filters: { groups: [{ rollout_percentage: 25 }], payloads: { true: '1' } },
    })
  })

  it('is released by its typed attributes', async () => {
    const fields = await flagFields({
      release: [
        {
          properties: [
            { key: 'country', values: ['DE', 'AT'], operator: 'exact' },
            { key: 'id', type: 'cohort', value: '3', negation: true },
          ],
          rolloutPercentage: 12.5,
          variant: 'a',
        },
        { rolloutPercentage: 5 },
        {},
      ],
      variants: [
        { key: 'a', rolloutPercentage: 33.3, payload: '{"big": 12345678901234567890}' },
        { key: 'b', name: 'B', rolloutPercentage: 66.7 },
      ],
    })
    expect(fields).toEqual({
      filters: {
        groups: [
          {
            properties: [
              { key: 'country', type: 'person', value: ['DE', 'AT'] },
              { key: 'id', type: 'cohort', value: 3, negation: true },
            ],
            rollout_percentage: 12.5,
            variant: 'a',
          },
          { rollout_percentage: 5 },
          {},
        ],
        multivariate: {
          variants: [
            { key: 'a', rollout_percentage: 33.3 },
            { key: 'b', name: 'B', rollout_percentage: 66.7 },
          ],
        },
        payloads: { a: '{"big": 12345678901234567890}' },
      },
    })
  })

  it('has a note of why a condition is there, whichever way it is written', async () => {
    const groups = [
      { properties: [{ key: 'country', type: 'person', value: ['DE'] }], description: 'say "hi" ${no}' },
      { rollout_percentage: 5, description: '' },
    ]
    const typed = await flagFields({
      release: [
        { properties: [{ key: 'country', values: ['DE'] }], description: 'say "hi" $${no}' },
        { rolloutPercentage: 5, description: '' },
      ],
    })
    const json = await flagFields({ filters: JSON.stringify({ groups }).replaceAll('${', '$$$${') })
    const ours = await fieldsOf(stack => {
      const release = [
        When.person('country').is('DE').because('say "hi" ${no}'),
        When.everyone().at(5).because(''),
      ]
      new Flag(stack, 'Flag', { key: 'flag', active: true, release })
    })
    expect(typed).toEqual({ filters: { groups } })
    expect(json).toEqual(typed)
    expect(ours).toEqual({ active: true, ...typed })
  })

  it('is released to groups', async () => {
    const fields = await flagFields({
      release: [{ properties: [{ key: 'plan', type: 'group', groupTypeIndex: 2, value: 'pro' }] }],
      groupTypeIndex: 2,
      payload: '"x"',
    })
    expect(fields).toEqual({
      filters: {
        groups: [
          {
            properties: [{ key: 'plan', type: 'group', value: 'pro', group_type_index: 2 }],
          },
        ],
        payloads: { true: '"x"' },
        aggregation_group_type_index: 2,
      },
    })
  })

  it('is released to nobody by no condition', async () => {
    expect(await flagFields({ release: [] })).toEqual({ filters: { groups: [] } })
  })

  it('takes filters as JSON, exactly', async () => {
    const groups = [{ properties: [{ key: 'x', type: 'person', value: 'say "hi" ${no} %{no}' }] }]
    const escaped = JSON.stringify({ groups }).replace(/([$%])\{/g, '$1$1{')
    expect(await flagFields({ filters: escaped })).toEqual({ filters: { groups } })
    expect(await flagFields({ filters: Fn.jsonencode({ groups: [{ rollout_percentage: 5 }] }) })).toEqual({
      filters: { groups: [{ rollout_percentage: 5 }] },
    })
  })

  it('has what variables say in any part of it', async () => {
    const fields = await fieldsOf(
      stack => {
        const share = new TerraformVariable(stack, 'share', { type: 'number' })
        const isOn = new TerraformVariable(stack, 'on', { type: 'bool' })
        new Flag(stack, 'Flag', {
          key: 'flag',
          active: isOn.booleanValue as unknown as boolean,
          variants: Variants.even('a', 'b'),
          payloads: { a: { text: 'is ${x} and "y"', share: share.numberValue } },
          release: [When.person('email').contains('@example.com').at(share.numberValue)],
        })
      },
      { variables: { share: '7', on: 'true' } },
    )
    expect(fields).toMatchObject({
      active: true,
      filters: {
        groups: [{ rollout_percentage: 7 }],
        payloads: { a: '{"text":"is ${x} and \\"y\\"","share":7}' },
      },
    })
  })

  it('is computed by operators and functions', async () => {
    const fields = await fieldsOf(stack => {
      new FeatureFlag(stack, 'flag', {
        key: Fn.join('-', [Fn.lower('ABC'), Token.asString(Op.add(1, 2))]),
        name: Token.asString(Fn.conditional(Op.gt(2, 1), 'more', 'less')),
        release: [{ rolloutPercentage: Fn.floor(Op.div(100, 3)) }],
      })
    })
    expect(fields).toEqual({
      name: 'more',
      filters: { groups: [{ rollout_percentage: 33 }] },
    })
  })

  it('allows rules', async () => {
    const [desired] = await desiredOf(stack => {
      new FeatureFlag(stack, 'flag', { key: ' flag ', allow: ['survey', 'rollback'] })
    })
    expect(desired).toMatchObject({ identity: 'flag', allow: ['rollback', 'survey'] })
  })

  it('reads texts in one spelling of Unicode, as Terraform does', async () => {
    expect(await flagFields({ name: 'e\u0301' })).toEqual({ name: '\u00e9' })
  })
})

describe('a plugin', () => {
  it('brings its source files as they are', async () => {
    const text = 'const a = `$${b}` // %%{c}\n'
    const [desired] = await desiredOf(stack => {
      new Plugin(stack, 'p', {
        name: 'geo',
        pluginType: 'source',
        isGlobal: false,
        configSchema: '[{"key": "city"}]',
        source: { 'index.ts': text },
      })
    })
    expect(desired).toEqual({
      address: 'plugin.geo',
      kind: 'plugin',
      identity: 'geo',
      ensure: 'present',
      fields: { plugin_type: 'source', is_global: false, config_schema: [{ key: 'city' }] },
      files: { 'index.ts': 'const a = `${b}` // %{c}\n' },
    })
  })
})

describe('an event definition', () => {
  it('is declared with its tags', async () => {
    const desired = await desiredOf(stack => {
      new EventDefinition(stack, 'e', { name: 'paid', tags: ['x'], postToChat: true, onDestroy: 'forget' })
    })
    expect(desired).toEqual([
      {
        address: 'event_definition.paid',
        kind: 'event_definition',
        identity: 'paid',
        ensure: 'present',
        fields: { tags: ['x'], post_to_chat: true },
      },
    ])
  })

  it.each(['restore', 'delete'] as const)('cannot be let go of by %s, and that is said', async onDestroy => {
    const { problems, declarations } = await load(stack => {
      new EventDefinition(stack, 'e', { name: 'paid', onDestroy })
    })
    expect(declarations.desired).toHaveLength(1)
    expect(problems).toMatchObject([
      {
        severity: 'warning',
        message: `vexil_event_definition.e.on_destroy: "${onDestroy}" only works in Terraform: Vexil does not change objects that are no longer declared`,
      },
    ])
  })
})

describe('a share', () => {
  it.each([
    ['${try(tonumber(".5"), 100)}', 0.5],
    ['${can(tonumber("5.")) ? "5." : 100}', 5],
    ['5p1', 10],
    ['${max(csvdecode("n\\n.5e1")[0].n, 1)}', 5],
    ['${coalesce(7, null, false)}', 7],
    ['${length(range(4, 4, 0)) + 3}', 3],
  ])('is released to the share that %s is to the engines', async (share, percentage) => {
    const fields = await fieldsOf(stack => {
      new FeatureFlag(stack, 'f', { key: 'f', active: true, rolloutPercentage: share as never })
    })
    expect(fields?.filters).toMatchObject({ groups: [{ rollout_percentage: percentage }] })
  })

  it('is released to the share of a variable that is a number to the engines', async () => {
    const build: Parameters<typeof fieldsOf>[0] = stack => {
      const share = new TerraformVariable(stack, 'share', { type: 'number' })
      new FeatureFlag(stack, 'f', { key: 'f', active: true, rolloutPercentage: share.numberValue })
    }
    const fields = await fieldsOf(build, { variables: { share: '.5' } })
    expect(fields?.filters).toMatchObject({ groups: [{ rollout_percentage: 0.5 }] })
  })
})
