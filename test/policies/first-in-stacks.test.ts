import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({})

const stack = (resource: object) =>
  JSON.stringify({
    terraform: { required_providers: { vexil: { source: 'registry.terraform.io/vexil/vexil' } } },
    provider: { vexil: [{ project_id: '1' }] },
    resource,
  })
const flag = { key: 'open', active: true, filters: '{"groups": [{"rollout_percentage": 100}]}' }

/** What `validate` says of a stack in one environment, where `first_in` is set. */
async function validated(environment: string, resource: object) {
  const { vexil, write } = workspace()
  await write({
    'vexil.yaml': `version: 1
policies: { first_in: staging }
environments:
  staging: { project: "2" }
  production: { project: "1" }
  canary: { project: "1", policies: { first_in: off } }
`,
    'flags/cdk.tf.json': stack(resource),
  })
  const { code, stdout } = await vexil(`validate --stack flags --env ${environment} --json`)
  const problems = JSON.parse(stdout).problems as { code: string; severity: string; message: string }[]
  return {
    code,
    said: problems.filter(problem => problem.code === 'policy-first-in').map(each => each.message),
    severities: problems.map(({ severity }) => severity),
  }
}

describe('first_in beside a stack', () => {
  it('is said not to be held, and refuses nothing', async () => {
    expect(await validated('production', { vexil_feature_flag: { open: flag } })).toEqual({
      code: 0,
      said: ['the policy first_in is not enforced: a stack has no declarations for other environments'],
      severities: ['warning'],
    })
  })

  it.each([
    ['in the environment that comes first', 'staging', { vexil_feature_flag: { open: flag } }],
    ['in an environment that lifts it', 'canary', { vexil_feature_flag: { open: flag } }],
    ['of a stack that declares nothing', 'production', {}],
  ])('is not spoken of %s', async (_, environment, resource) => {
    expect((await validated(environment, resource)).said).toEqual([])
  })
})
