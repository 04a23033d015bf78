import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type PastState, pastDeclarations } from '../../../src/cli/past/past-declarations.ts'
import { rememberingParse } from '../../../src/cli/repository/repository.ts'
import { loadRepository } from '../../../src/yaml/index.ts'
import { commitAll, git, gitEnv } from '../../git/repository.ts'
import { type Files, folderOfTest, writeFiles } from '../../support/folder.ts'
import { testRuntime } from '../../support/test-runtime.ts'

const settings = [
  'version: 1',
  'environments:',
  '  staging: { base_url: "http://127.0.0.1:1", project: "2" }',
  '  production: { base_url: "http://127.0.0.1:1", project: "1" }',
  'roles: { support: 01900000-0000-0000-0000-0000000000aa }',
  'defaults: [{ files: "flags/*.yaml", protect: true }]',
  '',
].join('\n')

const flag = (key: string, percent: number) =>
  `feature_flags:\n  ${key}:\n    active: true\n    filters: { groups: [{ rollout_percentage: ${percent} }] }\n`

const whole: Files = {
  'vexil.yaml': settings,
  'flags/a.yaml': `${flag('a', 10)}    role_access: [support]\n    environments: { production: { active: false } }\n`,
  'flags/b.yaml': `include: [../more/b.yml]\n${flag('b', 20)}`,
  'more/b.yml': 'event_definitions:\n  paid: { tags: [money] }\n',
  'plugins/p.yaml': 'plugins:\n  geo:\n    plugin_type: source\n    source: { index.ts: { file: geo.ts } }\n',
  'plugins/geo.ts': 'export function processEvent(event) {\n  return event\n}\n',
}

const optionsAt = (
  directory: string,
  environment = 'production',
  env: Readonly<Record<string, string>> = {},
) => ({
  directory,
  environment,
  env: { ...gitEnv, ...env },
})

function pastAt(directory: string, files: readonly string[] = [], environment?: string) {
  return pastDeclarations(testRuntime(), optionsAt(directory, environment), files)
}

const addressesIn = (past: PastState | undefined) =>
  past?.declarations.desired.map(({ address }) => address) ?? []

async function change(folder: string, files: Files): Promise<string> {
  await writeFiles(folder, files)
  await git(folder, 'add', '--all')
  await git(folder, 'commit', '--quiet', '--message', 'Change')
  return git(folder, 'rev-parse', 'HEAD')
}

describe('what was declared at a commit', () => {
  it.each(['production', 'staging'])(
    'is what the folder declares that was committed: %s',
    async environment => {
      const folder = await folderOfTest(whole)
      const commit = await commitAll(folder)
      const { declarations, problems } = await loadRepository(optionsAt(folder, environment))
      expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
      expect(declarations.desired.length).toBeGreaterThan(3)
      const past = await pastAt(folder, [], environment).at(commit)
      expect(past?.declarations).toEqual(declarations)
      expect(past?.notes).toEqual([])
    },
  )

  it('is that of the commit, whatever the folder declares today', async () => {
    const folder = await folderOfTest(whole)
    const before = await commitAll(folder)
    const { declarations } = await loadRepository(optionsAt(folder))
    await change(folder, {
      'flags/a.yaml': flag('a', 99),
      'plugins/geo.ts': 'export {}\n',
      'vexil.yaml': 'version: 1\n',
    })
    await writeFiles(folder, { 'flags/b.yaml': 'not yaml: [' })
    expect((await pastAt(folder).at(before))?.declarations).toEqual(declarations)
  })

  it('leaves out what an error is about, and says so; all else is there', async () => {
    const folder = await folderOfTest({
      ...whole,
      'flags/c.yaml': 'feature_flags:\n  c: { active: 7 }\n  d: { active: true }\n',
      'flags/e.yaml': 'feature_flags:\n  e: { active: tr\n',
    })
    const commit = await commitAll(folder)
    const past = await pastAt(folder).at(commit)
    const flags = addressesIn(past).filter(address => address.startsWith('feature_flag.'))
    expect(flags).toEqual(['feature_flag.a', 'feature_flag.b', 'feature_flag.d'])
    expect(past?.notes).toEqual([
      `at ${commit.slice(0, 10)}, 2 declarations cannot be read and are not compared with that commit: feature_flag.c, flags/e.yaml`,
    ])
  })

  it('is nothing where the settings of that commit have no such environment, and says so', async () => {
    const folder = await folderOfTest({ ...whole, 'vexil.yaml': 'version: 1\nenvironments: { old: {} }\n' })
    const commit = await commitAll(folder)
    const past = await pastAt(folder).at(commit)
    expect(addressesIn(past)).toEqual([])
    expect(past?.notes).toEqual([
      `at ${commit.slice(0, 10)}, the environment "production" cannot be read, so nothing is compared with that commit`,
    ])
  })

  it('does not have the files of a submodule', async () => {
    const folder = await folderOfTest({ 'inner/flags.yaml': flag('inner', 5), ...whole })
    await commitAll(join(folder, 'inner'))
    const commit = await commitAll(folder)
    const past = await pastAt(folder).at(commit)
    expect(addressesIn(past)).not.toContain('feature_flag.inner')
    expect(past?.notes).toEqual([])
  })

  it('is not known where git cannot tell: no such commit, no repository, a filter that cannot be switched off', async () => {
    const folder = await folderOfTest(whole)
    expect(await pastAt(folder).at('a'.repeat(40))).toBeUndefined()
    const commit = await commitAll(folder)
    expect(await pastAt(folder).at('a'.repeat(40))).toBeUndefined()
    await git(folder, 'config', 'filter.a=b.smudge', 'cat')
    expect(await pastAt(folder).at(commit)).toBeUndefined()
  })

  it('is the same in a repository of SHA-256, and in a work tree of its own', async () => {
    const folder = await folderOfTest({})
    await git(folder, 'init', '--quiet', '--object-format=sha256', 'first')
    const first = join(folder, 'first')
    const commit = await change(first, whole)
    const { declarations } = await loadRepository(optionsAt(first))
    await change(first, { 'flags/a.yaml': flag('a', 99) })
    await git(first, 'worktree', 'add', '--quiet', '--detach', join(folder, 'second'), 'HEAD')
    for (const place of [first, join(folder, 'second')]) {
      const past = await pastAt(place).at(commit)
      expect(past?.declarations).toEqual(declarations)
    }
  })
})

describe('a text', () => {
  it('is parsed once, however many commits have it', async () => {
    const folder = await folderOfTest(whole)
    const before = await commitAll(folder)
    await change(folder, { 'flags/a.yaml': flag('a', 99) })
    const parse = rememberingParse()
    const parsed = new Map<object, string>()
    const options = {
      ...optionsAt(folder),
      parse: (text: string, file: string) => {
        const one = parse(text, file)
        parsed.set(one, file)
        return one
      },
    }
    await loadRepository(options)
    const today = [...parsed.values()].sort()
    await pastDeclarations(testRuntime(), options, []).at(before)
    expect([...parsed.values()].sort()).toEqual([...today, 'flags/a.yaml'].sort())
    expect(today).toContain('flags/a.yaml')
  })
})

it('keeps what a commit declared, but for one that is only gone through', async () => {
  const folder = await folderOfTest(whole)
  const commit = await commitAll(folder)
  const past = pastAt(folder)
  const passing = { isKept: false }
  expect(past.at(commit, passing)).not.toBe(past.at(commit, passing))
  const kept = past.at(commit)
  expect([past.at(commit) === kept, past.at(commit, passing) === kept]).toEqual([true, true])
  expect(addressesIn(await past.at(commit))).toContain('feature_flag.a')
})
