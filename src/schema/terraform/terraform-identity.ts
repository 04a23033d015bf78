import { declarableKind } from '../../kinds/index.ts'
import { type DeclarableKind, exampleOf, hasTargeting, identityField } from '../../model/kind.ts'
import type { JsonObject } from '../../model/text/json.ts'
import { compareTexts } from '../../model/text/names.ts'
import { parentNameAttribute } from './terraform-data-sources.ts'
import { parentAttribute } from './terraform-names.ts'

/** One attribute that identifies an object of a resource. All of them are texts. */
export interface IdentityAttribute {
  readonly description: string
  /** An import must set it. All other attributes are optional. */
  readonly required?: true
  /** Only for imports: another name of the object. The stored identity has null here. */
  readonly onlyForImport?: true
}

export type IdentityAttributes = Readonly<Record<string, IdentityAttribute>>

/** Increases when the attributes change. Identities of different versions are never equal. */
export const identityVersion = 0

/**
 * The identity of an object of a kind in Terraform. Terraform refuses an identity that changes. So it holds
 * values that survive a rename in the product. It never holds the address of the service, because the
 * spelling of an address may change.
 *
 * | a kind that is found by | stored                                | an import may give instead    |
 * |-------------------------|---------------------------------------|-------------------------------|
 * | a field                 | project or organization, and the id   | that field in place of the id |
 * | its parent              | the project, that id, and the field   | the name of that              |
 */
export function identityAttributes(kind: DeclarableKind): IdentityAttributes {
  const { scope, title } = kind
  const owner = { description: `The ${scope} of the object. Default: the provider's ${scope}.` }
  const [parent, parentName] = [parentAttribute(kind), parentNameAttribute(kind)]
  const field = identityField(kind)
  if (parent === undefined || parentName === undefined || !kind.lifecycle.parent) {
    return {
      [`${scope}_id`]: owner,
      id: { description: `The id of the ${title}.` },
      [field]: {
        description: `The ${field} of the ${title}. An import may set this instead of the id.`,
        onlyForImport: true,
      },
    }
  }
  const above = declarableKind(kind.lifecycle.parent.kind)
  return {
    [`${scope}_id`]: owner,
    [parent]: { description: `The id of the ${above.title}.` },
    [parentName]: {
      description: `The ${identityField(above)} of the ${above.title}. An import may set this instead of its id.`,
      onlyForImport: true,
    },
    [field]: { description: kind.fields[field]?.doc ?? '', required: true },
  }
}

/** An example identity for an import: by name, in the provider's own project or organization. */
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

/** In the form of `importIdsOf`. Undefined for an identity that names no object, or names it twice. */
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

/** One form of an import id, with an example. */
export interface ImportId {
  readonly example: string
  readonly words: string
}

/** All forms of a kind's import id, most common first. */
export function importIdsOf(kind: DeclarableKind): readonly ImportId[] {
  const { scope, lifecycle } = kind
  const [named, numbered] = [namedBy(kind), { example: idOf(kind), words: 'the id' }]
  const parent = lifecycle.parent && below(namedBy(declarableKind(lifecycle.parent.kind)))
  const own = [named, numbered].map(each => (parent ? parent(each) : each))
  const owner = { example: scope === 'project' ? '1' : uuid, words: `the ${scope}` }
  const elsewhere = own.map(below(owner)).map(({ example, words }) => ({
    example,
    words: `${words}, if it is not in the provider's own ${scope}`,
  }))
  return [...own, ...elsewhere, ...(hasTargeting(kind) ? own.slice(0, 1).map(typed) : [])]
}

/** Marks an import if the configuration uses `release` or `rollout_percentage`, not `filters`. */
const typedMark = '#release'

export function typedImportId(id: string): string {
  return `${id}${typedMark}`
}

/** Removes the suffix. Undefined if there is no suffix, or if the kind does not support it. */
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
    words: `any of these followed by \`${typedMark}\`, here ${words}: use it if the configuration has \`release\` or \`rollout_percentage\`, so that the plan after the import is empty`,
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
