import { declarableKind } from '../../kinds/index.ts'
import { type DeclarableKind, exampleOf, hasTargeting, identityField } from '../../model/kind.ts'
import type { JsonObject } from '../../model/text/json.ts'
import { compareTexts } from '../../model/text/names.ts'
import { parentNameAttribute } from './terraform-data-sources.ts'
import { parentAttribute } from './terraform-names.ts'

/** One attribute that identifies an object of a resource. All of them are texts. */
export interface IdentityAttribute {
  readonly description: string
  /** An import has to give it; all others are optional. */
  readonly required?: true
  /** Only imports give it: another way to name the object. It is null in the stored identity. */
  readonly onlyForImport?: true
}

export type IdentityAttributes = Readonly<Record<string, IdentityAttribute>>

/** Increases when the attributes change: identities of two versions are never the same. */
export const identityVersion = 0

/**
 * The lifelong identity of an object of a kind in Terraform. Terraform refuses an identity that changes. So
 * it holds values that survive a rename in the product, and never the address of the service, whose spelling
 * may change.
 *
 * | a kind that is found by | stored                                | an import may give instead    |
 * |-------------------------|---------------------------------------|-------------------------------|
 * | a field                 | project or organization, and the id   | that field in place of the id |
 * | its parent              | the project, that id, and the field   | the name of that              |
 */
export function identityAttributes(kind: DeclarableKind): IdentityAttributes {
  const { scope, title } = kind
  const owner = { description: `The ${scope} it lives in; that of the provider when left out.` }
  const [parent, parentName] = [parentAttribute(kind), parentNameAttribute(kind)]
  const field = identityField(kind)
  if (parent === undefined || parentName === undefined || !kind.lifecycle.parent) {
    return {
      [`${scope}_id`]: owner,
      id: { description: `The id of the ${title}.` },
      [field]: {
        description: `The ${field} of the ${title}, which an import may give in place of the id.`,
        onlyForImport: true,
      },
    }
  }
  const above = declarableKind(kind.lifecycle.parent.kind)
  return {
    [`${scope}_id`]: owner,
    [parent]: { description: `The id of the ${above.title}.` },
    [parentName]: {
      description: `The ${identityField(above)} of the ${above.title}, which an import may give in place of its id.`,
      onlyForImport: true,
    },
    [field]: { description: kind.fields[field]?.doc ?? '', required: true },
  }
}

/** An identity as an import would give it: by names, and in the provider's own project or organization. */
export function identityExample(kind: DeclarableKind): Readonly<Record<string, string>> {
  const { identity } = exampleOf(kind)
  const { parent } = kind.lifecycle
  const parentName = parentNameAttribute(kind)
  const above = parent && parentName ? { [parentName]: exampleOf(declarableKind(parent.kind)).identity } : {}
  return { ...above, [identityField(kind)]: identity }
}

/** The identity of a kind's resource in the form of `terraform providers schema -json`. */
export function identityJson(kind: DeclarableKind): JsonObject {
  const described = Object.entries(identityAttributes(kind)).sort(([one], [other]) =>
    compareTexts(one, other),
  )
  const attributes = described.map(([name, { description, required }]) => {
    const given: JsonObject = required ? { required_for_import: true } : { optional_for_import: true }
    return [name, { type: 'string', description, ...given }] as const
  })
  return { version: identityVersion, attributes: Object.fromEntries(attributes) }
}

/**
 * The import id for the object of an identity, in the form of `importIdsOf`; undefined for an identity that
 * names no object, or names it twice.
 */
export function importIdOf(
  kind: DeclarableKind,
  identity: Readonly<Record<string, unknown>>,
): string | undefined {
  const [parent, parentName] = [parentAttribute(kind), parentNameAttribute(kind)]
  const given = (...names: readonly (string | undefined)[]) =>
    names.flatMap(name => (name !== undefined && typeof identity[name] === 'string' ? [identity[name]] : []))
  const field = identityField(kind)
  const own = parent === undefined ? [given('id', field)] : [given(parent, parentName), given(field)]
  if (!own.every(({ length }) => length === 1)) return undefined
  return [given(`${kind.scope}_id`), ...own].flat().join('/')
}

/** A form in which an import may name an object, and an example of it. */
export interface ImportId {
  readonly example: string
  readonly words: string
}

/** Every form in which an import may name an object of a kind, the most likely first. */
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

/** The suffix of an id for a configuration with `release`, or a share of everybody, instead of `filters`. */
const typedMark = '#release'

/** An id under which a flag is imported in the typed form. */
export function typedImportId(id: string): string {
  return `${id}${typedMark}`
}

/** The id without the suffix; undefined if it has none, or if the kind does not support it. */
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
