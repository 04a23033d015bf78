import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../../support/workspace.ts'

const flag = (value: string) => `feature_flags:
  adults:
    active: true
    filters:
      groups:
        - { properties: [ { key: age, type: person, operator: gt, value: "${value}" } ] }
        - { properties: [ { key: mail, type: person, operator: icontains, value: ü } ] }
`
const files = { 'vexil.yaml': 'version: 1\n', 'flags.yaml': flag('18') }
const differs = (value: string) =>
  `engines differ on condition 1: "age > ${value}" matches "100" in the service, but not in posthog-server 2.3.3`

describe('a plan for the service of today', () => {
  const workspace = useWorkspace(files, { profile: 'posthog-2026' })

  it('says of new and changed conditions where engines do not agree, and of others nothing', async () => {
    const { vexil, write } = workspace()
    // Of a project without a flag nobody can tell which service it is of.
    expect((await vexil('plan')).stdout).not.toContain('engines differ')
    expect((await vexil('plan --profile posthog-2026')).stdout).toContain(differs('18'))
    await vexil('apply --auto-approve')
    await write({ 'flags.yaml': flag('21') })
    const { stdout } = await vexil('plan')
    expect(stdout).toContain(differs('21'))
    expect(stdout.match(/engines differ/g)).toHaveLength(1)
    const { changes } = JSON.parse((await vexil('plan --json')).stdout)
    expect(changes[0].summary).toContain(differs('21'))
  })
})

describe('a plan for the service of 2024', () => {
  const workspace = useWorkspace(files, { profile: 'posthog' })

  it('does not contain them, since nobody is known to differ', async () => {
    expect((await workspace().vexil('plan')).stdout).not.toContain('engines differ')
  })
})
