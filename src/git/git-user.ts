import { type GitFolder, runGit } from './run-git.ts'

/** Who commits here, as git is told: `Ada Lovelace <ada@example.com>`, or what is known of that. */
export async function readGitUser(place: GitFolder): Promise<string | undefined> {
  const answer = await runGit(place, 'config', '-z', '--get-regexp', String.raw`^user\.(name|email)$`)
  if (answer.is !== 'done') return undefined
  // A later file wins over an earlier one, and comes later.
  const known = new Map(answer.text.split('\0').map(entry => splitAt(entry, '\n')))
  const name = known.get('user.name')
  const email = known.get('user.email')
  if (!name || !email) return name || email || undefined
  return `${name} <${email}>`
}

function splitAt(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
