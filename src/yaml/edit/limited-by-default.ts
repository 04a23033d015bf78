import type { Problem, Source } from '../../model/problem.ts'
import type { ObjectDeclaration } from '../declaration.ts'

/**
 * Why an object is not declared for an environment, where that is a default of the settings: it holds for other objects too, so
 * no edit of one of them changes it, or writes it down elsewhere.
 */
export function limitedByDefault(
  { file, base, only = new Map<string, number>(), defaults, address }: ObjectDeclaration,
  environment: string,
): Problem & { readonly source: Source } {
  const place = defaults?.places.get('only')
  const names = [...only.keys()]
  return {
    code: 'limited-by-default',
    severity: 'error',
    message: `a default limits it to ${names.join(', ')}`,
    hint: `add ${environment} to "only" there, or write "only: [${[...names, environment].join(', ')}]" in ${file.parsed.file}`,
    source: place ? place.parsed.locate(place.pointer, 'key') : file.parsed.locate(base.pointer, 'key'),
    address,
  }
}

/** `"feature_flag.a" is not declared for production`, and where the settings say so, the place and what to do. */
export function notDeclaredFor(declaration: ObjectDeclaration, environment: string | undefined): string {
  const there = environment === undefined ? '' : ` for ${environment}`
  const said = `"${declaration.address}" is not declared${there}`
  const isListed = environment === undefined || declaration.only?.has(environment)
  if (isListed || !declaration.isOnlyByDefault) return said
  const { message, hint, source } = limitedByDefault(declaration, environment)
  return `${said}: ${message} (${source.file}:${source.line}); ${hint}`
}
