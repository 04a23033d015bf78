import {
  TerraformCount,
  type TerraformMetaArguments,
  TerraformProvider,
  type TerraformResourceLifecycle,
} from 'cdktf'
import { markedForm } from '../engine/engine-marks.ts'
import { knownTruth, notA, notKnown, number, type Reader } from './argument.ts'
import { type Readers, readArguments } from './read-arguments.ts'

/** Values that the engine makes for this purpose are passed to the generated construct unchanged. */
type Meta<Name extends keyof TerraformMetaArguments> = Reader<TerraformMetaArguments[Name]>

export const count: Meta<'count'> = (value, name) =>
  TerraformCount.isTerraformCount(value) ? value : number(value, name)

export const forEach: Meta<'forEach'> = (value, name) => {
  // No other class of the engine has that member.
  if (isMade(value, '_getForEachExpression')) return value as TerraformMetaArguments['forEach']
  throw notA('an iterator; write TerraformIterator.fromMap(...) or fromList(...)', value, name)
}

export const dependsOn: Meta<'dependsOn'> = (value, name) => {
  if (markedForm(value) !== undefined) throw notKnown(name)
  if (!Array.isArray(value)) throw notA('a list of resources', value, name)
  const other = value.findIndex(each => !isMade(each, 'fqn'))
  if (other >= 0)
    throw notA('a resource; of a construct of Vexil it is `flag.resource`', value[other], `${name}[${other}]`)
  return value
}

export const provider: Reader<TerraformProvider | undefined> = (value, name) => {
  if (TerraformProvider.isTerraformProvider(value)) return value
  throw notA('a provider; write new VexilProvider(...)', value, name)
}

/** A list of values that the engine checks itself: texts, resources, conditions in its own form. */
const listForTheEngine =
  <Value>(): Reader<Value> =>
  (value, name) => {
    if (markedForm(value) !== undefined) throw notKnown(name)
    if (!Array.isArray(value)) throw notA('a list', value, name)
    for (const [index, each] of value.entries()) {
      const isForIt =
        typeof each === 'string' ||
        markedForm(each) !== undefined ||
        isMade(each, 'fqn') ||
        isMade(each, 'condition')
      if (!isForIt) throw notA('a text, a resource or a condition', each, `${name}[${index}]`)
    }
    return value as Value
  }

const ignoreChanges: Reader<TerraformResourceLifecycle['ignoreChanges']> = (value, name) =>
  value === 'all' ? value : listForTheEngine<string[]>()(value, name)

/** Terraform accepts no reference in lifecycle settings; conditions have theirs inside. */
const lifecycleArguments: Readers<TerraformResourceLifecycle> = {
  createBeforeDestroy: knownTruth,
  ignoreChanges,
  postcondition: listForTheEngine(),
  precondition: listForTheEngine(),
  preventDestroy: knownTruth,
  replaceTriggeredBy: listForTheEngine(),
}

export const lifecycle: Meta<'lifecycle'> = (value, name) =>
  // A value without members is reported under this name too.
  readArguments(value as TerraformResourceLifecycle, lifecycleArguments, 'a lifecycle', name)

/** Checks for a member and not for the class: the engine may be loaded twice. */
function isMade(value: unknown, by: string): boolean {
  return typeof value === 'object' && value !== null && markedForm(value) === undefined && by in value
}
