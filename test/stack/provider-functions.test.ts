import { TerraformOutput, type TerraformStack } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { desiredOf, problemsOf } from './load.ts'

const asked = (flag: FeatureFlag) => `provider::vexil::filters(${flag.fqn})`

/** A flag for a share of people, and one that says in its name how far the first one reaches. */
function build(stack: TerraformStack, percentage: number, precondition?: string) {
  const first = new FeatureFlag(stack, 'first', {
    key: 'first',
    release: [{ rolloutPercentage: percentage }],
  })
  const second = new FeatureFlag(stack, 'second', {
    key: 'second',
    active: false,
    name: `reaches \${provider::vexil::rollout(${asked(first)}).max_percentage} %`,
  })
  if (precondition !== undefined)
    second.lifecycle = {
      precondition: [{ condition: `\${${precondition}}`, errorMessage: 'too many people' }],
    }
  return first
}

describe('a function of the provider', () => {
  it.each([10, 33.3, 0.1])('is told of a flag of %s percent', async percentage => {
    const desired = await desiredOf(stack => build(stack, percentage))
    expect(desired.map(({ fields }) => fields.name)).toContain(`reaches ${percentage} %`)
  })

  it.each([
    [50, []],
    [51, [expect.stringContaining('too many people')]],
  ])('guards a flag of %s percent', async (percentage, problems) => {
    const most =
      'provider::vexil::rollout(provider::vexil::filters(vexil_feature_flag.first)).max_percentage <= 50'
    expect(await problemsOf(stack => build(stack, percentage, most))).toEqual(problems)
  })

  it('is not known while the filters are not', async () => {
    const problems = await problemsOf(stack => {
      const flag = new FeatureFlag(stack, 'left', { key: 'left', active: false })
      new FeatureFlag(stack, 'other', { key: 'other', active: false, name: `\${${asked(flag)}}` })
      new TerraformOutput(stack, 'all', { value: `\${${asked(flag)}}` })
    })
    expect(problems).toEqual([expect.stringContaining('vexil_feature_flag.left.filters')])
  })

  it('names the part that is unknown', async () => {
    const problems = await problemsOf(stack => {
      const base = new FeatureFlag(stack, 'base', { key: 'base', active: false })
      const flag = new FeatureFlag(stack, 'flag', {
        key: 'flag',
        release: [{ properties: [{ key: 'id', value: `\${${base.fqn}.id}` }] }],
      })
      new FeatureFlag(stack, 'other', { key: 'other', active: false, name: `\${${asked(flag)}}` })
    })
    const rest =
      'it comes from vexil_feature_flag.base.id, which only the service knows; take a value that the stack sets itself, or run this stack with Terraform'
    expect(problems).toEqual([
      `vexil_feature_flag.flag.release: ${rest}`,
      `vexil_feature_flag.other.name: ${rest}`,
    ])
  })

  it('hides what comes of a sensitive part', async () => {
    const problems = await problemsOf(stack => {
      const filters = '{ filters = sensitive(jsonencode({ groups = [] })) }'
      new TerraformOutput(stack, 'all', {
        value: `\${provider::vexil::rollout(provider::vexil::filters(${filters}))}`,
      })
    })
    expect(problems).toEqual([
      'output.all.value: it comes from sensitive(...), which is sensitive; set sensitive: true on the output',
    ])
  })
})
