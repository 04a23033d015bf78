import { join } from 'node:path'
import { App, TerraformStack } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { VexilProvider } from '../../src/constructs/generated/provider/index.ts'
import { Flag, When } from '../../src/constructs/own-constructs.ts'
import { organization, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({})
const { vexil, service } = workspace

interface Place {
  readonly projectId: string
  /** Whether the flag that `checkout` waits for is on. */
  readonly isOn: boolean
  /** What the test of `checkout` expects. */
  readonly expected: boolean
}

/** Synthesizes a stack for each place, all with flags of the same keys. */
function synthesize(places: Readonly<Record<string, Place>>): void {
  const app = new App({ outdir: join(workspace().path, 'cdktf.out'), skipValidation: true })
  for (const [name, { projectId, isOn, expected }] of Object.entries(places)) {
    const stack = new TerraformStack(app, name)
    new VexilProvider(stack, 'vexil', { projectId })
    const base = new Flag(stack, 'Base', { key: 'base', active: isOn, release: [When.everyone().at(100)] })
    new Flag(stack, 'Checkout', {
      key: 'checkout',
      active: true,
      release: [When.flag(base).isOn()],
    }).addTest({
      person: { distinctId: 'ada' },
      expect: expected,
    })
  }
  app.synth()
}

const staging: Place = { projectId: '1', isOn: true, expected: true }
const production: Place = { projectId: '2', isOn: false, expected: false }

describe('stacks for several places', () => {
  it('are checked and tested together, each by its own flags, and planned one by one', async () => {
    synthesize({ staging, production })
    const all = ['--stack', '*']
    expect(await vexil(['validate', ...all])).toMatchObject({ code: 0, stderr: '' })
    const tested = await vexil(['test', ...all])
    expect(tested).toMatchObject({ code: 0 })
    expect(tested.stdout).toContain('2 tests')
    const planned = await vexil(['plan', ...all])
    expect(planned).toMatchObject({ code: 1, stdout: '' })
    expect(planned.stderr).toContain(
      'are for different projects or services; plan each of them separately: one --stack at a time',
    )
  })

  it('are for one where what a stack leaves out is what another one names', async () => {
    const { path } = workspace()
    const app = new App({ outdir: join(path, 'cdktf.out'), skipValidation: true })
    const organizationId = organization.toUpperCase()
    for (const [name, place] of Object.entries({ flags: {}, plugins: { organizationId } })) {
      const stack = new TerraformStack(app, name)
      new VexilProvider(stack, 'vexil', place)
      new Flag(stack, 'One', { key: name, active: false })
    }
    app.synth()
    expect(await vexil('plan --stack *')).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('error'),
    })
    const env = { ...service.env, VEXIL_ORGANIZATION_ID: organization.replace('0', '1') }
    expect((await vexil('plan --stack *', { env })).stderr).toContain(
      'are for different projects or services',
    )
    const flagged = await vexil(`plan --stack * --organization ${organizationId}`, { env })
    expect(flagged).toMatchObject({ code: 0 })
  })

  it.each(['validate', 'test'])('%s says in which of them a test does not pass', async command => {
    synthesize({ staging, production: { ...production, expected: true } })
    const { code, stdout, stderr } = await vexil([command, '--stack', '*'])
    expect(code).toBe(1)
    const told = stdout + stderr
    expect(told).toContain('cdktf.out/stacks/production/cdk.tf.json')
    expect(told).not.toContain('in cdktf.out/stacks/staging')
  })
})
