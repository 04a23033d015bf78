import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../support/workspace.ts'
import { flag, flags } from './stack-app.ts'

const workspace = useWorkspace({})
const { vexil, write } = workspace

const stack = {
  'shop/cdk.tf.json': JSON.stringify(
    flags({ a: flag('checkout', { release: [{ rollout_percentage: 10 }] }) }),
  ),
  'shop/rollout_override.tofu':
    'resource "vexil_feature_flag" "a" {\n  release = [{ rollout_percentage = 77 }]\n}\n',
}
const locks = (registry: string) => `provider "${registry}/vexil/vexil" {\n  version = "0.1.0"\n}\n`

/** The share that a plan gives the flag. */
async function plannedShare(...options: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await vexil(['plan', '--stack', 'shop', '--json', ...options])
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout).changes[0].after.filters.groups[0].rollout_percentage
}

describe('a file of OpenTofu beside a stack', () => {
  it('is refused by name while nobody knows who runs the stack, and the remedy chooses that', async () => {
    await write(stack)
    expect(await vexil('plan --stack shop')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'shop/rollout_override.tofu:1:1 only OpenTofu reads this file; select the engine of the stack: --engine tofu, or --engine terraform',
      ),
    })
    expect(await plannedShare('--engine', 'tofu')).toBe(77)
    expect(await plannedShare('--engine', 'terraform')).toBe(10)
  })

  it('is read if OpenTofu wrote the lock file, and not if Terraform did; the option comes first', async () => {
    await write({ ...stack, 'shop/.terraform.lock.hcl': locks('registry.opentofu.org') })
    expect(await plannedShare()).toBe(77)
    expect(await plannedShare('--engine', 'terraform')).toBe(10)
    await write({ 'shop/.terraform.lock.hcl': locks('registry.terraform.io') })
    expect(await plannedShare()).toBe(10)
    expect(await plannedShare('--engine', 'tofu')).toBe(77)
  })

  it('is read by the command that a plan proposes', async () => {
    await write(stack)
    const { stdout } = await vexil('plan --stack shop --engine tofu')
    expect(stdout).toContain('Next: vexil apply --stack shop --engine tofu')
  })
})
