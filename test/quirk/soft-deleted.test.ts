import { describe, expect, it } from 'vitest'
import type { Quirks } from '../../src/sandbox/index.ts'
import { sitDown } from './desk.ts'
import { comesBack, flags, roles } from './repository.ts'

const declarations = 'feature_flags:\n  comes_back: { name: Back again, active: true }\n'
const trail = `GET ${flags}/activity`

async function deskWith(quirks: Partial<Quirks>, faults: readonly string[] = []) {
  const desk = await sitDown({ declarations, quirks })
  desk.service.faults(...faults)
  return desk
}

describe('a flag that was deleted in the product', () => {
  it('is found far back in the activity trail', async () => {
    const desk = await deskWith({})
    for (let count = 0; count < 30; count++)
      await desk.service.send('PATCH', `${flags}/14/`, { name: `Edit ${count}` })
    expect((await desk.vexil('plan')).stdout).toContain('1 to restore')
  })

  it('is not replaced where nobody can find it, unless that is allowed', async () => {
    const desk = await deskWith({}, [`${trail} status=403`])
    const reason =
      'it may destroy a soft-deleted object of the same name: the activity trail was refused (403)'
    expect((await desk.vexil('plan')).stdout).toContain(
      `  ! flag comes_back  create blocked by trail_unreadable  declarations.yaml:2\n      ${reason}\n`,
    )
    expect(await desk.writesOf('apply --auto-approve')).toEqual([])
    const allowed = '--allow trail_unreadable=comes_back'
    const { stdout } = await desk.vexil(`plan ${allowed}`)
    expect(stdout).toContain('1 to create')
    expect(stdout).toContain(reason)
    expect((await desk.vexil(`apply --auto-approve ${allowed}`)).code).toBe(0)
    expect((await desk.vexil('plan')).stdout).toContain('No changes')
  })

  it('is not replaced where it cannot be reached, unless that is allowed', async () => {
    const desk = await deskWith({}, [`GET ${flags}/${comesBack} status=404`])
    expect((await desk.vexil('plan')).stdout).toContain(
      'create blocked by trail_unreadable  declarations.yaml:2\n      it may destroy a soft-deleted object of the same name: the activity trail names an object (id 12) that cannot be read\n',
    )
    expect(await desk.writesOf('apply --auto-approve')).toEqual([])
    expect((await desk.vexil('apply --auto-approve --allow trail_unreadable')).code).toBe(0)
    expect((await desk.vexil('plan')).stdout).toContain('No changes')
  })

  it('after it was created by somebody else, both since a plan to create it, is not destroyed by that plan', async () => {
    const desk = await deskWith({})
    await desk.write({
      'declarations.yaml': 'feature_flags:\n  wanted: { active: true }\n  other: { active: true }\n',
    })
    expect((await desk.vexil('plan --out plan.json')).stdout).toContain('2 to create')
    const theirs = (await desk.service.send('POST', `${flags}/`, { key: 'wanted', tags: ['theirs'] })) as {
      id: number
    }
    await desk.service.send('POST', `${flags}/${theirs.id}/role_access/`, { role_id: roles.growth })
    await desk.service.send('PATCH', `${flags}/${theirs.id}/`, { deleted: true })

    const { result, requests } = await desk.service.watch(() => desk.vexil('apply plan.json'))
    expect(result.code).toBe(5)
    expect(result.stdout).toContain(
      `flag wanted not written: a deleted object (id ${theirs.id}) has its key and would be destroyed; plan again to restore it, or declare \`id: ${theirs.id}\`; plan again`,
    )
    expect(result.stdout).toContain('1 change applied')
    // The trail is read once, however many objects are to be created.
    expect(requests.filter(line => line.startsWith(trail))).toHaveLength(1)
    expect(await desk.service.get(`${flags}/${theirs.id}/`)).toMatchObject({
      deleted: true,
      tags: ['theirs'],
    })

    expect((await desk.vexil('plan')).stdout).toContain('1 to restore')
    expect((await desk.vexil('apply --auto-approve')).code).toBe(0)
    const grants = await desk.service.get(`${flags}/${theirs.id}/role_access/`)
    expect(await desk.service.get(`${flags}/${theirs.id}/`)).toMatchObject({
      deleted: false,
      tags: ['theirs'],
    })
    expect(grants).toMatchObject({ results: [{ role: { name: 'growth' } }] })
  })
})
