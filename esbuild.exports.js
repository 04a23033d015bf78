import { parse } from 'acorn'
import { simple } from 'acorn-walk'

/** What esbuild writes last in a chunk is what it exports. */
const statement = /export\{([^}]*)\};\s*$/

/** A chunk without its last statement, and what that exports: the name of each, and the variable. */
export function withoutExports(text) {
  const [found = '', list = ''] = statement.exec(text) ?? []
  const exports = list
    .split(',')
    .filter(each => each !== '')
    .map(each => {
      const [variable, name = variable] = each.split(' as ')
      return { name, variable }
    })
  return { body: text.slice(0, text.length - found.length), exports }
}

/**
 * The members of the object that a chunk exports as CommonJS. A value that never changes is a plain member, which is read
 * faster; anything else is read when somebody asks, as from an ES module.
 */
export function exportedMembers(body, exports) {
  const lasting = lastingVariables(body)
  return exports
    .map(({ name, variable }) =>
      lasting.has(variable) ? `${name}:${variable}` : `get ${name}(){return ${variable}}`,
    )
    .join()
}

/**
 * The variables of a chunk that have their value for good once the chunk has run: functions, and what is declared with a
 * value at the top and assigned nowhere. A name that is assigned in some inner scope as well counts as this one.
 */
export function lastingVariables(body) {
  const program = parse(body, { ecmaVersion: 'latest', sourceType: 'module' })
  const lasting = new Set(program.body.flatMap(declaredWithValue))
  for (const name of assignedIn(program)) lasting.delete(name)
  return lasting
}

function declaredWithValue(node) {
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') return [node.id.name]
  if (node.type !== 'VariableDeclaration') return []
  return node.declarations.filter(({ init }) => init !== null).flatMap(({ id }) => namesIn(id))
}

function assignedIn(program) {
  const names = []
  const assign = target => names.push(...namesIn(target))
  const inLoop = ({ left }) => left.type !== 'VariableDeclaration' && assign(left)
  simple(program, {
    AssignmentExpression: ({ left }) => assign(left),
    UpdateExpression: ({ argument }) => assign(argument),
    ForInStatement: inLoop,
    ForOfStatement: inLoop,
  })
  return names
}

/** The variables of a pattern: `a`, `{ a, b: c = 1 }`, `[a, ...b]`; members of objects are none. */
function namesIn(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name]
    case 'ObjectPattern':
      return pattern.properties.flatMap(property => namesIn(property.value ?? property.argument))
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesIn)
    case 'AssignmentPattern':
      return namesIn(pattern.left)
    case 'RestElement':
      return namesIn(pattern.argument)
    default:
      return []
  }
}

/**
 * Throws where chunks import each other in a circle: the one that is loaded first would hand on members that it has not yet.
 * `importsOf` has for each chunk those that it is loaded with.
 */
export function refuseCircles(importsOf) {
  const done = new Set()
  const visit = (chunk, above) => {
    if (above.includes(chunk))
      throw new Error(`chunks import each other in a circle: ${[...above, chunk].join(' -> ')}`)
    if (done.has(chunk)) return
    for (const next of importsOf.get(chunk) ?? []) visit(next, [...above, chunk])
    done.add(chunk)
  }
  for (const chunk of importsOf.keys()) visit(chunk, [])
}
