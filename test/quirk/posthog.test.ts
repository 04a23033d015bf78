import { expect, it } from 'vitest'
import { noRecords } from '../support/live-edits.ts'
import { sitDown } from './desk.ts'
import { comesBack, definitions, flags, paid } from './repository.ts'

it('the public service as it answers on the wire goes through the whole loop', async () => {
  const desk = await sitDown({ profile: 'posthog', postToChat: true })
  const { service, vexil } = desk

  const planned = await vexil('plan --detailed-exitcode')
  expect(planned.code).toBe(2)
  expect(planned.stderr.replace(noRecords, '')).toBe('1 warning: vexil validate shows it\n')
  expect(planned.stdout).toContain(
    '5 to create, 3 to change, 1 to restore, 3 to delete, 0 blocked, 1 unchanged',
  )

  const writes = await desk.writesOf('apply --auto-approve')
  expect(writes).toHaveLength(15)
  expect(await service.get(`${flags}/${comesBack}/`)).toMatchObject({ name: 'Back again', tags: ['kept'] })
  expect(await service.get(`${definitions}/${paid}/`)).toMatchObject({
    tags: ['money'],
    post_to_slack: false,
  })

  const second = await vexil('plan --detailed-exitcode')
  expect(second.code).toBe(0)
  expect(second.stdout).toContain(
    '0 to create, 0 to change, 0 to delete, 1 blocked, 9 unchanged, 2 already absent',
  )
  expect(second.stdout).toContain('the service accepted post_to_chat before but did not store it')
  expect(await desk.writesOf('apply --auto-approve')).toEqual([])
  expect((await vexil('drift')).code).toBe(0)

  await service.send('PATCH', `${flags}/11/`, { name: 'Theirs' })
  const drifted = await vexil('drift')
  expect(drifted.code).toBe(6)
  expect(drifted.stdout).toContain('name: reverted, changed in the product')
  expect(await desk.writesOf('apply --auto-approve')).toEqual([`PATCH ${flags}/11`])
  expect(await desk.writesOf('undo last --auto-approve')).toEqual([`PATCH ${flags}/11`])
  expect(await service.get(`${flags}/11/`)).toMatchObject({ name: 'Theirs' })

  await desk.write({ 'declarations.yaml': '' })
  const exported = await vexil('export --directory .')
  expect(exported.code, exported.stderr).toBe(0)
  const same = await vexil('plan --detailed-exitcode')
  expect(same.code, same.stdout + same.stderr).toBe(0)
  expect(same.stdout).toContain('0 blocked')
})
