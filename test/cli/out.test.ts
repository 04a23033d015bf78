import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../src/model/files.ts'
import { holdingRelay } from '../support/relay.ts'
import { flagsPath, isWrite, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, list } = workspace

const at = (name: string) => join(workspace().path, name)

describe('a plan that is to be saved where it cannot be', () => {
  const noFileSystem = 'no folder or file can be made there (ENOENT)'
  const another = 'it contains something other than a plan; remove it first, or choose another name'
  const noFolder = 'a part of its path is not a folder (ENOTDIR)'
  const loop = () => symlink('a', at('a'))

  it.each<[string, string, string, (() => Promise<unknown>)?]>([
    ['below what is no file system', '/proc/nope/p.json', noFileSystem],
    ['in what is no file system', '/proc/p.json', noFileSystem],
    ['in place of a folder', 'there', 'it is a folder', () => mkdir(at('there'))],
    ['in place of this folder', '.', 'it is a folder'],
    ['in place of declarations', 'flags.yaml', another],
    ['in place of the settings', 'vexil.yaml', another],
    ['without a name', '', 'it is a folder'],
    ['in place of a device', '/dev/full', 'it is a device or a pipe, not a file'],
    ['below a device', '/dev/full/p.json', noFolder],
    ['below a file', 'file/p.json', noFolder, () => writeFile(at('file'), '')],
    ['at a loop of links', 'a', 'its links lead in a circle (ELOOP)', loop],
    ['below a loop of links', 'a/p.json', 'its links lead in a circle (ELOOP)', loop],
    ['under too long a name', 'x'.repeat(300), 'the name is too long (ENAMETOOLONG)'],
  ])('is told at once and shown all the same: %s', async (_, out, why, prepare) => {
    await prepare?.()
    const before = await list('.')
    const { result, requests } = await service.watch(() => vexil(['plan', '--out', out]))
    expect(result.code).toBe(1)
    expect(result.stderr).toBe(`vexil: the plan cannot be saved as ${JSON.stringify(out)}: ${why}\n`)
    expect(result.stdout).toMatch(/^MEDIUM risk: plan for project 1/)
    // What comes next is an apply that makes its own plan.
    expect(result.stdout).toMatch(/Next: vexil apply\n$/)
    expect(requests.filter(isWrite)).toEqual([])
    expect(await list('.')).toEqual(before)
  })

  it.skipIf(process.getuid?.() === 0)('is told of a folder that may not be written', async () => {
    await mkdir(at('locked'), { mode: 0o500 })
    const { code, stderr } = await vexil('plan --out locked/p.json')
    await chmod(at('locked'), 0o700)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'vexil: the plan cannot be saved as "locked/p.json": it may not be written (EACCES)\n',
    })
  })

  it('leaves a device what it is', async () => {
    await vexil('plan --out /dev/full')
    expect((await stat('/dev/full')).isCharacterDevice()).toBe(true)
  })

  it('is told when the place goes away while the service is read', async () => {
    const relay = await holdingRelay(service.url, () => true)
    const planning = vexil(['plan', '--out', 'out/p.json'], {
      env: { ...service.env, VEXIL_BASE_URL: relay.url },
    })
    await relay.held
    await rm(at('out'), { recursive: true })
    await writeFile(at('out'), 'in the way')
    relay.release()
    const { code, stdout, stderr } = await planning
    relay.close()
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'vexil: the plan cannot be saved as "out/p.json": a part of its path is not a folder (ENOTDIR)\n',
    })
    expect(stdout).toMatch(/^MEDIUM risk: plan for project 1/)
  })

  it('is printed as JSON all the same', async () => {
    const { code, stdout } = await vexil('plan --json --out /proc/nope/p.json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      format_version: expect.any(String),
      summary: { create: 3 },
      errors: [
        {
          code: 'failed',
          message: expect.stringContaining('the plan cannot be saved as "/proc/nope/p.json"'),
        },
      ],
    })
  })
})

describe('a plan that can be saved', () => {
  it('is, in folders that are made for it, over an earlier one and through a link to a folder', async () => {
    await mkdir(at('real'))
    await symlink('real', at('linked'))
    await writeFile(at('empty.json'), '')
    for (const out of ['deep/er/p.json', 'deep/er/p.json', 'linked/p.json', 'empty.json']) {
      expect(await vexil(['plan', '--out', out]), out).toMatchObject({ code: 0, stderr: '' })
      expect(JSON.parse(await readFile(at(out), 'utf8'))).toMatchObject({ summary: { create: 3 } })
    }
    expect(await list('deep/er')).toEqual(['p.json'])
  })
})

describe('every other command that writes files', () => {
  it.each([
    ['init', ['init', '/proc/nope']],
    ['export', ['export', '-d', '/proc/nope/flags']],
    ['apply', ['apply', '-C', '/proc/nope', '--auto-approve']],
    ['reconcile', ['reconcile', '-C', '/proc/nope']],
    ['call', ['call', '-C', '/proc/nope', 'feature_flag.create', '--body', '{"key":"x"}']],
  ])('ends where nothing can be made: %s', async (_, line) => {
    await service.send('POST', `${flagsPath}/`, { key: 'live' })
    const { code, stderr } = await vexil(line)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^(?:[^\n]+\n\n?)*vexil: [^\n]+\n$/)
  })
})

describe('a folder', () => {
  it('is made with all above it, and is none the second time', async () => {
    const path = at('one/two/three')
    expect(await makeFolder(path)).toBe(at('one'))
    expect(await makeFolder(path)).toBe(undefined)
    expect(await makeFolder('/')).toBe(undefined)
  })

  it('is made by several at once', async () => {
    const path = at('many/at/once')
    const made = await Promise.all(Array.from({ length: 20 }, () => makeFolder(path)))
    expect(made.filter(first => first === at('many'))).toHaveLength(1)
  })
})
