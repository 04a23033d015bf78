import { describe, expect, it } from 'vitest'
import { testWorld } from '../support/test-world.ts'
import { isWrite, useBench } from './bench.ts'

const bench = useBench()

const findings = (stdout: string) =>
  Object.fromEntries(
    (JSON.parse(stdout) as { check: string; verdict: string; words: string }[]).map(
      ({ check, verdict, words }) => [check, `${verdict}: ${words}`],
    ),
  )

describe('vexil doctor', () => {
  it('looks at everything that a plan needs, only reads, and shows no key', async () => {
    const { vexil, service } = bench()
    const { result, requests } = await service.watch(() =>
      vexil('doctor', { host: { runtime: 'Node.js 99', world: testWorld(Date.now()) } }),
    )
    expect(requests.filter(isWrite)).toEqual([])
    expect(requests).toHaveLength(3)
    expect(result).toEqual({
      code: 0,
      stdout: `ok   versions           vexil 0.1.0, Node.js 99
ok   settings           vexil.yaml
ok   connection         ${service.url}
ok   key                from VEXIL_API_KEY
ok   flags              readable, 0 in all
ok   event definitions  readable, 0 in all
ok   plugins            readable, 0 in all
ok   clock              as the service has it
ok   time               3 requests in 0 ms
ok   profile            documented
`,
      stderr: '',
    })
    expect(result.stdout).not.toContain(service.env.VEXIL_API_KEY)
  })

  it('notes a clock that is wrong, since dates in journals are only as right as the clock', async () => {
    const early = testWorld(Date.now() - 300_000)
    const { code, stdout } = await bench().vexil('doctor --json', { host: { world: early } })
    expect(code).toBe(0)
    expect(findings(stdout).clock).toMatch(/^note: this machine is (299|300|301) seconds behind the service$/)
  })

  it('gives its findings with --json', async () => {
    const { stdout } = await bench().vexil('doctor --json')
    expect(findings(stdout)).toMatchObject({ settings: 'ok: vexil.yaml', key: 'ok: from VEXIL_API_KEY' })
  })

  it('works without a settings file', async () => {
    const { vexil, write, path } = bench()
    await write({ 'bare/README.md': '' })
    const { code, stdout } = await vexil('doctor --json -C bare')
    expect(code).toBe(0)
    expect(findings(stdout).settings).toBe(
      `ok: no vexil.yaml in ${path}/bare; flags and environment variables only`,
    )
  })

  it('tells of mistakes in the settings', async () => {
    const { vexil, write } = bench()
    await write({ 'vexil.yaml': 'version: 1\nprofil: posthog\n' })
    const { code, stdout, stderr } = await vexil('doctor --json')
    expect(code).toBe(1)
    expect(findings(stdout)).toEqual({ versions: 'ok: vexil 0.1.0', settings: 'bad: 1 error' })
    expect(stderr).toContain('vexil.yaml:2:1')
  })

  it('asks once with a key that is not let in, and says where keys come from', async () => {
    const { vexil, service } = bench()
    const env = { ...service.env, VEXIL_API_KEY: 'phx_wrong' }
    const { result, requests } = await service.watch(() => vexil('doctor --json', { env }))
    expect(result.code).toBe(1)
    expect(requests).toHaveLength(1)
    expect(findings(result.stdout).flags).toMatch(
      /^bad: GET .* was refused with 401 .*; check the API key \(VEXIL_API_KEY, VEXIL_API_KEY_FILE, /,
    )
    expect(result.stdout + result.stderr).not.toContain('phx_wrong')
  })

  it('says when there is no key, no service, or nobody there', async () => {
    const { vexil, service } = bench()
    const { VEXIL_API_KEY: _, ...keyless } = service.env
    const { VEXIL_BASE_URL: __, ...placeless } = service.env
    const verdict = async (env: Record<string, string>) => {
      const { code, stdout } = await vexil('doctor --json', { env })
      return { code, ...findings(stdout) }
    }
    expect(await verdict(keyless)).toMatchObject({
      code: 1,
      connection: expect.stringMatching(/^bad: no key is given; set VEXIL_API_KEY/),
    })
    expect(await verdict(placeless)).toMatchObject({
      code: 1,
      connection: expect.stringMatching(/^bad: no service is given; set `base_url` in vexil.yaml/),
    })
    expect(await verdict({ ...service.env, VEXIL_BASE_URL: 'http://127.0.0.1:1' })).toMatchObject({
      code: 1,
      flags: expect.stringMatching(
        /^bad: .*ECONNREFUSED.*\(`base_url` in vexil.yaml, VEXIL_BASE_URL, POSTHOG_HOST, --base-url\)$/,
      ),
    })
  })

  it('needs a project for flags, and does without an organization', async () => {
    const { vexil, service } = bench()
    const { VEXIL_PROJECT_ID: _, ...projectless } = service.env
    const withoutProject = await vexil('doctor --json', { env: projectless })
    expect(withoutProject.code).toBe(1)
    expect(findings(withoutProject.stdout)).toMatchObject({
      flags: 'bad: not asked: no project is set (VEXIL_PROJECT_ID, POSTHOG_PROJECT_ID)',
      'event definitions': 'note: not asked: no project is set (VEXIL_PROJECT_ID, POSTHOG_PROJECT_ID)',
      plugins: 'ok: readable, 0 in all',
    })
    const { VEXIL_ORGANIZATION_ID: __, ...organizationless } = service.env
    const withoutOrganization = await vexil('doctor --json', { env: organizationless })
    expect(withoutOrganization.code).toBe(0)
    expect(findings(withoutOrganization.stdout).plugins).toMatch(/^note: not asked: no organization is set/)
    const unknown = await vexil('doctor --json --project 77')
    expect(unknown.code).toBe(1)
    expect(findings(unknown.stdout).flags).toContain(
      'is the project right? (`project` in vexil.yaml, VEXIL_PROJECT_ID',
    )
  })

  it('notes what a key may not read, where a plan can do without it', async () => {
    const { vexil, service } = bench()
    service.faults('GET /plugins status=403', 'GET /event_definitions status=402')
    const { code, stdout } = await vexil('doctor')
    expect(code).toBe(0)
    expect(stdout).toMatch(/\nnote event definitions +GET .* was refused with 402/)
    expect(stdout).toMatch(/\nnote plugins +GET .* was refused with 403 .*; needed here: to read plugins\n/)
  })
})
