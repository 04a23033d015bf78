import { TerraformStack, TerraformVariable } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { Flag, Role } from '../../../src/constructs/own-constructs.ts'
import { matchers, startSandbox } from '../../../src/testing/index.ts'
import { anApp } from '../a-stack.ts'
import { sourcesIn, tokenForms } from './token-forms.ts'

const context = { equals: Object.is }
const roleId = '01900000-0000-0000-0000-0000000000aa'

/** What is said, or that nothing is. */
async function refusalOf(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    return String(error)
  }
  return 'nothing is refused'
}

// biome-ignore lint/suspicious/noExplicitAny: whatever people pass
const takers: Readonly<Record<string, (stack: TerraformStack, value: any) => unknown>> = {
  'toHaveResource(type)': (stack, value) => matchers.toHaveResource.call(context, stack, value),
  'toHaveResource(attributes)': (stack, value) => matchers.toHaveResource.call(context, stack, Flag, value),
  'toHaveResource(attributes): one': (stack, value) =>
    matchers.toHaveResource.call(context, stack, Flag, { release: [{ rollout_percentage: value }] }),
  'toPlan(expected)': (stack, value) => matchers.toPlan.call(context, stack, value),
  'toPlan(expected): an address': (stack, value) => matchers.toPlan.call(context, stack, { create: [value] }),
  'toPlan(options.stack)': (stack, value) => matchers.toPlan.call(context, stack, {}, { stack: value }),
  'toPlan(options.provider)': (stack, value) => matchers.toPlan.call(context, stack, {}, { provider: value }),
  'toPlan(options.variables)': (stack, value) =>
    matchers.toPlan.call(context, stack, {}, { variables: { v: value } }),
  'startSandbox(options.roles)': (_, value) => startSandbox({ roles: [{ id: value }] }),
  'startSandbox(options.world)': (_, value) => startSandbox({ world: value }),
}

describe('what a test compares with is known', () => {
  it.each(Object.entries(takers))('a reference is refused in each of its forms: %s', async (_, take) => {
    const app = anApp()
    const wrong: string[] = []
    for (const [index, { title, make }] of tokenForms.entries()) {
      const stack = new TerraformStack(app, `stack-${index}`)
      const said = await refusalOf(() => take(stack, make(sourcesIn(stack))))
      if (!/^TypeError: ".*" is known only in a plan; /.test(said)) wrong.push(`${title}: ${said}`)
    }
    expect(wrong).toEqual([])
  })

  it('the text of an expression is what a stack has in the place of a reference', () => {
    const stack = new TerraformStack(anApp(), 'flags')
    const { value } = new TerraformVariable(stack, 'name', { default: 'x' })
    new Flag(stack, 'X', { key: 'x', name: value, active: false, editors: [Role.fromId(roleId)] })
    const verdict = matchers.toHaveResource.call(context, stack, Flag, { key: 'x', name: '${var.name}' })
    expect(verdict.pass).toBe(true)
  })
})
