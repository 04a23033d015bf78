import { join } from 'node:path'
import { App, Aspects, TerraformStack, TerraformVariable } from 'cdktf'
import { beforeEach, describe, expect, it } from 'vitest'
import { VexilProvider } from '../../src/constructs/generated/provider/index.ts'
import { Flag, MaxRollout, When } from '../../src/constructs/own-constructs.ts'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({})
const { vexil, service } = workspace

beforeEach(() => {
  const app = new App({ outdir: join(workspace().path, 'cdktf.out') })
  Aspects.of(app).add(new MaxRollout(25))
  const stack = new TerraformStack(app, 'shop')
  new VexilProvider(stack, 'vexil', {})
  const { numberValue } = new TerraformVariable(stack, 'share', { type: 'number' })
  new Flag(stack, 'Checkout', { key: 'checkout', active: true, release: [When.everyone().at(numberValue)] })
  app.synth()
})

const stack = ['--stack', 'shop']

describe('the policies of an app', () => {
  it.each([
    ['validate', []],
    ['plan', []],
    ['apply', ['--auto-approve']],
  ])('stop vexil %s of its stack where a value that is worked out is against them', async (command, more) => {
    const line = [command, ...stack, '--var', 'share=50', ...more]
    const { result, requests } = await service.watch(() => vexil(line))
    const { code, stdout, stderr } = result
    expect(code).toBe(1)
    expect(stdout + stderr).toContain(
      'vexil_feature_flag.checkout: [shop/Checkout] condition 1 (everyone) goes to 50%; the ceiling is 25% (MaxRollout)',
    )
    expect(stdout + stderr).toMatch(/stack-policies\.test\.ts:\d+:\d+ vexil_feature_flag\.checkout/)
    expect(requests).toEqual([])
  })

  it('say nothing where it is not, and nothing is left to say of the synthesis', async () => {
    const validated = await vexil(['validate', ...stack, '--var', 'share=25'])
    expect(validated).toMatchObject({ code: 0, stderr: '' })
    const planned = await vexil(['plan', ...stack, '--var', 'share=25'])
    expect(planned).toMatchObject({ code: 0, stderr: '' })
    expect(planned.stdout).toContain('+ flag checkout')
  })
})
