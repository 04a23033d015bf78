import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startService } from '../support/service.ts'
import { aWorkspace, flagsPath, type Workspace } from '../support/workspace.ts'

const at = (rollout_percentage: number) => ({ groups: [{ properties: [], rollout_percentage }] })

/** A service with a member of filters that Vexil does not know, and that takes no null for it. */
let desk: Workspace
beforeEach(async () => {
  const service = await startService({}, handle => async (request, connection) => {
    if (request.method !== 'PATCH') return handle(request, connection)
    const { url, method, headers } = request
    const body = await request.text()
    const { filters } = JSON.parse(body) as { filters?: { sticky?: boolean | null } }
    if (filters?.sticky !== null) return handle(new Request(url, { method, headers, body }), connection)
    const refusal = { type: 'validation_error', code: 'invalid_input', attr: 'filters' }
    return Response.json({ ...refusal, detail: 'sticky must be a boolean.' }, { status: 400 })
  })
  desk = await aWorkspace(service, { 'vexil.yaml': 'version: 1\n' })
  await service.send('POST', `${flagsPath}/`, { key: 'checkout', filters: { ...at(10), sticky: true } })
})
afterEach(async () => {
  await desk.service.close()
  await desk.remove()
})

const apply = 'apply --auto-approve'
const declared = (more: string) => `  checkout: { filters: { groups: [{ rollout_percentage: 20 }]${more}`

describe('a live member of filters that nobody knows and the service does not let go of', () => {
  it('fails a change that declares it away, with what the service says of it, and nothing is written', async () => {
    const { vexil, declareFlags, flag } = desk
    await declareFlags(declared(', sticky: null } }'))
    const { code, stdout } = await vexil(apply)
    expect(code, stdout).toBe(1)
    expect(stdout).toContain('sticky must be a boolean')
    expect((await flag('checkout')).filters).toMatchObject({ ...at(10), sticky: true })
  })

  it.each([' } }', ' }, ignore: [/filters/sticky] }'])(
    'stays as it is where nothing is declared of it: %s',
    async more => {
      const { vexil, declareFlags, flag } = desk
      await declareFlags(declared(more))
      const { code, stdout, stderr } = await vexil(apply)
      expect(code, stdout + stderr).toBe(0)
      expect((await flag('checkout')).filters).toMatchObject({
        groups: [{ rollout_percentage: 20 }],
        sticky: true,
      })
      expect((await vexil('plan --detailed-exitcode')).code).toBe(0)
    },
  )
})
