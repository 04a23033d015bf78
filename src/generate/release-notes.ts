import { type GitFolder, runGit } from '../git/run.ts'

/** Why there are no notes of a release, and what to do about it. */
export class ReleaseNotesError extends Error {
  override readonly name = 'ReleaseNotesError'
}

/**
 * The notes of a release in Markdown: the message of its annotated tag, the changelog section at the tag, and
 * the commits since the release before it. For a release, the one before is never a candidate.
 */
export async function releaseNotes(place: GitFolder, tag: string): Promise<string> {
  const version = versionOf(tag)
  if ((await ask(place, 'rev-parse', '--is-shallow-repository')).trim() === 'true')
    throw new ReleaseNotesError(
      'this clone does not have all commits; get them with `git fetch --unshallow --tags`',
    )
  const message = await messageOf(place, tag)
  const section = sectionOf(await changelogAt(place, tag), version)
  if (section === '')
    throw new ReleaseNotesError(
      `CHANGELOG.md at ${tag} has no section "## ${version}" with anything in it; write it, commit it, and move the tag there with \`git tag --force --annotate ${tag}\``,
    )
  const before = await releaseBefore(place, tag)
  const commits = await commitsOf(place, before === undefined ? tag : `${before}..${tag}`)
  const title = before === undefined ? '### Commits' : `### Commits since ${before}`
  return `${[...(message === '' ? [] : [message]), section, title, ...groupsOf(commits)].join('\n\n')}\n`
}

function versionOf(tag: string): string {
  const [, version] = /^v(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(tag) ?? []
  if (version !== undefined) return version
  if (tag === '') throw new ReleaseNotesError('give the tag of a release, such as v0.2.0')
  throw new ReleaseNotesError(`"${tag}" is not the tag of a release; give one such as v0.2.0`)
}

/** The message of an annotated tag without its signature; empty for one that is only a name. */
async function messageOf(place: GitFolder, tag: string): Promise<string> {
  const format = '%(objecttype)%0a%(contents:subject)%0a%0a%(contents:body)'
  const output = await ask(place, 'for-each-ref', `--format=${format}`, `refs/tags/${tag}`)
  if (output === '')
    throw new ReleaseNotesError(
      `there is no tag ${tag}; make it with \`git tag --annotate ${tag}\`, or get it with \`git fetch --tags\``,
    )
  const [type, ...message] = output.split('\n')
  return type === 'tag' ? message.join('\n').trim() : ''
}

async function changelogAt(place: GitFolder, tag: string): Promise<string> {
  const shown = await runGit(place, 'show', `refs/tags/${tag}:CHANGELOG.md`)
  if (shown.is === 'done') return shown.text
  throw new ReleaseNotesError(`CHANGELOG.md at ${tag} cannot be read; commit it, and tag that commit`)
}

/** The text below the heading of a version, as in `## 0.2.0 - 2026-11-22`; empty if there is none. */
function sectionOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1)
  const own = sections.find(section => /^\[?v?([^\]\s]+)/.exec(section)?.[1] === version)
  return own === undefined ? '' : own.slice(own.search(/\n|$/)).trim()
}

async function releaseBefore(place: GitFolder, tag: string): Promise<string | undefined> {
  const candidates = tag.includes('-') ? [] : ['--exclude=*-*']
  const words = ['--tags', '--abbrev=0', '--match=v[0-9]*', ...candidates, `refs/tags/${tag}^`]
  const described = await runGit(place, 'describe', ...words)
  // Without an earlier tag this is the first release, and its commit may have no parent.
  return described.is === 'done' ? described.text.trim() : undefined
}

interface Commit {
  readonly name: string
  readonly subject: string
  readonly paths: readonly string[]
}

/** Commits, the newest first, with the paths that each of them changed. Merges only repeat other commits. */
async function commitsOf(place: GitFolder, range: string): Promise<readonly Commit[]> {
  const form = ['--format=%x00%h%x09%s', '--name-only', '--no-merges', '--no-show-signature']
  const output = await ask(place, 'log', ...form, range, '--')
  return output
    .split('\0')
    .slice(1)
    .map(commit => {
      const [head = '', ...paths] = commit.split('\n').filter(line => line !== '')
      const [name = '', ...subject] = head.split('\t')
      return { name, subject: subject.join('\t'), paths }
    })
}

const groups = ['Program', 'Documentation and examples', 'Tests and tools'] as const

/** A commit is about the first of the groups that it changes anything of: tests and pages travel with the code. */
function groupOf({ paths }: Commit): (typeof groups)[number] {
  if (paths.some(path => path.startsWith('src/'))) return 'Program'
  return paths.some(path => /^(?:docs|examples)\/|\.md$/.test(path))
    ? 'Documentation and examples'
    : 'Tests and tools'
}

function groupsOf(commits: readonly Commit[]): string[] {
  return groups.flatMap(group => {
    const own = commits.filter(commit => groupOf(commit) === group)
    const lines = own.map(({ name, subject }) => `- ${subject} (${name})`)
    return lines.length === 0 ? [] : [`#### ${group}\n${lines.join('\n')}`]
  })
}

async function ask(place: GitFolder, ...words: readonly string[]): Promise<string> {
  const answer = await runGit(place, ...words)
  if (answer.is === 'done') return answer.text
  throw new ReleaseNotesError(`git ${words[0]}: ${answer.is === 'refused' ? answer.words : answer.why}`)
}
