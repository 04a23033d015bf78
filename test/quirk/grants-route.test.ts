import { App, TerraformStack } from 'cdktf'
import { describe, expect, it, onTestFinished } from 'vitest'
import { VexilProvider } from '../../src/constructs/generated/provider/index.ts'
import { Flag, Role } from '../../src/constructs/index.ts'
import type { Profile, Quirks, WorldFile } from '../../src/sandbox/index.ts'
import { supportRole } from '../support/builders.ts'
import { grantedRoles } from '../support/granted-roles.ts'
import { type Service, startService } from '../support/service.ts'
import { aWorkspace, aWorld, flagsPath } from '../support/workspace.ts'
import { playTerraform } from '../terraform/resources/play.ts'

const count = 9
const keys = Array.from({ length: count }, (_, index) => `flag_${index}`)

const seed: WorldFile = aWorld({}, { roles: [{ id: supportRole, name: 'support' }] })

/** Grants a role each of the flags, which are there or not, in one run. */
type Grant = (service: Service, profile: Profile) => Promise<void>

const atTheCommandLine = async (service: Service, profile: Profile, given: string, files: object = {}) => {
  const settings = `version: 1\nroles: { support: ${supportRole} }\n`
  const made = await aWorkspace(service, { 'vexil.yaml': settings, ...files })
  onTestFinished(made.remove)
  return {
    path: made.path,
    async apply() {
      const { code, stdout, stderr } = await made.vexil(
        `apply --auto-approve --profile ${profile} --parallelism 8 ${given}`,
      )
      expect(code, stdout + stderr).toBe(0)
    },
  }
}

const frontEnds = {
  async YAML(service, profile) {
    const flags = keys.map(key => `  ${key}: { active: false, role_access: [support] }\n`).join('')
    const desk = await atTheCommandLine(service, profile, '', { 'flags.yaml': `feature_flags:\n${flags}` })
    await desk.apply()
  },
  async 'a stack'(service, profile) {
    const desk = await atTheCommandLine(service, profile, '--stack stacks/flags')
    const app = new App({ outdir: desk.path, skipValidation: true })
    const stack = new TerraformStack(app, 'flags')
    new VexilProvider(stack, 'vexil', { projectId: '1' })
    for (const key of keys)
      new Flag(stack, key, { key, active: false }).grants.edit(Role.fromId(supportRole, 'support'))
    app.synth()
    await desk.apply()
  },
  async 'the provider'(service, profile) {
    const terraform = await playTerraform(service, { profile })
    await Promise.all(
      keys.map(async key => {
        const { state } = await terraform.apply('feature_flag', { key, active: false, adopt: true })
        const grant = { feature_flag_id: state.id ?? null, role_id: supportRole }
        await terraform.apply('feature_flag_role_access', grant)
      }),
    )
    await terraform.provider.close()
  },
} satisfies Readonly<Record<string, Grant>>

/** One that is taken for a service with role access at first, and one for a service with access controls. */
const profiles = ['documented', 'posthog-2026'] as const
const routes = ['role_access', 'access_controls'] as const
const other = { role_access: 'access_controls', access_controls: 'role_access' } as const

const cases = Object.entries(frontEnds).flatMap(([frontEnd, grant]) =>
  profiles.flatMap(profile =>
    routes.flatMap(route => [true, false].map(isThere => ({ frontEnd, grant, profile, route, isThere }))),
  ),
)

describe('many roles that are granted flags at once', () => {
  it.each(cases)(
    'by $frontEnd, profile $profile on $route, flags there: $isThere, ask the other route once at the most',
    async ({ grant, profile, route, isThere }) => {
      const quirks: Partial<Quirks> = { grants_route: route }
      const service = await startService({ profile, quirks, seed })
      onTestFinished(() => service.close())
      if (isThere) for (const key of keys) await service.send('POST', `${flagsPath}/`, { key, active: false })
      const { requests } = await service.watch(() => grant(service, profile))
      expect(requests.filter(line => line.includes(`/${other[route]}`)).length).toBeLessThanOrEqual(1)
      await expectGranted(service)
    },
  )

  it.each(profiles)('go on where the answer to the first one is lost, profile %s', async profile => {
    const service = await startService({ profile, quirks: { grants_route: 'access_controls' }, seed })
    onTestFinished(() => service.close())
    service.faults('PUT /access_controls reset_after times=2')
    await frontEnds.YAML(service, profile)
    await expectGranted(service)
  })
})

async function expectGranted(service: Service): Promise<void> {
  const rows = (await service.get(`${flagsPath}/?limit=1000`)) as { results: { id: number; key: string }[] }
  const ours = rows.results.filter(({ key }) => keys.includes(key))
  expect(ours).toHaveLength(count)
  for (const { id } of ours) expect(await grantedRoles(service, id)).toEqual([supportRole])
}
