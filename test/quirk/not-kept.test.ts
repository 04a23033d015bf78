import { describe, expect, it } from 'vitest'
import { type Desk, sitDown } from './desk.ts'
import { flags } from './repository.ts'

const one = (fields: string) => `feature_flags:\n  not_ours: { ${fields} }\n`
const noTagging = { tags: 'dropped' } as const
const path = `PATCH ${flags}/14`

async function atDeskWithoutTagging(declarations = one('tags: [beta]')): Promise<Desk> {
  const desk = await sitDown({ quirks: noTagging, declarations })
  await desk.vexil('apply --auto-approve')
  return desk
}

describe('a service that takes tags and does not keep them', () => {
  it('is found out by the first apply, which says so', async () => {
    const desk = await sitDown({ quirks: noTagging, declarations: one('tags: [beta]') })
    expect((await desk.vexil('plan')).stdout).toContain('tags +beta')
    const { code, stdout } = await desk.vexil('apply --auto-approve')
    expect(code).toBe(0)
    expect(stdout).toContain('the service did not store tags; remove it or add it to `ignore`')
  })

  it('is not asked again: the next plan blocks the tags and says why', async () => {
    const desk = await atDeskWithoutTagging()
    const { code, stdout } = await desk.vexil('plan --detailed-exitcode')
    expect(code).toBe(0)
    expect(stdout).toContain('No changes, but some objects are blocked')
    expect(stdout).toContain('update blocked by not_kept')
    expect(stdout).toContain('the service accepted tags before but did not store it')
    expect(stdout).toContain('would: tags +beta')
    expect(await desk.writesOf('apply --auto-approve')).toEqual([])
  })

  it('has not drifted, and the difference is not passed over', async () => {
    const desk = await atDeskWithoutTagging()
    const { code, stdout } = await desk.vexil('drift')
    expect(code).toBe(0)
    expect(stdout).toContain('No drift')
    expect(stdout).toContain('the service accepted tags before but did not store it')
  })

  it('is asked again when somebody says so', async () => {
    const desk = await atDeskWithoutTagging()
    const { stdout } = await desk.vexil('plan --allow not_kept=feature_flag.not_ours')
    expect(stdout).toContain('allowed: not_kept')
    expect(await desk.writesOf('apply --auto-approve --allow not_kept')).toEqual([path])
    await desk.write({ 'declarations.yaml': one('tags: [beta], allow: [not_kept]') })
    expect(await desk.writesOf('apply --auto-approve')).toEqual([path])
  })

  it('is asked again for other tags', async () => {
    const desk = await atDeskWithoutTagging()
    await desk.write({ 'declarations.yaml': one('tags: [gamma]') })
    expect(await desk.writesOf('apply --auto-approve')).toEqual([path])
    expect(await desk.writesOf('apply --auto-approve')).toEqual([])
  })

  it('gets the other fields of such an object, without the tags', async () => {
    const desk = await atDeskWithoutTagging()
    await desk.write({ 'declarations.yaml': one('tags: [beta], name: Renamed') })
    const { stdout } = await desk.vexil('plan')
    expect(stdout).toContain('tags not sent: the service accepted it before but did not store it')
    expect(await desk.writesOf('apply --auto-approve')).toEqual([path])
    expect(await desk.service.get(`${flags}/14/`)).toMatchObject({ name: 'Renamed' })
    expect((await desk.vexil('plan')).stdout).toContain('0 to change, 0 to delete, 1 blocked')
  })

  it('is left alone where the tags are ignored', async () => {
    const desk = await atDeskWithoutTagging()
    await desk.write({ 'declarations.yaml': one('tags: [beta], ignore: [tags]') })
    expect((await desk.vexil('plan')).stdout).toContain('0 blocked, 1 unchanged')
  })

  it('does not keep our marker either, and still converges', async () => {
    const desk = await sitDown({ quirks: noTagging, declarations: one('name: Renamed') })
    await desk.write({ 'vexil.yaml': 'version: 1\nownership: { tag: ours }\n' })
    await desk.vexil('apply --auto-approve')
    expect((await desk.vexil('plan --detailed-exitcode')).code).toBe(0)
    expect(await desk.writesOf('apply --auto-approve')).toEqual([])
  })

  it('can have an apply undone', async () => {
    const desk = await atDeskWithoutTagging(one('tags: [beta], name: Renamed'))
    const { code, stdout } = await desk.vexil('undo last --auto-approve')
    expect(code, stdout).toBe(0)
    expect(await desk.service.get(`${flags}/14/`)).toMatchObject({ name: 'Nobody declared this' })
  })

  it('is believed when it keeps them after all', async () => {
    const desk = await sitDown({ declarations: one('tags: [beta]') })
    await desk.vexil('apply --auto-approve')
    await desk.service.send('PATCH', `${flags}/14/`, { tags: [] })
    const { stdout } = await desk.vexil('plan')
    expect(stdout).toContain('tags: reverted, changed in the product')
    expect(stdout).toContain('1 to change, 0 to delete, 0 blocked, 0 unchanged')
  })
})

describe('a service that only echoes post_to_chat', () => {
  it('is found out by a fresh read', async () => {
    const declarations = 'event_definitions:\n  paid: { post_to_chat: true }\n'
    const desk = await sitDown({ profile: 'posthog', declarations })
    expect((await desk.vexil('apply --auto-approve')).stdout).toContain('did not store post_to_chat')
    expect((await desk.vexil('plan')).stdout).toContain('1 blocked, 0 unchanged')
  })
})
