import { describe, expect, it, onTestFinished } from 'vitest'
import type { Quirks, Sandbox, WorldFile } from '../../src/sandbox/index.ts'
import { supportRole } from '../support/builders.ts'
import { type Service, startService } from '../support/service.ts'
import { aWorkspace, aWorld, flagsPath, isWrite } from '../support/workspace.ts'
import { type Player, playTerraform, showDiagnostic } from '../terraform/resources/play.ts'

const controls = `${flagsPath}/1/access_controls`
const records = `${flagsPath}/1/role_access`

const world = (roles: readonly string[]): WorldFile =>
  aWorld(
    { feature_flags: [{ id: 1, key: 'checkout', active: false, role_access: roles }] },
    { roles: [{ id: supportRole, name: 'support' }] },
  )

/** A service that comes to hold grants in another way, with all else as it was. */
interface Moving extends Service {
  /** From now on the service after the move answers. */
  move(): void
  /** That service, to look at and to change. */
  readonly after: Service
}

async function aMovingService(
  from: Quirks['grants_route'],
  to: Quirks['grants_route'],
  roles: readonly string[] = ['support'],
): Promise<Moving> {
  const after = await startService({
    profile: 'documented',
    quirks: { grants_route: to },
    seed: world(roles),
  })
  let hasMoved = false
  const through =
    (before: Sandbox['fetch']): Sandbox['fetch'] =>
    request =>
      hasMoved ? after.sandbox.fetch(request) : before(request)
  const before = await startService(
    { profile: 'documented', quirks: { grants_route: from }, seed: world(roles) },
    through,
  )
  onTestFinished(async () => {
    await before.close()
    await after.close()
  })
  return {
    ...before,
    after,
    move() {
      hasMoved = true
    },
  }
}

async function aDesk(service: Service, roles: string) {
  const made = await aWorkspace(service, {
    'vexil.yaml': `version: 1\nroles: { support: ${supportRole} }\n`,
    'flags.yaml': `feature_flags: { checkout: { active: false, role_access: ${roles} } }\n`,
  })
  onTestFinished(made.remove)
  return made
}

/** How many roles and people have a row, in whichever way the service has them. */
async function rowsOf({ after }: Moving): Promise<number> {
  const answer = (await after.get(records).catch(() => after.get(controls))) as {
    results?: unknown[]
    access_controls?: unknown[]
  }
  return (answer.results ?? answer.access_controls ?? []).length
}

const moves = [
  ['role_access', 'access_controls'],
  ['access_controls', 'role_access'],
] as const

describe.each(moves)('a service that moves from %s to %s after a plan', (from, to) => {
  it('is not taken for one that holds no grant any more', async () => {
    const service = await aMovingService(from, to)
    const { vexil } = await aDesk(service, '[]')
    expect((await vexil('plan --out p.json')).stdout).toContain('1 to delete')
    service.move()
    const applied = await vexil('apply p.json')
    expect(applied.code, applied.stdout + applied.stderr).toBe(5)
    expect(await rowsOf(service)).toBe(1)
    const again = await vexil('apply --auto-approve')
    expect(again.code, again.stdout + again.stderr).toBe(0)
    expect(await rowsOf(service)).toBe(0)
  })

  it('is given what was planned, in its own way, once', async () => {
    const service = await aMovingService(from, to, [])
    const { vexil } = await aDesk(service, '[support]')
    expect((await vexil('plan --out p.json')).code).toBe(0)
    service.move()
    const applied = await vexil('apply p.json')
    // A level that is planned is not given up.
    expect(applied.code).toBe(from === 'role_access' ? 0 : 1)
    const again = await vexil('apply --auto-approve')
    expect(again.code, again.stdout + again.stderr).toBe(0)
    expect(await rowsOf(service)).toBe(1)
    const { requests } = await service.after.watch(() => vexil('apply --auto-approve'))
    expect(requests.filter(isWrite)).toEqual([])
  })

  it('has nothing planned for it by Terraform, and loses nothing', async () => {
    const service = await aMovingService(from, to)
    const terraform = await playTerraform(service)
    const config = { feature_flag_id: '1', role_id: supportRole }
    const kept = await terraform.import('feature_flag_role_access', `checkout/${supportRole}`)
    service.move()
    expect(await terraform.replan('feature_flag_role_access', config, kept)).toEqual([])
    const read = await anew(service).then(player => player.read('feature_flag_role_access', kept))
    expect(read?.state.id).toBe(to === 'role_access' ? '1' : `1:${supportRole}`)
    expect(await terraform.replan('feature_flag_role_access', config, read ?? kept)).toEqual([])
    expect(await rowsOf(service)).toBe(1)
  })

  it('is not left with a grant that Terraform takes for destroyed', async () => {
    const service = await aMovingService(from, to)
    const kept = await (await anew(service)).import('feature_flag_role_access', `checkout/${supportRole}`)
    service.move()
    // As with -refresh=false, or a plan that was saved before.
    const told = await (await anew(service)).destroy('feature_flag_role_access', kept)
    expect(told.map(showDiagnostic)).toEqual([
      `error: cannot destroy grant "${supportRole}" | It was changed after the plan was made. Nothing was written; plan again to see the current state.`,
    ])
    expect(await rowsOf(service)).toBe(1)
    const terraform = await anew(service)
    const read = await terraform.read('feature_flag_role_access', kept)
    expect(await terraform.destroy('feature_flag_role_access', read ?? kept)).toEqual([])
    expect(await rowsOf(service)).toBe(0)
  })
})

/** Every run of Terraform has a provider of its own. */
const anew = (service: Service): Promise<Player> => playTerraform(service)
