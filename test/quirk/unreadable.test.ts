import { describe, expect, it } from 'vitest'
import { sitDown } from './desk.ts'
import { definitions, flags, paid, plugins } from './repository.ts'

describe('a list that the service refuses', () => {
  it('holds back what it would show, and nothing else', async () => {
    const desk = await sitDown()
    desk.service.faults(`GET ${definitions} status=403`)
    const applied = await desk.vexil('apply --auto-approve')
    expect(applied.code).toBe(3)
    expect(applied.stdout).toContain('event paid  update blocked by unreadable')
    expect(applied.stdout).toContain('event retired  delete blocked by unreadable')
    expect(applied.stdout).toContain('10 changes applied.')
    desk.service.faults()
    expect(await desk.service.get(`${definitions}/${paid}/`)).toMatchObject({ tags: [] })
    expect((await desk.vexil('apply --auto-approve')).code).toBe(0)
    expect((await desk.vexil('plan --detailed-exitcode')).code).toBe(0)
  })

  it('is no drift, and no success either', async () => {
    const desk = await sitDown()
    await desk.vexil('apply --auto-approve')
    desk.service.faults(`GET ${plugins} status=403`)
    const { code, stdout } = await desk.vexil('drift')
    expect(code).toBe(3)
    expect(stdout).toContain('No drift')
    expect(stdout).toContain('NOT COMPARED')
  })

  it('of flags holds their grants back too', async () => {
    const desk = await sitDown()
    desk.service.faults(`GET ${flags} status=403`)
    const { code, stdout } = await desk.vexil('plan')
    expect(code).toBe(3)
    expect(stdout).toContain('! 8 objects  blocked by unreadable')
    expect(stdout).toContain(
      'flag goes_away, grant brand_new:support, grant changed:growth, grant comes_back:growth, grant comes_back:support',
    )
    expect(stdout).toContain('1 to create, 2 to change, 1 to delete, 8 blocked, 0 unchanged')
  })

  it('like every other ends the plan: the key is wrong', async () => {
    const desk = await sitDown()
    desk.service.faults('GET status=403')
    const { code, stdout, stderr } = await desk.vexil('plan')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('the key may lack a scope')
  })
})

describe('source files that the service does not show', () => {
  const one = (text: string) => `plugins:\n  geoip: { description: After, source: { index.ts: "${text}" } }\n`

  it('are left out of a change, blocked on their own, and written unseen when somebody says so', async () => {
    const desk = await sitDown({ declarations: one('new') })
    desk.service.faults('GET /source status=403')
    expect((await desk.vexil('plan')).stdout).toContain('source files not sent: ')
    expect(await desk.writesOf('apply --auto-approve')).toEqual([`PATCH ${plugins}/1`])
    expect((await desk.vexil('plan')).stdout).toContain('update blocked by source_unreadable')
    const path = `PATCH ${plugins}/1/update_source`
    expect(await desk.writesOf('apply --auto-approve --allow source_unreadable')).toEqual([path])
  })

  it('that were written unseen are not taken away by an undo', async () => {
    const desk = await sitDown({ declarations: one('new') })
    desk.service.faults('GET /source status=403')
    await desk.vexil('apply --auto-approve --allow source_unreadable')
    expect(await desk.writesOf('undo last --auto-approve')).toEqual([`PATCH ${plugins}/1`])
  })
})

describe('a body that is larger than the service takes', () => {
  it('fails alone, and says so', async () => {
    const declarations =
      'feature_flags:\n  changed: { name: After }\nplugins:\n  geoip: { source: { index.ts: long } }\n'
    const desk = await sitDown({ declarations })
    desk.service.faults('PATCH /update_source status=413')
    const { code, stdout } = await desk.vexil('apply --auto-approve')
    expect(code).toBe(4)
    expect(stdout).toMatch(/plugin geoip failed: PATCH .* was refused with 413/)
    expect(await desk.service.get(`${flags}/11/`)).toMatchObject({ name: 'After' })
  })
})
