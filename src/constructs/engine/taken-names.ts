import { TerraformDataSource, TerraformResource, TerraformStack } from 'cdktf'
import type { IConstruct } from 'constructs'

/** A construct that becomes a resource or a data source. */
export type Declared = TerraformResource | TerraformDataSource

/** Makes a stack refuse its synthesis if two of its constructs would become one. */
export function watchNames(declared: Declared): void {
  namesIn(TerraformStack.of(declared))
}

export function addressOf(declared: Declared, id: string): string {
  const isData = TerraformDataSource.isTerraformDataSource(declared)
  return `${isData ? 'data.' : ''}${declared.terraformResourceType}.${id}`
}

/** The names in use in a stack. They belong to the stack, wherever its constructs were loaded from. */
export function namesIn(stack: TerraformStack): Map<string, Declared> {
  const known: unknown = Reflect.get(stack, taken)
  // Only this package has the symbol.
  if (known instanceof Map) return known as Map<string, Declared>
  const names = new Map<string, Declared>()
  Object.defineProperty(stack, taken, { value: names })
  stack.node.addValidation({ validate: () => sharedNames(stack) })
  // An app may skip validations, as tests of an engine do. Names are final only now.
  const toTerraform = stack.toTerraform.bind(stack)
  stack.toTerraform = () => {
    const shared = sharedNames(stack)
    if (shared.length > 0) throw new Error(shared.join('\n'))
    return toTerraform()
  }
  return names
}

const taken = Symbol.for('vexil/names')

/** Resources with the same name, for any reason: the engine itself names generated constructs. */
function sharedNames(stack: TerraformStack): string[] {
  const first = new Map<string, Declared>()
  return stack.node.findAll().flatMap(node => {
    if (!isOurs(node) || TerraformStack.of(node) !== stack) return []
    const address = addressOf(node, node.friendlyUniqueId)
    const before = first.get(address)
    if (before === undefined) first.set(address, node)
    return before === undefined ? [] : [declaredTwice(address, before, node)]
  })
}

function isOurs(node: IConstruct): node is Declared {
  const isDeclared =
    TerraformResource.isTerraformResource(node) || TerraformDataSource.isTerraformDataSource(node)
  return isDeclared && node.terraformGeneratorMetadata?.providerName === 'vexil'
}

export function declaredTwice(address: string, before: IConstruct, declared: IConstruct): string {
  const paths = [before, declared].map(({ node }) => `"${pathOf(node)}"`)
  const isGenerated = [before, declared].every(({ node }) => pathOf(node) === node.path)
  const remedy = isGenerated
    ? 'the engine leaves characters out of ids: give one of them another id, or overrideLogicalId'
    : 'declare it once, or give one of them a logicalId'
  return `${address} is declared twice, by ${paths.join(' and ')}; ${remedy}`
}

/** The path of the app's own construct: the resource inside it has no name of its own. */
function pathOf(node: IConstruct['node']): string {
  return node.path.replace(/\/Resource$/, '')
}
