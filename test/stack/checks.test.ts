import type { TerraformStack } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { load, problemsOf } from './load.ts'

function check(condition: string, message = 'flags are off') {
  return (stack: TerraformStack) => {
    new FeatureFlag(stack, 'flag', { key: 'flag', active: false })
    stack.addOverride('check.off', { assert: [{ condition, error_message: message }] })
  }
}

describe('a check', () => {
  it('that holds says nothing', async () => {
    expect(await problemsOf(check('${!vexil_feature_flag.flag.active}'))).toEqual([])
  })

  it('that does not hold warns with its words, and the rest goes on as with Terraform', async () => {
    const { problems, declarations } = await load(
      check('${vexil_feature_flag.flag.active}', '${vexil_feature_flag.flag.key} has to be on'),
    )
    expect(problems.map(({ message, severity }) => [severity, message])).toEqual([
      ['warning', 'check.off.assert[0]: flag has to be on'],
    ])
    expect(declarations.desired).toHaveLength(1)
  })

  it('of what only the service knows is not checked, and that is said', async () => {
    const { problems, declarations } = await load(check('${vexil_feature_flag.flag.id != ""}'))
    expect(problems.map(({ message, severity }) => [severity, message])).toEqual([
      [
        'warning',
        'check.off.assert[0]: the condition comes from vexil_feature_flag.flag.id, which only the service knows, so this condition is not checked',
      ],
    ])
    expect(declarations.desired).toHaveLength(1)
  })

  it('never shows what is sensitive', async () => {
    const problems = await problemsOf(check('${sensitive("hunter2")}'))
    expect(problems).toHaveLength(1)
    expect(problems[0]).not.toContain('hunter2')
  })
})
