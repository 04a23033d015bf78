import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commitAll, git, gitEnv } from '../../git/repository.ts'
import { cli } from '../../support/cli.ts'
import { useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace({
  'flags/vexil.yaml': 'version: 1\n',
  'flags/shop.yaml': `feature_flags:
  checkout: { active: true }
  checkout_v2: { active: true }
  dark-mode: { active: false, ensure: absent }
  old_nav: { active: true }
`,
  'web/app.ts': `import posthog from 'posthog-js'
export const KEY = 'checkout'
if (posthog.isFeatureEnabled('checkout_v2')) start()
if (posthog.getFeatureFlag('dark-mode')) start()
if (posthog.getFeatureFlag('checkout_v3')) start()
`,
  'saved.plan.json': '{\n  "format_version": "1.0", "key": "old_nav" }',
  'web/made/out.js': "isFeatureEnabled('old_nav')",
  'README.md': 'The flag `old_nav` is for the navigation.',
  '.gitignore': 'made\n',
})
const { vexil, write } = workspace

const env = gitEnv

describe('vexil refs', () => {
  it.each([
    ['with git', true],
    ['without git', false],
  ])('shows where code names each flag, %s', async (_, isGit) => {
    const { path } = workspace()
    if (isGit) await commitAll(path)
    const line = isGit ? 'refs -C flags' : 'refs -C flags --in .'
    expect(await vexil(line, { env })).toEqual({
      code: 0,
      stderr: '',
      stdout: `checkout  1 reference
    web/app.ts:2:21  string
checkout_v2  1 reference
    web/app.ts:3:31  isFeatureEnabled
dark-mode  1 reference, declared absent
    web/app.ts:4:29  getFeatureFlag
old_nav  no reference
4 flags, 1 of them unused; 3 files searched
`,
    })
  })

  it('takes keys and globs, and refuses what is not declared', async () => {
    const { stdout } = await vexil(['refs', '-C', 'flags', '--in', 'web', 'check*'], { env })
    expect(stdout).toContain('2 flags, 0 of them unused')
    expect(await vexil('refs -C flags --in web chekout', { env })).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('did you mean "feature_flag.checkout"?'),
    })
  })

  it('lists what no code names, and calls for what nobody declares, and ends in 6', async () => {
    const { path } = workspace()
    await commitAll(path)
    expect(await vexil('refs -C flags --unused', { env })).toEqual({
      code: 6,
      stderr: '',
      stdout: 'old_nav is declared but not found in code\n1 found; 3 files searched\n',
    })
    expect(await vexil('refs -C flags --undeclared', { env })).toEqual({
      code: 6,
      stderr: '',
      stdout: `web/app.ts:4:29 getFeatureFlag asks for "dark-mode", which is declared absent
web/app.ts:5:29 getFeatureFlag asks for "checkout_v3", which is not declared; did you mean "checkout"?
2 found; 3 files searched
`.replace('mean "checkout"', 'mean "checkout_v2"'),
    })
    await write({ 'web/app.ts': "isFeatureEnabled('checkout', 'checkout_v2', ['old_nav'])" })
    expect(await vexil('refs -C flags --unused --undeclared', { env })).toEqual({
      code: 0,
      stderr: '',
      stdout: 'nothing found; 3 files searched\n',
    })
  })

  it('gives a document to programs', async () => {
    const { stdout, code } = await vexil('refs -C flags --in web/app.ts checkout_v2 --json', { env })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      format_version: '1.0',
      exit_code: 0,
      flags: [
        {
          key: 'checkout_v2',
          declared: 'present',
          references: [{ path: 'web/app.ts', line: 3, column: 31, kind: 'call', call: 'isFeatureEnabled' }],
        },
      ],
      undeclared: [],
      searched: 1,
      unsearched: [],
      notes: [],
      errors: [],
    })
  })

  it('never says that all flags are unused where nothing was searched', async () => {
    const { path } = workspace()
    await mkdir(join(path, 'empty'))
    for (const line of ['refs -C flags --unused --in empty', 'refs -C flags --in nowhere']) {
      const { code, stdout, stderr } = await vexil(line, { env })
      expect({ code, stdout }).toEqual({ code: line.includes('nowhere') ? 64 : 1, stdout: '' })
      expect(stderr).toMatch(/no code files to search|is not there/)
    }
  })

  it('says what it did not search, and follows no link out of the folder', async () => {
    const { path } = workspace()
    await writeFile(join(path, 'web/picture.png'), Buffer.from([1, 0, 2]))
    await write({ 'web/large.js': `'old_nav'${' '.repeat(2 * 1024 * 1024)}`, 'other/a.ts': "'old_nav'" })
    await symlink(join(path, 'other/a.ts'), join(path, 'web/link.ts'))
    await commitAll(path)
    const { stdout } = await vexil('refs -C flags --in web old_nav', { env })
    expect(stdout).toBe(
      'old_nav  no reference\n1 flag, 1 of them unused; 1 file searched, not web/large.js (over 2 MiB), 2 that are binary or links\n',
    )
    // The folder of files that git has listed is a link now.
    await write({ 'web/lib/b.ts': "'old_nav'" })
    await git(path, 'add', '--all')
    await git(path, 'mv', 'web/lib', 'lib')
    await git(
      path,
      'update-index',
      '--add',
      '--cacheinfo',
      `100644,${await git(path, 'hash-object', '-w', 'lib/b.ts')},web/lib/b.ts`,
    )
    await symlink(join(path, 'lib'), join(path, 'web/lib'))
    expect((await vexil('refs -C flags --in web old_nav', { env })).stdout).toContain('old_nav  no reference')
  })

  it('takes the way that leads to a repository behind a link, and searches a link that is named', async () => {
    const { path } = workspace()
    await commitAll(path)
    await write({ 'elsewhere/a.ts': '' })
    const link = join(path, 'elsewhere/linked')
    await symlink(path, link)
    await symlink(join(path, 'web/app.ts'), join(path, 'elsewhere/app.ts'))
    const at = (directory: string, line: string) => cli(line, { directory, env })
    expect((await at(link, 'refs -C flags checkout_v2')).stdout).toContain('\n    web/app.ts:3:31  ')
    // What is above the link is another folder.
    const flags = join(path, 'elsewhere/flags')
    await symlink(join(path, 'flags'), flags)
    expect((await at(flags, 'refs checkout_v2')).stdout).toContain('web/app.ts:3:31  ')
    const { stdout } = await at(path, 'refs -C flags --in elsewhere/app.ts checkout_v2')
    expect(stdout).toContain('web/app.ts:3:31  isFeatureEnabled\n1 flag, 0 of them unused; 1 file searched\n')
  })

  it('obeys the user’s own list of what git leaves out', async () => {
    const { path } = workspace()
    await git(path, 'init', '--quiet')
    await write({ 'mine/a.ts': "'old_nav'", 'theirs/a.ts': "'old_nav'", 'my-ignores': 'mine\n' })
    await writeFile(join(path, '.git/info/exclude'), 'theirs\n')
    await git(path, 'config', 'core.excludesFile', join(path, 'my-ignores'))
    expect((await vexil('refs -C flags old_nav', { env })).stdout).toContain('old_nav  no reference')
    await git(path, 'config', '--unset', 'core.excludesFile')
    expect((await vexil('refs -C flags old_nav', { env })).stdout).toContain('mine/a.ts:1:2')
  })
})

describe('a stack', () => {
  const stack = {
    resource: {
      vexil_feature_flag: {
        a: {
          '//': { metadata: { path: 'shop/A/Resource', stackTrace: ['../infra/flags.ts:2:1'] } },
          key: 'checkout_v2',
          name: 'New checkout',
          active: true,
          variants: [
            { key: 'control', rollout_percentage: 50 },
            { key: 'one_page', rollout_percentage: 50, payload: '{"steps":1}' },
          ],
        },
        b: { key: 'search', active: true, release: [{ rollout_percentage: 10 }] },
      },
    },
  }
  const files = {
    'cdktf.out/stacks/shop/cdk.tf.json': JSON.stringify(stack),
    'infra/flags.ts':
      "\nnew Flag(this, 'A', { key: 'checkout_v2' })\nnew Flag(this, 'B', { key: 'search' })\n",
    'web/app.ts': "posthog.getFeatureFlag('checkout_v2')\nposthog.getFeatureFlag('chekout_v2')\n",
  }
  const from = '--stack cdktf.out/stacks/shop'

  it('has its flags looked for in code, but where they are declared', async () => {
    await write(files)
    expect(await vexil(`refs ${from} --in infra --in web`, { env })).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /^checkout_v2 {2}1 reference\n {4}web\/app\.ts:1:25 .*\nsearch {2}no reference\n/,
      ),
    })
    const unused = await vexil(`refs ${from} --in web --unused --undeclared`, { env })
    expect(unused).toMatchObject({ code: 6, stdout: expect.stringContaining('search') })
    expect(unused.stdout).toContain('did you mean "checkout_v2"?')
    expect(await vexil(`refs serch ${from} --in web`, { env })).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('did you mean "feature_flag.search"?'),
    })
  })

  it('has types written of its keys, variants and payloads', async () => {
    await write(files)
    const { code, stdout } = await vexil(`keys --ts ${from}`, { env })
    expect(code).toBe(0)
    for (const part of [
      "checkoutV2: 'checkout_v2'",
      "search: 'search'",
      "'control' | 'one_page'",
      'steps: number',
    ])
      expect(stdout).toContain(part)
  })

  it('is told with its problems, and not taken for an empty one', async () => {
    await write({
      ...files,
      'cdktf.out/stacks/shop/cdk.tf.json': JSON.stringify(stack).replace('"active":true', '"actve":true'),
    })
    for (const line of [`refs ${from} --in web`, `keys --ts ${from}`])
      expect(await vexil(line, { env })).toMatchObject({ code: 1, stderr: expect.stringContaining('actve') })
    expect(await vexil('keys --ts --var a=b', { env })).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('--var is for a stack'),
    })
  })
})
