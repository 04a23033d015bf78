import { TerraformStack } from 'cdktf'
import { Construct, type IConstruct } from 'constructs'
import { brokenMarkIn, markedNumberIn } from './engine-marks.ts'
import { notePlace } from './note-place.ts'
import { heedPoliciesAround } from './policies-around.ts'
import { type Declared, watchNames } from './taken-names.ts'

/**
 * Returns the scope after checking that everything around it was made by the engine of these constructs. An
 * app with parts from both cdktf and cdktn type-checks, and fails in the middle of its synthesis.
 */
export function inThisEngine(scope: Construct, id: string): Construct {
  if (!Construct.isConstruct(scope)) throw new TypeError(`the scope of ${JSON.stringify(id)} is no construct`)
  if (typeof id !== 'string' || brokenMarkIn(id) !== undefined || markedNumberIn(id) !== undefined) {
    throw new Error(
      `"${scope.node.path}": a construct here has no id that is known when the stack is made; give it one that is`,
    )
  }
  for (const around of scope.node.scopes) {
    const theirs = engineOf(around.constructor)
    if (theirs === undefined || theirs === ours) continue
    const path = [scope.node.path, id].filter(part => part !== '').join('/')
    throw new Error(
      `"${path}": this construct is made for ${ours}, but ${described(around)} comes from ${theirs}; ` +
        `import the construct from "vexil/${theirs}", or everything else from "${ours}"`,
    )
  }
  heedPoliciesAround(scope)
  return scope
}

/** Registers a generated construct after it is made: its line, and that its name is unique. */
export function registerConstruct(construct: Declared): void {
  notePlace(construct)
  watchNames(construct)
}

/** Classes of both engines name their origin under this symbol, and so do classes that extend them. */
const origin = Symbol.for('jsii.rtti')

/** `cdktf` may be an alias of cdktn here, so it is checked like any other module. */
const ours = engineOf(TerraformStack)

function engineOf(construct: object): string | undefined {
  const fqn: unknown = Reflect.get(construct, origin)?.fqn
  return /^cdkt[fn](?=\.)/.exec(String(fqn))?.[0]
}

function described(construct: IConstruct): string {
  return construct.node.path === '' ? 'the app' : `"${construct.node.path}"`
}
