import { describe, expect, it } from 'vitest'
import { organization, useWorkspace, writeTwoEnvironments } from '../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write, read, records, flag } = workspace

/** Two environments in the settings file; the process environment has the key and nothing else. */
async function inProduction() {
  const key = await writeTwoEnvironments(workspace())
  const run = (line: string, env: Record<string, string> = {}) => vexil(line, { env: { ...key, ...env } })
  const applied = await run('apply --env production --auto-approve')
  expect(applied, applied.stderr).toMatchObject({ code: 0 })
  const [record = ''] = await records()
  return { run, name: record.replace('.json', '') }
}

describe('vexil undo, without --env', () => {
  it('takes environment and project from the record', async () => {
    const { run, name } = await inProduction()
    const { code, stdout, stderr } = await run('undo last --auto-approve')
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`undo of run ${name} in production (project 1 from the record, ${service.url})`)
    await expect(flag('checkout')).rejects.toThrow('no flag checkout')
  })

  it('goes where the run went, though the settings have changed', async () => {
    const { run, name } = await inProduction()
    const settings = await read('vexil.yaml')
    await write({ 'vexil.yaml': settings.replace('project: "1"', 'project: "7"') })
    const { code, stdout } = await run(`undo ${name} --auto-approve`)
    expect(code).toBe(0)
    expect(stdout).toContain('project 1 from the record')
  })

  it('never follows a record to another address', async () => {
    const { run } = await inProduction()
    const [file = ''] = await records()
    const record = await read(`.vexil/runs/${file}`)
    await write({ 'evil.json': record.replaceAll(service.url, 'https://evil.example.com') })
    const { result, requests } = await service.watch(() => run('undo evil.json --auto-approve'))
    expect(requests).toEqual([])
    expect(result).toEqual({
      code: 1,
      stdout: '',
      stderr: `vexil: that run was for project 1, https://evil.example.com, not for project 1, ${service.url}\n`,
    })
  })

  it('says when the environment of a run is no more', async () => {
    const { run, name } = await inProduction()
    await write({
      'vexil.yaml': `version: 1\nenvironments: { live: { base_url: "${service.url}", project: "1", organization: ${organization} } }\n`,
    })
    expect(await run(`undo ${name} --auto-approve`)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'vexil: that run was for environment "production", which vexil.yaml does not have; choose one with --env\n',
    })
    expect((await run(`undo ${name} --auto-approve --env live`)).code).toBe(0)
  })

  it('finds the last run of the place that a variable or a flag names', async () => {
    const { run, name } = await inProduction()
    const words = (place: string) =>
      `vexil: there is no run to undo: none of those on record here has changed anything at the selected place; the latest run that did is "${name}", for ${place}\n`
    const project = `project 1, ${service.url}`
    expect(await run('undo last --auto-approve --project 2')).toEqual({
      code: 1,
      stdout: '',
      stderr: words(project),
    })
    expect((await run('undo last --auto-approve', { VEXIL_PROJECT_ID: '2' })).stderr).toBe(words(project))
    expect((await run('undo last --auto-approve', { VEXIL_PROJECT_ID: '1' })).code).toBe(0)
  })

  it('finds a run on the stand-in without being told so', async () => {
    await vexil('apply --sandbox --auto-approve', { env: {} })
    const { code, stdout } = await vexil('undo last --auto-approve', { env: {} })
    expect(code).toBe(0)
    expect(stdout.split('\n')[0]).toMatch(
      /^[A-Z]+ risk: undo of run \S+ in project 1 from the record, the sandbox of this folder instead of the service$/,
    )
  })

  it('leaves the stand-in out where a service is named', async () => {
    await vexil('apply --auto-approve')
    await vexil('apply --sandbox --auto-approve', { env: {} })
    expect((await vexil('undo last --auto-approve')).code).toBe(0)
    await expect(flag('checkout')).rejects.toThrow('no flag checkout')
  })
})

describe('vexil undo, with --env', () => {
  it('finds the last run of that environment alone', async () => {
    const { run } = await inProduction()
    const { code, stderr } = await run('undo last --env staging --auto-approve')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(
        'none of those on record here has changed anything at the selected place',
      ),
    })
    expect((await run('undo last --env production --auto-approve')).code).toBe(0)
  })
})
