import { beforeEach, describe, expect, it } from 'vitest'
import { anOrganization, jsonLines, organization, useWorkspace } from '../../support/workspace.ts'

const names = ['prod-eu', 'prod-us', 'staging']
const seed = anOrganization({
  projects: names.map((name, at) => ({
    id: at + 1,
    name,
    feature_flags: [{ key: 'checkout', filters: { groups: [{ rollout_percentage: 5 }] } }],
  })),
})
const workspace = useWorkspace(
  {
    'flags.yaml': `feature_flags:
  checkout: { active: true, filters: { groups: [ { rollout_percentage: 100 } ] }, owner: shop }
  search: { active: true, filters: { groups: [ { rollout_percentage: 5 } ] }, only: [staging] }
`,
  },
  { seed },
)
const { vexil, service, write, read } = workspace
let env: Readonly<Record<string, string | undefined>>

beforeEach(async () => {
  const entry = (name: string, at: number) =>
    `  ${name}: { base_url: "${service.url}", project: ${at + 1}, organization: ${organization} }`
  await write({ 'vexil.yaml': `version: 1\nenvironments:\n${names.map(entry).join('\n')}\n` })
  env = { VEXIL_API_KEY: service.env.VEXIL_API_KEY, BROKEN: undefined }
})

async function reported(line: string, file: string): Promise<string> {
  await vexil(`${line} --report ${file}`, { env })
  return read(file)
}

describe('a report of several environments', () => {
  it('is Markdown with a table, and equal changes are there once', async () => {
    const text = await reported('plan --env all', 'plan.md')
    expect(text).toContain('<!-- vexil:plan:all -->\n### vexil plan, 3 environments: all')
    expect(text).toContain('|  | Environment | exit | result | objects | First error |')
    expect(text).toContain('| `=` | `prod-us` | `0` |')
    expect(text.match(/^#### .*/gm)).toEqual([
      '#### CRITICAL RISK in prod-eu, prod-us and staging',
      '#### MEDIUM RISK in staging',
    ])
    expect(text.match(/condition 1 {2}everyone {2}5% -> 100%/g)).toHaveLength(1)
    expect(text).toContain('> - `prod-eu, prod-us and staging: flag checkout  everyone')
  })

  it('is one page', async () => {
    const text = await reported('plan --env all', 'plan.html')
    expect(text.match(/<html/g)).toHaveLength(1)
    for (const name of names) expect(text).toContain(name)
    expect(text).toContain('owner shop')
  })

  it('is JUnit with a suite for each', async () => {
    const text = await reported('plan --env all', 'plan.junit.xml')
    expect(text.match(/<testsuites name="vexil plan" tests="4" /g)).toHaveLength(1)
    expect(text.match(/<testsuite name="[^"]*?(prod-eu|prod-us|staging)/g)).toHaveLength(3)
    const checks = await reported('validate --env all', 'checks.junit.xml')
    expect(checks).toContain('<testsuite name="vexil validation in prod-us"')
  })

  it('is SARIF with a run for each, as by itself', async () => {
    const { runs } = JSON.parse(await reported('drift --env all', 'all.sarif'))
    const alone = await vexil('drift --env staging --report one.sarif', { env })
    expect(alone.code).toBe(6)
    const [one] = JSON.parse(await read('one.sarif')).runs
    expect(runs.map((each: { automationDetails: object }) => each.automationDetails)).toEqual(
      names.map(name => ({ id: `vexil/drift/${name}/` })),
    )
    expect(runs[2]).toEqual(one)
  })

  it('is text and JSON, as on standard output', async () => {
    const { stdout } = await vexil('plan --env all --report plan.txt --report plan.json', { env })
    expect(await read('plan.txt')).toBe(stdout)
    const { environments } = JSON.parse(await read('plan.json'))
    expect(environments.map((each: { result: { changes: object[] } }) => each.result.changes.length)).toEqual(
      [1, 1, 2],
    )
    // An earlier report may be replaced.
    expect(await vexil('plan --env all --report plan.json --report plan.txt', { env })).toMatchObject({
      code: 0,
    })
  })

  it('is metrics with the environment of each', async () => {
    const runs = (text: string) => text.match(/^vexil_drift_exit_code\{.*/gm)
    await vexil('drift --env all --metrics drift.prom', { env })
    const first = await read('drift.prom')
    expect(runs(first)).toEqual(names.map(name => `vexil_drift_exit_code{environment="${name}"} 6`))
    expect(first.match(/^# TYPE vexil_drift_objects/gm)).toHaveLength(1)
    // One that fails keeps the values that were found before.
    const text = await read('vexil.yaml')
    await write({ 'vexil.yaml': text.replace('project: 3', 'api_key_env: NO_KEY, project: 3') })
    await vexil('drift --env all --metrics drift.prom', { env })
    const second = await read('drift.prom')
    expect(runs(second)?.at(-1)).toBe('vexil_drift_exit_code{environment="staging"} 1')
    const objects = (all: string) => all.match(/^vexil_drift_objects\{environment="staging".*/gm)
    expect(objects(second)).toEqual(objects(first))
    await vexil('drift --env nothing-* --metrics drift.prom', { env })
    expect(await read('drift.prom')).toBe(second)
  })

  it('has each problem of a file once as an annotation', async () => {
    await write({ 'flags.yaml': 'feature_flags: { a: { actve: true } }\n' })
    for (const line of ['validate', 'plan']) {
      const { stderr } = await vexil(`${line} --env all`, { env: { ...env, GITHUB_ACTIONS: 'true' } })
      expect(stderr.match(/^::error file=flags.yaml/gm), line).toHaveLength(1)
    }
  })

  it('names the environment of each note, also in JSON', async () => {
    const text = await read('vexil.yaml')
    await write({ 'vexil.yaml': text.replace('project: 3', 'api_key_env: NO_KEY, project: 3') })
    const { stderr } = await vexil('plan --env all --log-format json', { env })
    expect(jsonLines(stderr).map(({ level, environment }) => `${level} ${environment}`)).toEqual([
      'warn prod-eu',
      'warn prod-us',
      'error staging',
    ])
  })
})

describe('commands that lay environments side by side', () => {
  it('take patterns too', async () => {
    const compared = JSON.parse((await vexil('compare staging --env prod-* --json', { env })).stdout)
    expect(compared.environments.map(({ name }: { name: string }) => name)).toEqual([
      'staging',
      'prod-eu',
      'prod-us',
    ])
    const exported = JSON.parse((await vexil('export --env all --json', { env })).stdout)
    expect(exported.objects.map((each: { environment: string }) => each.environment)).toEqual(names)
  })

  it('say that a shard is empty', async () => {
    const shards = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7].map(part => vexil(`export --env staging --json --shard ${part}/7`, { env })),
    )
    expect(shards.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect(
      shards.filter(({ stderr }) => stderr.startsWith('no environment is in staging, shard')),
    ).toHaveLength(6)
  })
})
