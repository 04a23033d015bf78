import { TerraformDataSource, TerraformResource, TerraformStack } from 'cdktf'
import type { IConstruct } from 'constructs'
import { featureFlag, roleAccess } from '../../kinds/index.ts'
import { identityField } from '../../model/kind.ts'
import { parentAttribute, typeName } from '../../schema/terraform/terraform-names.ts'
import { roleInPath } from '../engine/grant-name.ts'
import { type Attributes, attributesOf } from '../synthesized/attributes-of.ts'
import { resolveInStack } from '../synthesized/resolve-in-stack.ts'
import { knownText } from './known-text.ts'

/** A grant as a policy sees it, whether it was made by our constructs or by the generated ones. */
export interface GrantSubject {
  /** The key of the flag; undefined when it is known only once a plan is made. */
  readonly flag: string | undefined
  /** The id of the role; undefined when it is known only once a plan is made. */
  readonly roleId: string | undefined
  /** What the app calls the role: `Role.fromId(id, 'support')`. */
  readonly roleName: string | undefined
  /** What the role may do with the flag; undefined when it is known only once a plan is made. */
  readonly level: string | undefined
  /** The generated construct, where messages belong. */
  readonly construct: TerraformResource
  /** What would be synthesized now, `addOverride` included. */
  readonly attributes: Attributes
}

/** A construct as a grant for policies; undefined for all other constructs. */
export function grantOf(construct: IConstruct): GrantSubject | undefined {
  if (!TerraformResource.isTerraformResource(construct)) return undefined
  if (construct.terraformResourceType !== typeName(roleAccess.name)) return undefined
  const attributes = attributesOf(construct)
  if (attributes === undefined) return undefined
  const { role_id: role, access_level: level } = attributes
  return {
    flag: flagOf(construct, attributes),
    roleId: knownText(role),
    roleName: roleInPath(construct.node.path),
    level: knownText(level ?? roleAccess.fields.access_level.assumed),
    construct,
    attributes,
  }
}

/** The key of the flag that a grant names by id, if the id is an attribute of a resource in the stack. */
function flagOf(grant: TerraformResource, attributes: Attributes): string | undefined {
  const stack = TerraformStack.of(grant)
  const id = resolveInStack(grant, attributes[parentAttribute(roleAccess) ?? ''])
  const [, address] =
    /^\$\{((?:data\.)?vexil_feature_flag\.[\w-]+)(?:\[[^\]]+\])?\.id\}$/.exec(String(id)) ?? []
  const flag = address === undefined ? undefined : declaredAt(stack, address)
  return flag && knownText(attributesOf(flag)?.[identityField(featureFlag)])
}

type Declared = TerraformResource | TerraformDataSource

function declaredAt(stack: TerraformStack, address: string): Declared | undefined {
  const before = found.get(stack)?.get(address)
  // Names can still change until the synthesis.
  if (before && addressOf(before) === address) return before
  const all = stack.node.findAll().filter(isDeclared)
  const byAddress = new Map(all.map(declared => [addressOf(declared), declared]))
  found.set(stack, byAddress)
  return byAddress.get(address)
}

const found = new WeakMap<TerraformStack, ReadonlyMap<string, Declared>>()

function isDeclared(construct: IConstruct): construct is Declared {
  return (
    TerraformResource.isTerraformResource(construct) || TerraformDataSource.isTerraformDataSource(construct)
  )
}

function addressOf(declared: Declared): string {
  const name = `${declared.terraformResourceType}.${declared.friendlyUniqueId}`
  return TerraformDataSource.isTerraformDataSource(declared) ? `data.${name}` : name
}
