import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useWorkspace, writeTwoEnvironments } from '../../support/workspace.ts'
import { apart, commandLines, declaredBeside, filesOfOthers, worldOfOthers } from './commands.ts'
import { formsIn, key } from './key-forms.ts'
import { knownCommands } from './program.ts'

/** Text with every form of the key. */
const leak = `${key} ${JSON.stringify(key)} ${encodeURIComponent(key)} ${Buffer.from(`u:${key}`).toString('base64')} \\u0070${key.slice(1)}`

const workspace = useWorkspace(declaredBeside, { seed: worldOfOthers(leak), apiKey: key })
const { vexil, service, write, list, flag } = workspace

/** What the files of a folder hold, by their path. */
async function filesBelow(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return new Map(await Promise.all(files.map(async file => [file, await readFile(file, 'latin1')] as const)))
}

describe('the key of the service', () => {
  it('is known by every command but those that are apart', () => {
    const missing = knownCommands().filter(
      ({ name }) =>
        !apart.includes(name) && !commandLines('x').some(line => `${line.join(' ')} `.startsWith(`${name} `)),
    )
    // It serves whoever attaches until it is interrupted.
    expect(missing.map(({ name }) => name)).toEqual(['terraform serve'])
  })

  it('is in nothing that a command prints or writes, though every text of the service holds it', async () => {
    const { path } = workspace()
    const others = filesOfOthers(leak)
    await write(others)
    const seen: string[] = []
    for (const line of commandLines(key.replaceAll('/', '-'))) {
      const { stdout, stderr } = await vexil(line)
      expect({ line, printed: formsIn(stdout + stderr) }).toEqual({ line, printed: [] })
      seen.push(stdout, stderr)
    }
    for (const [file, text] of await filesBelow(path)) {
      const name = file.slice(path.length + 1)
      if (name in others) expect(text).toBe(others[name])
      else expect({ name, written: formsIn(text) }).toMatchObject({ written: [] })
    }
    expect(seen.join('')).toContain('[redacted]')
  }, 60_000)

  it('is in nothing that several environments are told of together', async () => {
    const { path } = workspace()
    const env = await writeTwoEnvironments(workspace())
    const seen: string[] = []
    for (const line of [
      ['compare', 'staging', 'production'],
      ['compare', 'staging', 'production', '--live'],
      ['compare', 'staging', 'production', '--live', '--json'],
      ['export', '-e', 'staging', '-e', 'production', '-d', 'both'],
      ['promote', 'known', '--from', 'production', '--to', 'staging'],
    ]) {
      const { stdout, stderr } = await vexil(line, { env })
      expect({ line, printed: formsIn(stdout + stderr) }).toEqual({ line, printed: [] })
      seen.push(stdout, stderr)
    }
    for (const [file, text] of await filesBelow(path))
      expect({ file: file.slice(path.length), written: formsIn(text) }).toMatchObject({ written: [] })
    expect(seen.join('')).toContain('[redacted]')
  })

  it('refuses a plan file, a run and an export of what holds it, and says what to do', async () => {
    const saved = await vexil('plan --out saved.plan.json')
    expect(saved.code).toBe(3)
    expect(saved.stderr).toContain('refusing to save this plan: the key of the service is in clear text in ')
    expect(saved.stderr).toContain('replace the key, since it is visible there')
    expect(await list('.')).toEqual(['flags.yaml', 'vexil.yaml'])
    const before = await service.get('/api/projects/1/feature_flags/')
    const run = await vexil('apply --auto-approve')
    expect(run.code).toBe(3)
    expect(run.stderr).toContain('refusing to record this run: the key of the service is in clear text in ')
    expect(await service.get('/api/projects/1/feature_flags/')).toEqual(before)
    const exported = await vexil('export -d live')
    expect(exported.code).toBe(3)
    expect(exported.stderr).toMatch(
      /^not exported: the key of the service is in clear text in .*feature_flag\.known/m,
    )
  })

  it('holds up nothing that does not hold it', async () => {
    await write({
      'vexil.yaml': 'version: 1\n',
      'flags.yaml': 'feature_flags: { fresh: { active: false, filters: {} } }\n',
    })
    expect((await vexil('plan --out saved.plan.json')).code).toBe(0)
    expect((await vexil('apply saved.plan.json')).code).toBe(0)
    expect((await flag('fresh')).active).toBe(false)
    const exported = await vexil('export')
    expect(exported.code).toBe(3)
    expect(exported.stdout).toContain('fresh:')
    expect(exported.stdout).not.toContain('known:')
  })

  it('is of no matter any more once there is a new one', async () => {
    const env = { VEXIL_API_KEY: 'phx_another_key_of_the_same_user' }
    const { stderr } = await vexil('plan', { env })
    expect(stderr).not.toContain('another_key')
  })
})
