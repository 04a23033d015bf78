import { kinds } from '../../kinds/index.ts'
import type { Endpoint, EndpointSource } from '../../model/endpoint.ts'
import { type IdentifiedKind, identityField, isIdentified, type Kind, pluralTitle } from '../../model/kind.ts'

/**
 * What a data source reads.
 * - `one`: an object of a kind, by its identity or its id.
 * - `many`: the living objects of a kind that the filters accept.
 * - `answer`: what one operation of the interface answers, as text, and as rows where it is a list of the kind.
 */
export type DataSource =
  | {
      readonly is: 'one' | 'many'
      readonly kind: IdentifiedKind
      readonly doc: string
      readonly read: ReadEndpoint
    }
  | {
      readonly is: 'answer'
      readonly kind: Kind
      readonly endpoint: string
      /** The operation that is meant when the id is left out. */
      readonly withoutId?: string
      readonly rows?: true
      readonly doc: string
      readonly read: ReadEndpoint
    }

/**
 * Every data source by its name: what each GET of the interface reads.
 *
 * | the operation                     | is       | called, unless the kind says otherwise |
 * |-----------------------------------|----------|----------------------------------------|
 * | reads an object that has a name   | `one`    | as the kind                            |
 * | lists those                       | `many`   | as the section of the kind             |
 * | reads or lists anything else      | `answer` | the same                               |
 * | is another one                    | `answer` | as the kind and the operation          |
 *
 * What hangs from another object has no name of its own to be read by, and is only listed.
 */
export const dataSources: Readonly<Record<string, DataSource>> = Object.fromEntries(
  Object.values<Kind>(kinds).flatMap(sourcesOf),
)

function sourcesOf(kind: Kind): (readonly [name: string, DataSource])[] {
  const rows = Object.entries(kind.endpoints)
  const included = rows.map(([, { source }]) => (source ? source.withoutId : undefined))
  return rows.flatMap(([endpoint, read]) => {
    const { method, source = {} } = read
    if (method !== 'GET' || source === false || included.includes(endpoint)) return []
    const found = describedSource(kind, endpoint, { ...read, source })
    return found ? [[source.name ?? nameOf(kind, endpoint), found] as const] : []
  })
}

type ReadEndpoint = Endpoint & { readonly source: EndpointSource }

function describedSource(kind: Kind, endpoint: string, read: ReadEndpoint): DataSource | undefined {
  const { source, answer, doc } = read
  const [isList, isRead] = [endpoint === listOf(kind), endpoint === readOf(kind)]
  if (isIdentified(kind) && (isList || isRead)) {
    if (isRead && kind.identity.by === 'parent') return undefined
    const is = isList ? 'many' : 'one'
    return { is, kind, doc: source.doc ?? (isList ? manyText(kind) : oneLine(kind)), read }
  }
  const { withoutId } = source
  return {
    is: 'answer',
    kind,
    endpoint,
    read,
    doc: source.doc ?? (isRead ? `${withArticle(kind.title)} by its id.` : doc),
    ...(withoutId === undefined ? {} : { withoutId }),
    ...(answer === 'page' ? { rows: true } : {}),
  }
}

function nameOf(kind: Kind, endpoint: string): string {
  if (endpoint === listOf(kind)) return kind.section
  if (endpoint === readOf(kind)) return kind.name
  return `${kind.name}_${endpoint.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)}`
}

/** What only happens has no lifecycle, and is listed and read all the same. */
function listOf({ lifecycle }: Kind): string {
  return lifecycle?.list ?? 'list'
}

function readOf({ lifecycle }: Kind): string {
  return lifecycle?.read ?? 'read'
}

function oneLine(kind: IdentifiedKind): string {
  const { title, longTitle = title } = kind
  return `${withArticle(longTitle)} by its ${identityField(kind)} or its id.`
}

function manyText(kind: IdentifiedKind): string {
  return `The ${pluralTitle(kind)} of ${withArticle(kind.scope).toLowerCase()}.`
}

function withArticle(words: string): string {
  return `${/^[aeiou]/.test(words) ? 'An' : 'A'} ${words}`
}
