import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { anOrganization, useWorkspace, writeTwoEnvironments } from '../support/workspace.ts'

const world = anOrganization({
  plugins: [{ name: 'geo', plugin_type: 'source', source: { 'index.ts': 'export {}\n' } }],
  projects: [
    {
      id: 1,
      name: 'Production',
      event_definitions: [{ name: 'paid', tags: ['shop', 'owner:pay'] }],
      feature_flags: [
        { key: 'checkout', tags: ['shop', 'owner:pay', 'managed'] },
        { key: 'Checkout', tags: ['managed', 'shop'] },
        { key: 'con', tags: ['managed'] },
        { key: 'search', tags: ['owner:find', 'beta', 'web'] },
      ],
    },
    { id: 2, name: 'Staging', feature_flags: [{ key: 'search', tags: ['alpha'] }] },
  ],
})
const workspace = useWorkspace(
  { 'vexil.yaml': 'version: 1\nownership: { tag: Managed }\n', 'flags/checkout.yaml': '# mine\n' },
  { seed: world },
)
const { vexil, write, read, list } = workspace

/** The names of what each file declares. */
async function filesIn({ list, read }: Pick<ReturnType<typeof workspace>, 'list' | 'read'>, folder: string) {
  const names = (await list(folder)).filter(name => name.endsWith('.yaml'))
  const entries = names.map(async name => {
    const sections = Object.values(parse(await read(`${folder}/${name}`)) ?? {})
    return [name, sections.flatMap(section => Object.keys(section as object))] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

describe('vexil export --split', () => {
  it.each([
    [
      'tag',
      {
        'beta.yaml': ['search'],
        'plugins.yaml': ['geo'],
        'shop.yaml': ['Checkout', 'checkout', 'paid'],
        'untagged.yaml': ['con'],
      },
    ],
    [
      'owner',
      {
        'find.yaml': ['search'],
        'pay.yaml': ['checkout', 'paid'],
        'plugins.yaml': ['geo'],
        'unowned.yaml': ['Checkout', 'con'],
      },
    ],
    [
      'flag',
      {
        'checkout-2.yaml': ['Checkout'],
        'checkout-3.yaml': ['checkout'],
        'con-flags.yaml': ['con'],
        'event_definitions.yaml': ['paid'],
        'plugins.yaml': ['geo'],
        'search.yaml': ['search'],
      },
    ],
    [
      'none',
      {
        'event_definitions.yaml': ['paid'],
        'feature_flags.yaml': ['Checkout', 'checkout', 'con', 'search'],
        'plugins.yaml': ['geo'],
      },
    ],
  ])('puts declarations into files by %s, and overwrites none', async (split, expected) => {
    expect(await vexil(`export -d flags --split ${split}`)).toMatchObject({ code: 0 })
    expect(await read('flags/checkout.yaml')).toBe('# mine\n')
    expect(await filesIn(workspace(), 'flags')).toEqual({ 'checkout.yaml': [], ...expected })
    const { stdout } = await vexil('plan --json')
    const actions = JSON.parse(stdout).changes.map(({ action }: { action: string }) => action)
    expect(new Set(actions)).toEqual(new Set(['claim']))
    expect((await vexil(`export -d flags --split ${split}`)).stderr).toMatch(/^nothing to write/)
  })

  it('takes the tag of the environment that was named last', async () => {
    const env = await writeTwoEnvironments(workspace())
    await vexil('export -d flags -e production -e staging search --split tag', { env })
    expect(await list('flags')).toContain('alpha.yaml')
  })

  it.each([
    ['--split tag', '--split tag writes several files; choose their folder with -d'],
    ['--split tag -d tf --format hcl', '--split tag is for YAML, and cannot be used with --format hcl'],
  ])('refuses %s', async (options, message) => {
    expect(await vexil(`export ${options}`)).toEqual({
      code: 64,
      stdout: '',
      stderr: `vexil: ${message}\n`,
    })
  })

  it('writes nothing where the repository would read some of the files only', async () => {
    await write({ 'vexil.yaml': 'version: 1\nfiles: [flags/plugins.yaml, flags/checkout.yaml]\n' })
    const { code, stderr } = await vexil('export -d flags --split tag')
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('would not be read') })
    expect(await list('flags')).toEqual(['checkout.yaml'])
  })
})
