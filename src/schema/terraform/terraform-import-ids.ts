import { declarableKind } from '../../kinds/index.ts'
import { type DeclarableKind, exampleOf, identityField } from '../../model/kind.ts'

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
  return [...own, ...elsewhere]
}

const uuid = '01900000-0000-0000-0000-000000000001'

function namedBy(kind: DeclarableKind): ImportId {
  const { title, lifecycle } = kind
  const field = identityField(kind)
  const words = lifecycle.parent ? `its \`${field}\`` : `the \`${field}\` of the ${title}`
  return { example: exampleOf(kind).identity, words }
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
