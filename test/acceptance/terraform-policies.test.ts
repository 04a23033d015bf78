import { TerraformStack, TerraformVariable, Testing, Token } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { VexilProvider } from '../../src/constructs/generated/provider/index.ts'
import { Flag, MaxRollout, When } from '../../src/constructs/own-constructs.ts'
import { enforce } from '../../src/constructs/policies/policy-aspect.ts'
import { anApp } from '../constructs/a-stack.ts'
import { useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'

const open = useTerraform()

/** A stack as it is synthesized, its comments included, but for where the service is. */
function policed(build: (stack: TerraformStack) => void): string {
  const stack = new TerraformStack(anApp(), 'shop')
  new VexilProvider(stack, 'vexil', {})
  build(stack)
  enforce(stack, new MaxRollout(25))
  Testing.synth(stack)
  const { provider: _provider, terraform: _terraform, ...rest } = stack.toTerraform()
  return JSON.stringify(rest)
}

function checkout(stack: TerraformStack, share: number): void {
  new Flag(stack, 'Checkout', { key: 'checkout', active: true, release: [When.everyone().at(share)] })
}

describe.skipIf(!terraform)('a share that Terraform works out', () => {
  it('ends its plan where a policy forbids it', async () => {
    const stack = await open('')
    const json = policed(shop => {
      checkout(shop, new TerraformVariable(shop, 'share', { type: 'number' }).numberValue)
    })
    expect(json).toContain('"policy":"MaxRollout"')
    await stack.write({ 'cdk.tf.json': json })
    const refused = (shown: number) => [
      { detail: `condition 1 (everyone) goes to ${shown}%; the ceiling is 25% (MaxRollout)` },
    ]
    expect(await stack.refusals('plan', '-var=share=26')).toMatchObject(refused(26))
    await stack.write({ 'nothing.tfvars': 'share = null' })
    expect(await stack.refusals('plan', '-var-file=nothing.tfvars')).toMatchObject(refused(100))
    expect(await stack.plan('-var=share=25')).toEqual({ 'vexil_feature_flag.checkout': 'create' })
  })

  it('ends its apply before the flag is made where only that tells the share', async () => {
    const stack = await open('')
    const json = policed(shop => {
      new Flag(shop, 'Base', { key: 'base', active: false, release: [] })
      checkout(shop, Token.asNumber(`\${vexil_feature_flag.base.id % 2 + 50}`))
    })
    await stack.write({ 'cdk.tf.json': json })
    await stack.plan()
    const [refusal] = await stack.refusals('apply', '-auto-approve')
    expect(refusal?.detail).toMatch(/goes to 5[01]%; the ceiling is 25% \(MaxRollout\)/)
    expect(Object.keys(await stack.state())).toEqual(['vexil_feature_flag.base'])
  })
})
