import { App, TerraformStack } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { VexilProvider } from '../../src/constructs/generated/provider/index.ts'
import { Flag, When } from '../../src/constructs/index.ts'
import { useWorkspace as useBench } from '../support/workspace.ts'

const bench = useBench({ 'vexil.yaml': 'version: 1\n', 'flags.yaml': 'feature_flags: {}\n' })

/** What Terraform and OpenTofu make of half a character in JSON. */
const yaml = `
  half:
    name: "a\\ufffdb"
    tags: ["\\ufffdt"]
    active: true
    filters:
      groups: [ { properties: [ { key: plan, type: person, operator: exact, value: ["\\ufffd"] } ], rollout_percentage: 5 } ]
`

function synthesize(outdir: string): void {
  const app = new App({ outdir, skipValidation: true })
  const stack = new TerraformStack(app, 'flags')
  new VexilProvider(stack, 'vexil', {})
  new Flag(stack, 'Half', {
    key: 'half',
    name: 'a\ud800b',
    tags: ['\udc00t'],
    active: true,
    release: [When.person('plan').is('\ud83d').at(5)],
  })
  app.synth()
}

const json = (name: string) =>
  JSON.stringify({
    resource: {
      vexil_feature_flag: {
        half: {
          key: 'half',
          name,
          active: true,
          filters: '{"groups": [{"rollout_percentage": 5, "description": "\\ud800"}]}',
        },
      },
    },
  })

describe('half a character', () => {
  it('comes to the same from constructs as from YAML with the sign that engines write for it', async () => {
    const { vexil, path, declareFlags, flag } = bench()
    synthesize(path)
    const applied = await vexil('apply --stack stacks/flags --auto-approve')
    expect(applied.code, applied.stderr).toBe(0)
    expect(await flag('half')).toMatchObject({ name: 'a\ufffdb', tags: ['\ufffdt'] })
    await declareFlags(yaml)
    const planned = await vexil('plan --detailed-exitcode')
    expect(planned.code, planned.stdout).toBe(0)
  })

  it('is read so in JSON, also in text that is JSON, while a whole one stays as it is', async () => {
    const { vexil, write, flag } = bench()
    await write({ 'stack/cdk.tf.json': json('\\ud83d \ud83d \ud83d\ude00') })
    const applied = await vexil('apply --stack stack --auto-approve')
    expect(applied.code, applied.stderr).toBe(0)
    const { name, filters } = await flag('half')
    expect(name).toBe('\\ud83d \ufffd \ud83d\ude00')
    expect(filters).toMatchObject({ groups: [{ description: '\ufffd' }] })
    expect((await vexil('plan --stack stack --detailed-exitcode')).code).toBe(0)
  })
})
