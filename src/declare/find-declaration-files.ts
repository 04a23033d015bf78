import type { Problem } from '../model/problem.ts'
import type { Finder, FoundFile } from './find-files.ts'
import { quote } from './quote.ts'
import { type ReadSettings, settingsFiles } from './read-settings.ts'

export interface FoundDeclarations {
  readonly files: readonly FoundFile[]
  readonly problems: readonly Problem[]
}

/** The declaration files of a repository: those that its settings name, or every YAML file below them. */
export async function findDeclarationFiles(
  finder: Finder,
  { settings, parsed }: ReadSettings,
): Promise<FoundDeclarations> {
  const ignore = settingsFiles.map(name => `**/${name}`)
  const patterns = settings.files ?? ['**/*.{yaml,yml}']
  const searches = await Promise.all(patterns.map(pattern => finder.find(pattern, '.', ignore)))
  const files = searches.flatMap(search => search.files)
  const problems = searches.flatMap((search, index) => {
    const place = parsed && settings.files ? { source: parsed.locate(`/files/${index}`) } : undefined
    const matchesNothing = settings.files && search.files.length === 0 && search.outside.length === 0
    return [
      ...search.outside.map(name => ({ ...leadsOut(name), ...(place ?? firstLine(name)) })),
      ...(matchesNothing ? [{ ...noSuchFile(patterns[index] ?? ''), ...place }] : []),
    ]
  })
  return { files, problems: files.length + problems.length === 0 ? [noFiles] : problems }
}

const noFiles: Problem = {
  code: 'no-declarations',
  severity: 'warning',
  message: 'there is no file of declarations',
  hint: 'write one, such as flags/example.yaml; `vexil init` makes it for you',
}

function leadsOut(name: string): Problem {
  return {
    code: 'outside-repository',
    severity: 'error',
    message: `${quote(name)} leads out of the repository`,
    hint: 'copy the file into it',
  }
}

function noSuchFile(pattern: string): Problem {
  const message = `${quote(pattern)} matches no file`
  return { code: 'no-such-file', severity: 'error', message, hint: 'correct or remove it' }
}

function firstLine(file: string): Pick<Problem, 'source'> {
  return { source: { file, line: 1, column: 1 } }
}
