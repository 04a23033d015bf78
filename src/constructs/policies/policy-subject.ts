import { TerraformResource } from 'cdktf'
import type { IConstruct } from 'constructs'
import { declarableKinds, type Kinds } from '../../kinds/index.ts'
import { type DeclarableKind, identityField, switchField } from '../../model/kind.ts'
import { typeName } from '../../schema/terraform/terraform-names.ts'
import { type Attributes, attributesOf } from '../synthesized/attributes-of.ts'

/** What kind of thing a policy looks at: a flag, an event or a plugin. A grant has no name, and is looked at apart. */
export type SubjectKind = Extract<
  Kinds[keyof Kinds],
  { readonly identity: { readonly by: 'field' } }
>['title']

/** A resource as a policy sees it, whether it was made by our constructs or by the generated ones. */
export interface PolicySubject {
  readonly kind: SubjectKind
  /** The key of a flag, the name of anything else. */
  readonly name: string
  /** The generated construct. */
  readonly resource: TerraformResource
  /** The construct that people wrote, where messages belong. */
  readonly construct: IConstruct
  /** What would be synthesized now, `addOverride` included. */
  readonly attributes: Attributes
}

/** A construct as a resource for policies; undefined if it is none of ours. */
export function subjectOf(construct: IConstruct): PolicySubject | undefined {
  if (!TerraformResource.isTerraformResource(construct)) return undefined
  const type = construct.terraformResourceType
  const kind = kinds.find(({ name }) => typeName(name) === type)
  if (kind === undefined) return undefined
  const attributes = attributesOf(construct)
  if (attributes === undefined) return undefined
  const { scope } = construct.node
  return {
    // The titles of kinds with names are those of the type.
    kind: kind.title as SubjectKind,
    name: String(attributes[identityField(kind)] ?? ''),
    resource: construct,
    construct: scope?.node.defaultChild === construct ? scope : construct,
    attributes,
  }
}

/** The kinds that policies check, sorted by their titles. */
export const subjectKinds = declarableKinds
  .flatMap(({ title, identity }) => (identity.by === 'field' ? [title] : []))
  .sort()

/** The kind of a policy's subject. */
export function kindOf({ kind: title }: PolicySubject): DeclarableKind {
  const kind = kinds.find(each => each.title === title)
  if (!kind) throw new RangeError(`there is no kind "${title}"`)
  return kind
}

/** Whether it is certainly off, whatever its release. */
export function isOff(subject: PolicySubject): boolean {
  const turned = switchField(kindOf(subject))
  return turned !== undefined && subject.attributes[turned] === false
}

/** By type and not by class: an app may have constructs from another copy of this package. */
const kinds = declarableKinds.filter(({ identity }) => identity.by === 'field')
