import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../../support/workspace.ts'

const role = '01900000-0000-0000-0000-0000000000aa'
const settings = `version: 1
environments:
  staging: { project: "2", roles: { support: ${role} } }
  production: { project: "1", roles: { support: ${role} } }
`
const flags = `# the shop
feature_flags:
  checkout:   # new
    name: 'Checkout'
    release:
      staff: { properties: { email: { icontains: '@example.com' } } }
      rest: { rollout_percentage: 5 }   # slowly
    environments:
      # try everything
      staging: { release: { rest: { rollout_percentage: 100 } } }
      production:
        protect: true
  menu:
    release: { rest: { rollout_percentage: 10 } }
    only: [staging]   # for now

  search: { active: true, release: { rest: { rollout_percentage: 50 } } }
`
const workspace = useWorkspace({ 'vexil.yaml': settings, 'flags.yaml': flags })
const { vexil, write, read, list } = workspace

async function promoted(line: string, text = flags) {
  await write({ 'flags.yaml': text })
  const result = await vexil(`promote ${line}`, { env: {} })
  return { ...result, text: await read('flags.yaml') }
}

describe('vexil promote', () => {
  it('makes one percentage one line', async () => {
    const { code, stdout, stderr, text } = await promoted('checkout --from staging --to production')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const after = flags.replace(
      '        protect: true\n',
      '        protect: true\n        release: { rest: { rollout_percentage: 100 } }\n',
    )
    expect(text).toBe(after)
    expect(stdout).toBe(`--- a/flags.yaml
+++ b/flags.yaml
@@ -10,6 +10,7 @@
       staging: { release: { rest: { rollout_percentage: 100 } } }
       production:
         protect: true
+        release: { rest: { rollout_percentage: 100 } }
   menu:
     release: { rest: { rollout_percentage: 10 } }
     only: [staging]   # for now
wrote flags.yaml
Next: vexil plan --env production
`)
  })

  it('writes what all share with --shared, and takes overrides out that say the same then', async () => {
    const { code, text } = await promoted('checkout --from staging --to production --shared')
    expect(code).toBe(0)
    expect(text).toBe(
      flags
        .replace('rest: { rollout_percentage: 5 }', 'rest: { rollout_percentage: 100 }')
        .replace('      staging: { release: { rest: { rollout_percentage: 100 } } }\n', ''),
    )
  })

  it('adds the environment to the list of a flag that is limited to others', async () => {
    const { code, text } = await promoted('menu --from staging --to production')
    expect(code).toBe(0)
    expect(text).toBe(flags.replace('only: [staging]', 'only: [staging, production]'))
  })

  it('is done already where both declare the same', async () => {
    const { code, stdout, stderr, text } = await promoted('search --from staging --to production')
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: '1 object is already the same\n',
    })
    expect(text).toBe(flags)
  })

  it('promotes all that fits a glob, twice with the same end', async () => {
    const first = await promoted('* --from staging --to production')
    expect(first.code).toBe(0)
    const second = await promoted('* --from staging --to production', first.text)
    expect(second).toMatchObject({ code: 0, stdout: '', text: first.text })
    const back = await promoted('* --from production --to staging', first.text)
    expect(back).toMatchObject({ code: 0, stdout: '', text: first.text })
  })

  it('takes an override out that says what is shared', async () => {
    const { text } = await promoted('checkout --from production --to staging')
    expect(text).toBe(
      flags.replace('      staging: { release: { rest: { rollout_percentage: 100 } } }\n', ''),
    )
  })

  it('writes nothing with --dry-run, and tells everything as data with --json', async () => {
    const { code, stdout, text } = await promoted(
      'checkout search --from staging --to production --dry-run --json',
    )
    expect(code).toBe(0)
    expect(text).toBe(flags)
    expect(JSON.parse(stdout)).toMatchObject({
      format_version: '1.0',
      exit_code: 0,
      dry_run: true,
      files: [
        {
          path: 'flags.yaml',
          diff: expect.stringContaining('+        release: { rest: { rollout_percentage: 100 } }'),
        },
      ],
      objects: [
        { address: 'feature_flag.checkout', environment: 'production', written: 'environment' },
        { address: 'feature_flag.search', environment: 'production', written: 'nothing' },
      ],
      errors: [],
    })
  })

  it('leaves a skip, and keeps what the environment is treated with', async () => {
    const text = `feature_flags:
  a:
    release: { rest: { rollout_percentage: 5 } }
    role_access: [support]
    environments: { production: { skip: true } }
`
    const { code, text: after } = await promoted('a --from staging --to production', text)
    expect(code).toBe(0)
    expect(after).toBe(text.replace('    environments: { production: { skip: true } }\n', ''))
    expect(await promoted('a --from production --to staging', text)).toMatchObject({
      code: 64,
      stderr: 'vexil: "feature_flag.a" is not declared for production\n',
      text,
    })
  })

  it('promotes references and names as they are written', async () => {
    const text = `feature_flags:
  a:
    release: { rest: { rollout_percentage: 5 } }
    environments:
      staging: { name: "\${env:FLAG_NAME}", role_access: [support] }
`
    const { code, text: after, stderr } = await promoted('a --from staging --to production', text)
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('FLAG_NAME is not set') })
    expect(after).toBe(text)
    await vexil('promote a --from staging --to production', { env: { FLAG_NAME: 'Ada' } })
    expect(await read('flags.yaml')).toBe(
      `${text}      production: { name: "\${env:FLAG_NAME}", role_access: [support] }\n`,
    )
  })

  it('promotes conditions in another order as a list', async () => {
    const text = `feature_flags:
  a:
    release: { x: { rollout_percentage: 1 }, rest: { rollout_percentage: 5 } }
    environments:
      staging: { release: [{ rollout_percentage: 5 }, { rollout_percentage: 1 }, { properties: { a: b } }] }
`
    const { code, text: after } = await promoted('a --from staging --to production', text)
    expect({ code, after: after.includes('production') }).toEqual({ code: 0, after: true })
  })

  it('writes an override where what is shared stands in an anchor that others use', async () => {
    const text = `x-release: &slow
  rest: { rollout_percentage: 5 }
feature_flags:
  a: &a
    release: *slow
    environments:
      staging: { release: { rest: { rollout_percentage: 50 } } }
  b:
    release: &fast { rest: { rollout_percentage: 5 } }
    environments:
      staging: { release: { rest: { rollout_percentage: 50 } } }
  c:
    release: *fast
`
    const one = await promoted('a --from staging --to production --shared', text)
    expect(one.code).toBe(0)
    expect(one.text).toContain('    release:\n      rest:\n        rollout_percentage: 50\n')
    const two = await promoted('b --from staging --to production --shared', text)
    expect(two).toMatchObject({
      code: 0,
      stderr:
        'feature_flag.b: "rollout_percentage" is part of the anchor &fast: the change would also affect every alias of it; the overrides of production are used instead\n',
    })
    const [above, below] = text.split('  c:\n')
    expect(two.text).toBe(
      `${above}      production: { release: { rest: { rollout_percentage: 50 } } }\n  c:\n${below}`,
    )
  })

  it.each([
    ['nope --from staging --to production', '"nope" is not declared'],
    ['nope* --from staging --to production', '"nope*" matches nothing that is declared'],
    ['menu --from stagign --to production', '"stagign" is not an environment; did you mean "staging"?'],
    ['menu --from staging --to staging', '--from and --to are the same environment'],
    ['menu --from production --to staging', '"feature_flag.menu" is not declared for production'],
  ])('ends in 64 for %s', async (line, message) => {
    expect(await promoted(line)).toMatchObject({
      code: 64,
      stderr: expect.stringContaining(message),
      text: flags,
    })
  })

  it('changes nothing in a repository with errors', async () => {
    const text = flags.replace('active: true', 'actve: true')
    expect(await promoted('checkout --from staging --to production', text)).toMatchObject({ code: 1, text })
  })

  it('keeps the permissions and the mark of the byte order of a file, and its line ends', async () => {
    const { path } = workspace()
    const file = join(path, 'flags.yaml')
    await writeFile(file, `\ufeff${flags.replaceAll('\n', '\r\n')}`)
    await chmod(file, 0o640)
    expect(await vexil('promote checkout --from staging --to production', { env: {} })).toMatchObject({
      code: 0,
    })
    const after = await readFile(file, 'utf8')
    expect(after.startsWith('\ufeff# the shop\r\n')).toBe(true)
    expect(after.match(/(?<!\r)\n/)).toBeNull()
    expect((await stat(file)).mode & 0o777).toBe(0o640)
  })

  it('writes to no file that another command is editing', async () => {
    const { path } = workspace()
    await writeFile(join(path, '.flags.yaml.vexil-edit'), '')
    const { code, stderr } = await vexil('promote checkout --from staging --to production', { env: {} })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('another command is editing it'),
    })
    expect(await read('flags.yaml')).toBe(flags)
    expect(await list('.')).toContain('.flags.yaml.vexil-edit')
  })

  it('follows a link inside of the repository, and leaves it a link', async () => {
    const { path } = workspace()
    await write({ 'real/a.yml.txt': flags, 'flags.yaml': 'feature_flags: {}\n' })
    await symlink('real/a.yml.txt', join(path, 'linked.yaml'))
    const { code } = await vexil('promote checkout --from staging --to production', { env: {} })
    expect(code).toBe(0)
    expect(await read('real/a.yml.txt')).toContain('        release: { rest: { rollout_percentage: 100 } }')
  })
})
