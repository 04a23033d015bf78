import { describe, expect, it } from 'vitest'
import { canary, filesWithCanary } from '../../support/canaries.ts'
import { useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, write, records, flag } = workspace

function files(side: string, sensitive: string): Record<string, string> {
  return {
    'vexil.yaml': 'version: 1\nenvironments: { production: {}, staging: {} }\n',
    'flags.yaml': `feature_flags:
  prices:
    ${sensitive}
    active: true
    filters:
      groups: [ { properties: [ { key: email, type: person, operator: exact, value: [${canary}-${side}-mail] } ], rollout_percentage: 10 } ]
      multivariate: { variants: [ { key: early, rollout_percentage: 50 }, { key: usual, rollout_percentage: 50 } ] }
      payloads: { early: '"${canary}-${side}-early"', usual: '"${canary}-${side}-usual"' }
  open: { active: true, filters: { groups: [ { rollout_percentage: 100 } ], payloads: { "true": '"open-${side}"' } } }
`,
  }
}

async function planned(sensitive: string, command = 'plan --env production'): Promise<string> {
  await write(files('live', sensitive))
  await vexil('apply --env production --auto-approve')
  await write(files('now', sensitive))
  const { stdout, stderr } = await vexil(command)
  return stdout + stderr
}

describe('a flag that is declared sensitive', () => {
  it.each(['', ' --json'])(
    'hides its payloads and values, and no other flag hides its own, with "%s"',
    async form => {
      const told = await planned('sensitive: true', `plan --env production${form}`)
      expect(told).not.toContain(canary)
      expect(told).toContain('open-now')
      expect(told.match(/\(sensitive [0-9a-f]{8}\)/g)?.length).toBeGreaterThan(5)
    },
  )

  it('hides the payloads that it names alone', async () => {
    const told = await planned('sensitive: [early]')
    expect(told).not.toContain('-early')
    expect(told).toContain(`${canary}-now-usual`)
    expect(told).toContain(`${canary}-now-mail`)
  })

  it('may be so in one environment alone', async () => {
    const override = 'sensitive: true\n    environments: { production: { sensitive: false } }'
    expect(await planned(override)).toContain(canary)
    expect((await vexil('plan --env staging')).stdout).not.toContain(canary)
  })

  it('is applied, put on record without its values, and turned off', async () => {
    const told = await planned('sensitive: true', 'apply --env production --auto-approve')
    expect(told).not.toContain(canary)
    const { path } = workspace()
    expect(JSON.stringify((await flag('prices')).filters)).toContain(`${canary}-now-early`)
    const off = await vexil('disable prices --env production --auto-approve --reason broken')
    expect(off.code, off.stderr).toBe(0)
    expect(off.stdout + off.stderr).not.toContain(canary)
    const runs = (await records()).map(run => `.vexil/runs/values/${run}`)
    expect(await filesWithCanary(path)).toEqual([...runs.slice(0, 2), 'flags.yaml'])
  })

  it('says where it names a payload that there is not', async () => {
    await write(files('now', 'sensitive: [erly]'))
    const { code, stderr, stdout } = await vexil('validate')
    expect(code).toBe(1)
    expect(stdout + stderr).toMatch(
      /flags\.yaml:3:\d+ .*sensitive names "erly", for which there is no payload; did you mean "early"\?/,
    )
  })
})
