import { describe, expect, it } from 'vitest'
import { useBench } from './bench.ts'

const bench = useBench({})

describe('vexil init', () => {
  it('writes what a repository starts with, which is valid and says what to do next', async () => {
    const { vexil, list } = bench()
    expect(await vexil('init')).toEqual({
      code: 0,
      stdout: 'wrote vexil.yaml\nwrote flags/example.yaml\nwrote .gitignore\n\nNext: vexil plan --sandbox\n',
      stderr: '',
    })
    expect(await list('.')).toEqual(['.gitignore', 'flags', 'vexil.yaml'])
    expect(await vexil('validate')).toEqual({
      code: 0,
      stdout: '2 files checked: no mistakes\n',
      stderr: '',
    })
    expect(await vexil('plan --detailed-exitcode')).toMatchObject({ code: 2 })
  })

  it('takes the place of the service from the environment, and never the key', async () => {
    const { vexil, read, service } = bench()
    await vexil('init')
    const settings = await read('vexil.yaml')
    expect(settings).toContain(`base_url: "${service.url}"`)
    expect(settings).toContain('project: "1"')
    expect(settings).not.toContain(service.env.VEXIL_API_KEY)
  })

  it('keeps what is there, and changes nothing the second time', async () => {
    const { vexil, write, read } = bench()
    await write({ 'vexil.yaml': 'version: 1\n', '.gitignore': 'node_modules' })
    expect((await vexil('init')).stdout).toBe(
      'kept  vexil.yaml\nwrote flags/example.yaml\nwrote .gitignore\n\nNext: vexil plan --sandbox\n',
    )
    expect(await read('vexil.yaml')).toBe('version: 1\n')
    expect(await read('.gitignore')).toBe('node_modules\n.vexil/\n')
    expect((await vexil('init')).stdout).toBe(
      'kept  vexil.yaml\nkept  flags/example.yaml\nkept  .gitignore\n\nNext: vexil plan --sandbox\n',
    )
    expect(await read('.gitignore')).toBe('node_modules\n.vexil/\n')
  })

  it('makes the folder that it is given, and says how to get there', async () => {
    const { vexil, list } = bench()
    const { stdout } = await vexil(['init', 'my flags'])
    expect(stdout).toContain("\nNext: vexil plan -C 'my flags' --sandbox\n")
    expect(await list('my flags')).toEqual(['.gitignore', 'flags', 'vexil.yaml'])
  })
})
