import type { Problem } from '../../model/problem.ts'
import type { JsonObject } from '../../model/text/json.ts'
import type { FileDeclarations } from '../declaration.ts'
import type { RepositoryOptions } from '../read/open-folder.ts'
import { readDeclared } from '../read-repository.ts'
import { type DescribedChange, declarationOverride, type EditedFile, writtenIn } from './edit-declarations.ts'

interface CheckedEdit {
  readonly problems: readonly Problem[]
  readonly texts: ReadonlyMap<string, string>
  readonly declared: readonly FileDeclarations[]
}

/**
 * Reads a repository as it would be with edited files. Returns its problems then (every error, and each
 * object with an unintended meaning) and its declarations.
 */
export async function checkEdited(
  options: RepositoryOptions,
  { files, changes }: { readonly files: readonly EditedFile[]; readonly changes: readonly DescribedChange[] },
): Promise<CheckedEdit> {
  const unwritten = new Map(files.map(({ file, after }) => [file, after]))
  const { problems, declared, texts } = await readDeclared({ ...options, unwritten })
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) return { problems: errors, texts, declared }
  const objects = new Map(
    declared.flatMap(file => file.objects.map(object => [placeIn(object), object] as const)),
  )
  const missed = changes.filter(({ declaration, environment, wanted, others = [] }) => {
    const object = objects.get(placeIn(declaration))
    const isListed = environment === undefined || object?.only === undefined || object.only.has(environment)
    const saysNot = ([name, members]: readonly [string | undefined, JsonObject]) => {
      const left = object && declarationOverride(object, writtenIn(object, name), members)
      return left === undefined || Object.keys(left).length > 0
    }
    return !isListed || saysNot([environment, wanted]) || [...others].some(saysNot)
  })
  return { problems: missed.map(({ declaration }) => notMeant(declaration)), texts, declared }
}

/** An object may be declared in several places, for different environments. */
function placeIn({ file, base }: DescribedChange['declaration']): string {
  return JSON.stringify([file.parsed.file, base.pointer])
}

function notMeant({ address, file, base }: DescribedChange['declaration']): Problem {
  return {
    code: 'not-edited',
    severity: 'error',
    message: 'this would not say what is meant after the change, so nothing is written',
    hint: 'change it by hand',
    source: file.parsed.locate(base.pointer, 'key'),
    address,
  }
}
