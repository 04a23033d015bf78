import { declarableKind } from '../../kinds/index.ts'
import { type DeclarableKind, exampleOf, hasTargeting, identityField } from '../../model/kind.ts'

/** A form in which an import may name an object, and an example of it. */
export interface ImportId {
  readonly example: string
  readonly words: string
}

/** Every form in which an import may name an object of a kind, the likeliest first. */
export function importIdsOf(kind: DeclarableKind): readonly ImportId[] {
  const { scope, lifecycle } = kind
  const [named, numbered] = [namedBy(kind), { example: idOf(kind), words: 'the id' }]
  const parent = lifecycle.parent && below(namedBy(declarableKind(lifecycle.parent.kind)))
  const own = [named, numbered].map(each => (parent ? parent(each) : each))
  const owner = { example: scope === 'project' ? '1' : uuid, words: `the ${scope}` }
  const elsewhere = own.map(below(owner)).map(({ example, words }) => ({
    example,
    words: `${words}, where it is not in the provider's own ${scope}`,
  }))
  return [...own, ...elsewhere, ...(hasTargeting(kind) ? own.slice(0, 1).map(typed) : [])]
}

/** What stands behind an id for a configuration that has `release`, or a share of everybody, in place of `filters`. */
const typedMark = '#release'

/** An id under which a flag is imported in the typed form. */
export function typedImportId(id: string): string {
  return `${id}${typedMark}`
}

/** The id without the mark; undefined where it has none, or means nothing for the kind. */
export function withoutTypedMark(kind: DeclarableKind, id: string): string | undefined {
  return hasTargeting(kind) && id.endsWith(typedMark) ? id.slice(0, -typedMark.length) : undefined
}

const uuid = '01900000-0000-0000-0000-000000000001'

function namedBy(kind: DeclarableKind): ImportId {
  const { title, lifecycle } = kind
  const field = identityField(kind)
  const words = lifecycle.parent ? `its \`${field}\`` : `the \`${field}\` of the ${title}`
  return { example: exampleOf(kind).identity, words }
}

function typed({ example, words }: ImportId): ImportId {
  return {
    example: typedImportId(example),
    words: `any of these with \`${typedMark}\` behind it, which is ${words} here: for a configuration that says who gets it with \`release\` or \`rollout_percentage\`, so that nothing is planned`,
  }
}

function idOf({ parameters }: DeclarableKind): string {
  return parameters?.id === 'integer' ? '7' : uuid
}

function below(outer: ImportId): (inner: ImportId) => ImportId {
  return inner => ({
    example: `${outer.example}/${inner.example}`,
    words: `${outer.words} and ${inner.words}`,
  })
}
