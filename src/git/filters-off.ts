import { type GitAnswer, type GitFolder, runGit } from './run-git.ts'

/** What switches off every filter that git is told of, or why that cannot be done. */
export type FiltersOff =
  | { readonly words: readonly string[] }
  | { readonly unstoppable: string }
  | { readonly answer: Exclude<GitAnswer, { is: 'done' }> }

/**
 * A filter is a command of the settings that rewrites a file before git compares it, and a file of the repository says
 * which one. None of them is run, not even one of the user's own: a repository can give it another command under the
 * same name. A filtered file whose time and size are as git noted them counts as unchanged without it.
 */
export async function filtersOff(place: GitFolder): Promise<FiltersOff> {
  const answer = await runGit(place, 'config', '-z', '--name-only', '--get-regexp', String.raw`^filter\.`)
  if (answer.is !== 'done') return answer.is === 'refused' && answer.code === 1 ? { words: [] } : { answer }
  const names = new Set(answer.text.split('\0').flatMap(nameIn))
  // `-c` would take what follows for the value.
  const unstoppable = [...names].find(name => name.includes('='))
  if (unstoppable !== undefined) return { unstoppable }
  return {
    words: [...names].flatMap(name => settings.flatMap(setting => ['-c', `filter.${name}.${setting}`])),
  }
}

/** A required filter that does nothing would be an error. */
const settings = ['clean=', 'smudge=', 'process=', 'required=false'] as const

function nameIn(key: string): string[] {
  const [, name] = /^filter\.(.+)\.[^.]*$/s.exec(key) ?? []
  return name === undefined ? [] : [name]
}
