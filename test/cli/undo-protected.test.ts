import { describe, expect, it } from 'vitest'
import { isWrite, useWorkspace, writeTwoEnvironments } from '../support/workspace.ts'

const workspace = useWorkspace({ 'vexil.yaml': 'version: 1\n' })
const { vexil, service, write, flag } = workspace

const declare = (members: string) =>
  write({ 'flags.yaml': `feature_flags:\n  checkout: { ${members} }\n  other: { name: New }\n` })

/** A run that created both flags, or turned one on that was there. */
async function applied(members: string) {
  await declare(members)
  const { code, stderr } = await vexil('apply --auto-approve')
  expect(code, stderr).toBe(0)
}

async function undo(flags = '') {
  const { result, requests } = await service.watch(() => vexil(`undo last --auto-approve${flags}`))
  return { ...result, writes: requests.filter(isWrite) }
}

function expectHeld(text: string, action: string, reason: string, remedy: string) {
  expect(text).toContain(`  ! flag checkout  ${action} blocked by protected\n      ${reason}\n`)
  expect(text).toContain(`      to go on: ${remedy}\n`)
}
const expectProtected = (text: string, action: string) =>
  expectHeld(
    text,
    action,
    'the declaration protects it from being deleted or turned off',
    'remove `protect: true` first, in a separate change',
  )

describe('vexil undo, of what is protected today', () => {
  it('deletes nothing that the run created and the declaration protects', async () => {
    await applied('active: true')
    await declare('active: true, protect: true')
    const { code, stdout, writes } = await undo()
    expect(code, stdout).toBe(3)
    expectProtected(stdout, 'delete')
    expect(writes).toHaveLength(1)
    expect(await flag('checkout')).toMatchObject({ active: true, deleted: false })
    await expect(flag('other')).rejects.toThrow('no flag other')
  })

  it('turns nothing off that the run turned on and the declaration protects', async () => {
    await applied('active: false')
    await applied('active: true, protect: true')
    const { code, stdout, writes } = await undo()
    expect({ code, writes }, stdout).toEqual({ code: 3, writes: [] })
    expectProtected(stdout, 'update')
  })

  it('puts back everything else of a protected object', async () => {
    await applied('active: true, name: Old')
    await applied('active: true, name: New, protect: true')
    expect(await undo()).toMatchObject({ code: 0 })
    expect(await flag('checkout')).toMatchObject({ active: true, name: 'Old' })
  })

  it('knows an object by its id, whatever the declaration calls it', async () => {
    await applied('active: true')
    const { id } = await flag('checkout')
    await write({
      'flags.yaml': `feature_flags:\n  checkout_flag: { id: ${id}, active: true, protect: true }\n`,
    })
    const { code, stdout } = await undo()
    expect(code, stdout).toBe(3)
    expectProtected(stdout, 'delete')
  })

  it('is about the environment of the run', async () => {
    const env = await writeTwoEnvironments(workspace())
    const run = (line: string) => vexil(line, { env })
    await declare('active: true, environments: { staging: { protect: true } }')
    await run('apply --env production --auto-approve')
    expect(await run('undo last --auto-approve')).toMatchObject({ code: 0, stderr: '' })
  })

  it('is nothing that --allow allows', async () => {
    await applied('active: true')
    await declare('active: true, protect: true')
    expect((await undo(' --allow protected')).code).toBe(64)
  })

  it('counts in a declaration with problems too', async () => {
    await applied('active: true')
    await declare('actve: true, protect: true')
    const { code, stdout, writes } = await undo()
    expect(code, stdout).toBe(3)
    expect(writes).toHaveLength(1)
    expectProtected(stdout, 'delete')
  })

  it.each([
    ['it is not YAML', { 'flags.yaml': 'feature_flags: [ this is broken' }],
    ['what it includes is not there', { 'flags.yaml': 'feature_flags: {}\ninclude: [more.yaml]\n' }],
  ])('is taken to be everything where a file cannot be read: %s', async (_, files) => {
    await applied('active: true')
    await write(files)
    const { code, stdout, writes } = await undo()
    expect({ code, writes }, stdout).toEqual({ code: 3, writes: [] })
    expectHeld(
      stdout,
      'delete',
      'a file of declarations cannot be read, and may protect it from being deleted or turned off',
      'fix the file (`vexil validate` names it), then undo again',
    )
  })

  it('is nothing where nothing is declared any more', async () => {
    await applied('active: true')
    await write({ 'flags.yaml': '' })
    expect(await undo()).toMatchObject({ code: 0, writes: [expect.anything(), expect.anything()] })
  })
})
