import { type TerraformStack, TerraformVariable } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { EventDefinition, Flag, Plugin, Variants } from '../../src/constructs/own-constructs.ts'
import type { Sensitive } from '../../src/model/field.ts'
import { flagAttributes, refusal } from '../constructs/a-stack.ts'
import { useWorkspace } from '../support/workspace.ts'
import { desiredOf, problemsOf } from './load.ts'

const bench = useWorkspace({ 'vexil.yaml': 'version: 1\n' })

const on = { active: true, rolloutPercentage: 10, payload: { price: 9 } }

describe('sensitive of a construct', () => {
  it.each<[boolean | readonly string[], Sensitive | undefined]>([
    [true, true],
    [false, undefined],
    [['true'], ['true']],
  ])('reaches what Vexil reads of a stack, for %j', async (sensitive, hidden) => {
    const desired = await desiredOf(stack => {
      new Flag(stack, 'Checkout', { key: 'checkout', ...on, sensitive })
      new Flag(stack, 'Open', { key: 'open', ...on })
    })
    expect(desired.map(one => [one.identity, one.sensitive])).toEqual([
      ['checkout', hidden],
      ['open', undefined],
    ])
  })

  const secret = (stack: TerraformStack) =>
    new TerraformVariable(stack, 'price', { type: 'string', sensitive: true }).stringValue
  const variants = Variants.even('a', 'b')

  it('lets a payload come from something sensitive, which no plan shows then', async () => {
    const desired = await desiredOf(
      stack => {
        const price = secret(stack)
        new Flag(stack, 'One', { ...on, key: 'one', payload: { price }, sensitive: true })
        const two = { key: 'two', active: true, rolloutPercentage: 10, variants, payloads: { a: price } }
        new Flag(stack, 'Two', { ...two, sensitive: ['a'] })
      },
      { variables: { price: 'hunter2' } },
    )
    expect(desired.map(({ fields, sensitive }) => [fields.filters, sensitive])).toMatchObject([
      [{ payloads: { true: '{"price":"hunter2"}' } }, true],
      [{ payloads: { a: '"hunter2"' } }, ['a']],
    ])
  })

  it.each<[string, unknown, string]>([
    ['for a flag that hides nothing', undefined, 'which is sensitive, and a plan would show it'],
    ['where another variant is hidden', ['b'], 'which is sensitive, and a plan would show it'],
    ['for a payload that is no JSON', true, 'what var.price holds, which is sensitive, does not fit here'],
  ])('shows nothing of what is sensitive %s', async (_, sensitive, words) => {
    const problems = await problemsOf(
      stack => {
        const more = {
          variants: [
            { key: 'a', rolloutPercentage: 50, payload: secret(stack) },
            { key: 'b', rolloutPercentage: 50, payload: '1' },
          ],
        }
        const flag = new FeatureFlag(stack, 'Two', {
          key: 'two',
          active: true,
          release: [{ rolloutPercentage: 5 }],
          ...more,
        })
        flag.addOverride('//.vexil', { sensitive })
      },
      { variables: { price: '{"price": hunter2' } },
    )
    expect(problems).toEqual([expect.stringContaining(words)])
    expect(problems.join()).not.toContain('hunter')
  })

  it('is sent, and in nothing that is shown or recorded', async () => {
    const { vexil, write, flag, records, read } = bench()
    const one = { key: 'one', active: true, rollout_percentage: 10, payload: `$\{var.price}` }
    const json = {
      variable: { price: { sensitive: true } },
      resource: { vexil_feature_flag: { one: { ...one, '//': { vexil: { sensitive: true } } } } },
    }
    await write({ 'cdk.tf.json': JSON.stringify(json) })
    const env = { ...bench().service.env, TF_VAR_price: '{"price": "hunter2"}' }
    const lines = ['plan', 'plan --json', 'apply --auto-approve', 'plan --detailed-exitcode']
    for (const line of lines) {
      const { code, stdout, stderr } = await vexil(`${line} --stack .`, { env })
      expect([code, stderr.match(/^error.*/m)]).toEqual([0, null])
      expect(stdout + stderr).not.toContain('hunter2')
    }
    expect((await flag('one')).filters).toMatchObject({ payloads: { true: '{"price": "hunter2"}' } })
    const names = await records()
    expect(names).not.toEqual([])
    for (const name of names) expect(await read(`.vexil/runs/${name}`)).not.toContain('hunter2')
  })

  it('is there for plugins as well', async () => {
    const [plugin] = await desiredOf(stack => {
      new Plugin(stack, 'Geo', { name: 'geo', sensitive: true })
    })
    expect(plugin).toMatchObject({ identity: 'geo', sensitive: true })
  })

  it('is nothing that Terraform reads', () => {
    expect(flagAttributes({ ...on, sensitive: ['true'] })).toEqual(flagAttributes(on))
  })

  it.each<[string, unknown, string]>([
    ['a text', 'yes', '"sensitive" is "yes", not true, false or a list of variants'],
    ['a list of something else', [1], '"sensitive[0]" is 1, not a text'],
    [
      'a name that no payload has',
      ['tru'],
      'sensitive names "tru", for which there is no payload; did you mean "true"?',
    ],
  ])('refuses %s', (_, sensitive, words) => {
    // What JavaScript may give.
    expect(refusal({ ...on, sensitive: sensitive as boolean })).toContain(words)
  })

  it.each<[unknown, string]>([
    ['yes', 'the value must be true, or a list of variants'],
    [[1], 'the value must be true, or a list of variants'],
    [['tru'], 'it names "tru", for which there is no payload; did you mean "true"?'],
  ])('refuses %j where it was written into a stack by hand', async (sensitive, words) => {
    const [problem = ''] = await problemsOf(stack => {
      new Flag(stack, 'Checkout', { key: 'checkout', ...on }).resource.addOverride('//.vexil', { sensitive })
    })
    expect(problem).toContain(words)
  })

  it('is refused of what has nothing to hide', async () => {
    const [problem = ''] = await problemsOf(stack => {
      const event = new EventDefinition(stack, 'Seen', { name: 'seen', tags: ['a'] })
      event.resource.addOverride('//.vexil', { sensitive: true })
    })
    expect(problem).toContain('vexil_event_definition.seen.sensitive: a event has no values to hide')
  })
})
