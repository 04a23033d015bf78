import { beforeEach, describe, expect, it } from 'vitest'
import { releaseNotes } from '../../../src/generate/release-notes.ts'
import { git, gitEnv } from '../../git/repository.ts'
import { folderWith, writeFiles } from '../../support/cli.ts'
import { folderOfTest } from '../../support/folder.ts'

const changelog = (...sections: readonly string[]) =>
  ['# Changelog\n', 'All changes.\n', ...sections].join('\n')
const first = '## 0.1.0 - 2026-01-01\n\n### Added\n- Flags.\n'
const second = '## [0.2.0] - 2026-02-01\n\n### Fixed\n- A label\n  that is null.\n'

let folder: string
beforeEach(async () => {
  folder = await folderOfTest({})
  await git(folder, 'init', '--quiet')
  await commit('Begin', { 'CHANGELOG.md': changelog(first), 'src/a.ts': '1' })
})

const notes = (tag: string, directory = folder) => releaseNotes({ directory, env: gitEnv }, tag)

async function commit(subject: string, files: Readonly<Record<string, string>>): Promise<string> {
  await writeFiles(folder, files)
  await git(folder, 'add', '--all')
  await git(folder, 'commit', '--quiet', '--message', `${subject}\n\nIts body.`)
  return git(folder, 'rev-parse', '--short', 'HEAD')
}

/** Everything after the first release, up to a commit that releases the second. */
async function secondRelease(): Promise<readonly string[]> {
  await git(folder, 'tag', 'v0.1.0')
  return [
    await commit('Read labels that are null', { 'src/b.ts': '2', 'test/b.test.ts': '2', 'docs/b.md': '2' }),
    await commit('Say so', { 'docs/b.md': '3', 'README.md': '3' }),
    await commit('Test on two machines', { '.ci/run': '4', 'test/b.test.ts': '4' }),
    await commit('Release 0.2.0', { 'CHANGELOG.md': changelog(second, first) }),
  ]
}

describe('the notes of a release', () => {
  it('are the section of its version, and the commits since the release before it', async () => {
    const [read, say, test, release] = await secondRelease()
    await git(folder, 'tag', 'v0.2.0')
    await commit('Go on', { 'CHANGELOG.md': changelog('## 0.3.0, unreleased\n', second, first) })
    expect(await notes('v0.2.0')).toBe(`### Fixed
- A label
  that is null.

### Commits since v0.1.0

#### Program
- Read labels that are null (${read})

#### Documentation and examples
- Release 0.2.0 (${release})
- Say so (${say})

#### Tests and tools
- Test on two machines (${test})
`)
  })

  it('begin with the message of an annotated tag', async () => {
    await secondRelease()
    await git(folder, 'tag', '--annotate', 'v0.2.0', '--message', 'For those with labels.\n\nMore of it.')
    expect(await notes('v0.2.0')).toMatch(
      /^For those with labels\.\n\nMore of it\.\n\n### Fixed\n- A label\n/,
    )
  })

  it('have every commit where no release came before', async () => {
    const head = await git(folder, 'rev-parse', '--short', 'HEAD')
    await git(folder, 'tag', 'v0.1.0')
    expect(await notes('v0.1.0')).toBe(
      `### Added\n- Flags.\n\n### Commits\n\n#### Program\n- Begin (${head})\n`,
    )
  })

  it('go back to the release before, past what was tried first', async () => {
    await secondRelease()
    await git(folder, 'tag', 'v0.2.0-rc.1', 'HEAD~1')
    await git(folder, 'tag', 'v0.2.0')
    await git(folder, 'tag', 'nightly', 'HEAD~1')
    expect(await notes('v0.2.0')).toContain('### Commits since v0.1.0\n')
  })

  it('leave merges out, and a list that is empty', async () => {
    await secondRelease()
    await git(folder, 'tag', 'v0.2.0')
    await git(folder, 'checkout', '--quiet', '-b', 'side', 'v0.1.0')
    await commit('Look aside', { 'src/c.ts': '1' })
    await git(folder, 'checkout', '--quiet', '-')
    await git(folder, 'merge', '--quiet', '--no-ff', '--message', 'Merge it', 'side')
    const third = await commit('Release 0.3.0', {
      'CHANGELOG.md': changelog('## 0.3.0\n\n- Less.\n', second),
    })
    await git(folder, 'tag', 'v0.3.0')
    const text = await notes('v0.3.0')
    expect(text).not.toContain('Merge it')
    expect(text).toMatch(/#### Program\n- Look aside \(\w+\)\n/)
    expect(text).toContain(`#### Documentation and examples\n- Release 0.3.0 (${third})\n`)
    expect(text).not.toContain('#### Tests')
  })
})

describe('a release without notes', () => {
  it.each([
    ['0.2.0', '"0.2.0" is not the tag of a release; give one such as v0.2.0'],
    ['--output=x', '"--output=x" is not the tag of a release; give one such as v0.2.0'],
    ['', 'give the tag of a release, such as v0.2.0'],
    [
      'v9.0.0',
      'there is no tag v9.0.0; make it with `git tag --annotate v9.0.0`, or get it with `git fetch --tags`',
    ],
  ])('is refused: %j', async (tag, words) => {
    await expect(notes(tag)).rejects.toThrow(words)
  })

  it('is refused where the changelog has no section, an empty one, or one that is unreleased', async () => {
    const words = (version: string) =>
      `CHANGELOG.md at v${version} has no section "## ${version}" with anything in it; write it, commit it, and move the tag there with \`git tag --force --annotate v${version}\``
    await git(folder, 'tag', 'v0.1.1')
    await expect(notes('v0.1.1')).rejects.toThrow(words('0.1.1'))
    await commit('Release 0.2.0', { 'CHANGELOG.md': changelog('## 0.2.0\n', first) })
    await git(folder, 'tag', 'v0.2.0')
    await expect(notes('v0.2.0')).rejects.toThrow(words('0.2.0'))
    await commit('Begin 0.3.0', { 'CHANGELOG.md': changelog('## 0.3.0, unreleased\n\n- Less.\n', first) })
    await git(folder, 'tag', 'v0.3.0')
    await expect(notes('v0.3.0')).rejects.toThrow(words('0.3.0'))
  })

  it('is refused without a changelog', async () => {
    await git(folder, 'rm', '--quiet', 'CHANGELOG.md')
    await git(folder, 'commit', '--quiet', '--message', 'Drop it')
    await git(folder, 'tag', 'v0.1.0')
    await expect(notes('v0.1.0')).rejects.toThrow('CHANGELOG.md at v0.1.0 cannot be read')
  })

  it('is refused where the clone has not all commits', async () => {
    await secondRelease()
    await git(folder, 'tag', 'v0.2.0')
    const clone = await folderWith({})
    try {
      await git(clone.path, 'clone', '--quiet', '--depth', '1', '--branch', 'v0.2.0', `file://${folder}`, 'c')
      await expect(notes('v0.2.0', `${clone.path}/c`)).rejects.toThrow(
        'this clone does not have all commits; get them with `git fetch --unshallow --tags`',
      )
    } finally {
      await clone.remove()
    }
  })

  it('is refused outside of a repository', async () => {
    const other = await folderWith({})
    try {
      await expect(notes('v0.1.0', other.path)).rejects.toThrow(/not a git repository/)
    } finally {
      await other.remove()
    }
  })
})
