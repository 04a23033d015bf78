import { describe, expect, it } from 'vitest'
import { profiles } from '../../src/model/connection.ts'
import { isJsonArray, isJsonObject, type JsonObject } from '../../src/model/text/json.ts'
import { type Desk, sitDown } from './desk.ts'
import { flags, type QuirkService, roles } from './repository.ts'

const controls = (flag: number) => `${flags}/${flag}/access_controls/`

/** What each role may do with a flag, read past the client. */
async function levelsOf(service: QuirkService, flag: number): Promise<Record<string, string>> {
  const { access_controls: rows } = (await service.get(controls(flag))) as JsonObject
  const named = new Map<unknown, string>(Object.entries(roles).map(([name, id]) => [id, name]))
  const levels = (isJsonArray(rows) ? rows : []).flatMap(row =>
    isJsonObject(row) ? [[named.get(row.role) ?? 'others', String(row.access_level)] as const] : [],
  )
  return Object.fromEntries(levels)
}

async function expectNothingLeft(desk: Desk): Promise<void> {
  const again = await desk.vexil('plan --detailed-exitcode')
  expect(again.code, again.stdout + again.stderr).toBe(0)
  expect(await desk.writesOf('apply --auto-approve')).toEqual([])
}

const levels = `feature_flags:
  changed: { role_access: { growth: viewer, support: manager } }
  brand_new: { active: false, role_access: { support: none } }
feature_flag_role_access:
  - { flag: not_ours, role: growth, access_level: viewer }
`

describe.each(profiles)('levels on a service that has them, profile %s', profile => {
  const today = { profile, quirks: { grants_route: 'access_controls' } } as const

  it('are planned in words, applied, and then as declared', async () => {
    const desk = await sitDown({ ...today, declarations: levels })
    const { stdout } = await desk.vexil('plan')
    expect(stdout).toContain('level: "editor" -> "manager"')
    expect(stdout).toContain('gets the level "viewer"')
    const applied = await desk.vexil('apply --auto-approve')
    expect(applied.code, applied.stdout + applied.stderr).toBe(0)
    expect(await levelsOf(desk.service, 11)).toEqual({ growth: 'viewer', support: 'manager' })
    expect(await levelsOf(desk.service, 14)).toEqual({ growth: 'viewer' })
    expect(await levelsOf(desk.service, 15)).toEqual({ support: 'none' })
    await expectNothingLeft(desk)
  })

  it('are those of a grant where none is declared', async () => {
    const desk = await sitDown({
      ...today,
      declarations: 'feature_flags: { changed: { role_access: [support] } }\n',
    })
    await expectNothingLeft(desk)
    await desk.service.send('PUT', controls(11), { role: roles.support, access_level: 'viewer' })
    const { stdout } = await desk.vexil('plan')
    expect(stdout).toContain('level: "viewer" -> "editor"')
    expect((await desk.vexil('apply --auto-approve')).code).toBe(0)
    expect(await levelsOf(desk.service, 11)).toEqual({ support: 'editor' })
  })

  it('are exported as they are, and the export plans nothing', async () => {
    const desk = await sitDown({ ...today, declarations: 'feature_flags: {}\n' })
    const plain = await desk.vexil('export --kind feature_flag')
    expect(plain.stdout).toContain('role_access: [support]\n')
    await desk.service.send('PUT', controls(11), { role: roles.growth, access_level: 'viewer' })
    await desk.service.send('PUT', controls(11), { access_level: 'manager' })
    const { stdout } = await desk.vexil('export --kind feature_flag')
    expect(stdout).toMatch(/role_access:\n +growth: viewer\n +support: editor\n/)
    await desk.write({ 'declarations.yaml': stdout })
    await expectNothingLeft(desk)
  })

  it('drift where somebody has changed them', async () => {
    const desk = await sitDown({ ...today, declarations: levels })
    expect((await desk.vexil('apply --auto-approve')).code).toBe(0)
    await desk.service.send('PUT', controls(11), { role: roles.growth, access_level: 'manager' })
    const { stdout } = await desk.vexil('plan --json')
    const { live_edits } = JSON.parse(stdout) as { live_edits: readonly JsonObject[] }
    expect(live_edits).toMatchObject([
      {
        address: 'feature_flag_role_access.changed:growth',
        fields: [{ field: 'access_level', treatment: 'reverted', evidence: 'base' }],
      },
    ])
  })

  it('are asked for on the wrong route once at the most', async () => {
    const declarations =
      'feature_flags: { changed: { role_access: [support] }, not_ours: { role_access: [] }, goes_away: { role_access: [] } }\n'
    const desk = await sitDown({ ...today, declarations })
    const { requests } = await desk.service.watch(() => desk.vexil('plan'))
    const asked = (route: string) => requests.filter(line => line.endsWith(`/${route}`))
    expect(asked('role_access')).toHaveLength(profile === 'posthog-2026' ? 0 : 1)
    expect(asked('access_controls')).toHaveLength(3)
  })

  it('are given to flags that the same run creates, though nobody has seen a list yet', async () => {
    const declarations =
      'feature_flags: { one: { active: false, role_access: [support] }, two: { active: false, role_access: { support: viewer } } }\n'
    const desk = await sitDown({ ...today, declarations })
    const applied = await desk.vexil('apply --auto-approve')
    expect(applied.code, applied.stdout + applied.stderr).toBe(0)
    expect(await levelsOf(desk.service, 15)).toEqual({ support: 'editor' })
    expect(await levelsOf(desk.service, 16)).toEqual({ support: 'viewer' })
    await expectNothingLeft(desk)
  })

  it('stop an apply where somebody has set another one since the plan', async () => {
    const desk = await sitDown({ ...today, declarations: levels })
    expect((await desk.vexil('plan --out p.json')).code).toBe(0)
    await desk.service.send('PUT', controls(11), { role: roles.growth, access_level: 'manager' })
    const applied = await desk.vexil('apply p.json')
    expect(applied.code).toBe(5)
    expect(await levelsOf(desk.service, 11)).toMatchObject({ growth: 'manager' })
  })
})

describe.each(profiles)('levels on a service without any, profile %s', profile => {
  const earlier = { profile, quirks: { grants_route: 'role_access' } } as const

  it('are a problem, at the place where they are declared', async () => {
    const desk = await sitDown({ ...earlier, declarations: levels })
    for (const command of ['plan', 'apply --auto-approve']) {
      const { code, stderr, stdout } = await desk.vexil(command)
      expect(code).toBe(1)
      expect(stdout + stderr).toContain('declarations.yaml:2:')
      expect(stdout + stderr).toContain('a level is declared, but this service has no levels')
    }
    expect(await desk.writesOf('apply --auto-approve')).toEqual([])
  })

  it('fail the grants of flags that the same run creates, and nothing is granted in their place', async () => {
    const desk = await sitDown({
      ...earlier,
      declarations: 'feature_flags: { one: { active: false, role_access: { support: viewer } } }\n',
    })
    const applied = await desk.vexil('apply --auto-approve')
    expect(applied.code).toBe(4)
    expect(applied.stdout + applied.stderr).toContain('this service has no levels')
    expect(await desk.service.get(`${flags}/15/role_access/`)).toMatchObject({ count: 0 })
  })
})

describe('a grant whose answer is lost', () => {
  it.each(['reset_before', 'reset_after', 'status=502'])('is made once, by %s', async fault => {
    const declarations = 'feature_flags: { changed: { role_access: { support: editor, growth: viewer } } }\n'
    const desk = await sitDown({ profile: 'posthog-2026', declarations })
    desk.service.faults(`PUT ${flags}/11/access_controls ${fault} times=1`)
    const applied = await desk.vexil('apply --auto-approve')
    expect(applied.code, applied.stdout + applied.stderr).toBe(0)
    expect(await levelsOf(desk.service, 11)).toEqual({ support: 'editor', growth: 'viewer' })
    await expectNothingLeft(desk)
  })
})
