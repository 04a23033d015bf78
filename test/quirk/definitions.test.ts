import { describe, expect, it } from 'vitest'
import { sitDown } from './desk.ts'
import { definitions, retired } from './repository.ts'

const declarations = 'event_definitions:\n  retired: { ensure: absent }\n'

describe('an event definition that is declared absent', () => {
  it('is gone after its DELETE', async () => {
    const desk = await sitDown({ declarations })
    expect(await desk.writesOf('apply --auto-approve')).toEqual([`DELETE ${definitions}/${retired}`])
    expect((await desk.vexil('plan --detailed-exitcode')).code).toBe(0)
  })

  it.each(['not_found', 'error'] as const)(
    'and goes away by itself leaves nothing to do, where an unknown one gives "%s"',
    async definition_unknown => {
      const desk = await sitDown({ declarations, quirks: { definition_unknown } })
      await desk.vexil('plan --out plan.json')
      await desk.service.send('DELETE', `${definitions}/${retired}/`)
      const applied = await desk.vexil('apply plan.json')
      expect(applied.code, applied.stdout).toBe(0)
      expect(applied.stdout).toContain('event retired already done')
      expect((await desk.vexil('plan --detailed-exitcode')).code).toBe(0)
    },
  )

  it.each(['not_found', 'error'] as const)(
    'by an id that nothing has is blocked, where an unknown one gives "%s"',
    async definition_unknown => {
      const id = '01900000-0000-0000-0000-00000000ffff'
      const desk = await sitDown({
        declarations: `event_definitions:\n  paid: { id: ${id}, tags: [a] }\n`,
        quirks: { definition_unknown },
      })
      const { code, stdout } = await desk.vexil('plan')
      expect(code).toBe(0)
      expect(stdout).toContain(`nothing has the id ${id}`)
    },
  )
})

describe('a plan of the service without the taxonomy', () => {
  it('says so for the definition, and only for it', async () => {
    const desk = await sitDown()
    desk.service.faults(`PATCH ${definitions} status=402`)
    const { code, stdout } = await desk.vexil('apply --auto-approve')
    expect(code).toBe(4)
    expect(stdout).toContain('the plan of this service does not include it')
    expect(stdout).toContain('11 changes applied, 1 failed')
  })
})
