import {
  Fn,
  Lazy,
  Op,
  TerraformIterator,
  TerraformLocal,
  type TerraformStack,
  TerraformVariable,
  Token,
} from 'cdktf'
import { DataVexilFeatureFlag } from '../../../src/constructs/generated/data-vexil-feature-flag/index.ts'
import { FeatureFlag } from '../../../src/constructs/generated/feature-flag/index.ts'

/**
 * How a value reaches a construct: as a reference of any type, as one that the engine made for a text, a number, a list or
 * a map, in the middle of a text, as what is left of one that was changed, or as something that no argument takes.
 */
export type Form = 'any' | 'text' | 'number' | 'list' | 'map' | 'mixed' | 'broken' | 'wrong'

export interface TokenForm {
  readonly title: string
  readonly form: Form
  /** As the only element, it is all that the list it was taken from is: nothing is lost. */
  readonly isList?: true
  /** The same in every stack, so that two stacks synthesize to the same. */
  readonly make: (sources: Sources) => unknown
}

/** Where references come from, made in a stack when they are asked for. */
export interface Sources {
  readonly variable: TerraformVariable
  readonly iterator: ReturnType<typeof TerraformIterator.fromMap>
  readonly local: TerraformLocal
  readonly other: FeatureFlag
  readonly looked: DataVexilFeatureFlag
}

export function sourcesIn(stack: TerraformStack): Sources {
  const once = <Made>(make: () => Made) => {
    let made: Made | undefined
    return () => {
      made ??= make()
      return made
    }
  }
  const variable = once(() => new TerraformVariable(stack, 'v', { default: 'x' }))
  const local = once(() => new TerraformLocal(stack, 'l', 1))
  const other = once(() => new FeatureFlag(stack, 'other', { key: 'other', active: false }))
  const looked = once(() => new DataVexilFeatureFlag(stack, 'looked', { key: 'looked' }))
  return {
    get variable() {
      return variable()
    },
    get iterator() {
      return TerraformIterator.fromMap({ a: { member: 1 } })
    },
    get local() {
      return local()
    },
    get other() {
      return other()
    },
    get looked() {
      return looked()
    },
  }
}

function forms(form: Form, rows: Readonly<Record<string, TokenForm['make']>>): TokenForm[] {
  return Object.entries(rows).map(([title, make]) => ({ title, form, make }))
}

/** Every way in which the engines give a value that is known later, as people come by them. */
export const tokenForms: readonly TokenForm[] = [
  ...forms('any', {
    'variable.value': ({ variable }) => variable.value,
    'variable.booleanValue': ({ variable }) => variable.booleanValue,
    'iterator.value': ({ iterator }) => iterator.value,
    'iterator.getBoolean': ({ iterator }) => iterator.getBoolean('member'),
    'iterator.getAny': ({ iterator }) => iterator.getAny('member'),
    'Token.asAny': () => Token.asAny('${var.v}'),
    'Fn.conditional': ({ variable }) => Fn.conditional(variable.booleanValue, 1, 2),
    'local.expression': ({ local }) => local.expression,
    'a truth value of another resource': ({ other }) => other.active,
    'a list of another resource': ({ other }) => other.release,
    'an element of a list of another resource': ({ other }) => other.release.get(0),
    'Token.nullValue': () => Token.nullValue(),
    'Lazy.anyValue': () => Lazy.anyValue({ produce: () => '${var.v}' }),
  }),
  ...forms('text', {
    'variable.stringValue': ({ variable }) => variable.stringValue,
    'iterator.key': ({ iterator }) => iterator.key,
    'iterator.getString': ({ iterator }) => iterator.getString('member'),
    'Fn.lower': ({ variable }) => Fn.lower(variable.stringValue),
    'Fn.lookup': ({ variable }) => Fn.lookup(variable.value, 'a', 1),
    'Fn.try': ({ variable }) => Fn.try([variable.value, 1]),
    'Fn.concat': ({ variable }) => Fn.concat([variable.listValue, ['a']]),
    'Fn.merge': ({ variable }) => Fn.merge([variable.value, variable.value]),
    'local.asString': ({ local }) => local.asString,
    'the id of another resource': ({ other }) => other.id,
    'a text of a data source': ({ looked }) => looked.key,
    'a text of an element of a list': ({ other }) => other.release.get(0).variant,
    'Token.asString': ({ variable }) => Token.asString(variable.value),
    'Lazy.stringValue': () => Lazy.stringValue({ produce: () => '${var.v}' }),
  }),
  ...forms('number', {
    'variable.numberValue': ({ variable }) => variable.numberValue,
    'iterator.getNumber': ({ iterator }) => iterator.getNumber('member'),
    'Op.add': ({ variable }) => Op.add(variable.numberValue, 1),
    'Fn.abs': ({ variable }) => Fn.abs(variable.numberValue),
    'local.asNumber': ({ local }) => local.asNumber,
    'a number of another resource': ({ other }) => other.groupTypeIndex,
    'a number of an element of a list': ({ other }) => other.release.get(0).rolloutPercentage,
    'Token.asNumber': ({ variable }) => Token.asNumber(variable.value),
    'Token.asNumber of a text': ({ variable }) => Token.asNumber(variable.stringValue),
    'Lazy.numberValue': () => Lazy.numberValue({ produce: () => 7 }),
  }),
  ...forms('list', {
    'variable.listValue': ({ variable }) => variable.listValue,
    'iterator.getList': ({ iterator }) => iterator.getList('member'),
    'iterator.getNumberList': ({ iterator }) => iterator.getNumberList('member'),
    'local.asList': ({ local }) => local.asList,
    'a list of texts of another resource': ({ other }) => other.tags,
    'Token.asList': ({ variable }) => Token.asList(variable.value),
    'Token.asNumberList': ({ variable }) => Token.asNumberList(variable.value),
    'Lazy.listValue': () => Lazy.listValue({ produce: () => ['x'] }),
  }),
  ...forms('map', {
    'iterator.getMap': ({ iterator }) => iterator.getMap('member'),
    'iterator.getStringMap': ({ iterator }) => iterator.getStringMap('member'),
    'iterator.getNumberMap': ({ iterator }) => iterator.getNumberMap('member'),
    'local.asStringMap': ({ local }) => local.asStringMap,
    'Token.asAnyMap': ({ variable }) => Token.asAnyMap(variable.value),
    'Token.asBooleanMap': ({ variable }) => Token.asBooleanMap(variable.value),
  }),
  ...forms('mixed', {
    'in the middle of a text': ({ variable }) => `a ${variable.stringValue} b`,
    'twice in a text': ({ variable, other }) => `${variable.stringValue}-${other.id}`,
  }),
  ...forms('broken', {
    'in lower case': ({ variable }) => variable.stringValue.toLowerCase(),
    'in capitals': ({ variable }) => variable.stringValue.toUpperCase(),
    'with other signs': ({ variable }) => variable.stringValue.replace(/\W/g, '_'),
    'percent-encoded': ({ variable }) => encodeURIComponent(variable.stringValue),
    'percent-encoded twice': ({ variable }) => encodeURIComponent(encodeURIComponent(variable.stringValue)),
    'cut off at the end': ({ variable }) => variable.stringValue.slice(0, -1),
    'cut off soon': ({ variable }) => variable.stringValue.slice(0, 6),
    'cut off at the front': ({ variable }) => variable.stringValue.slice(4),
    'changed beside a whole one': ({ variable }) =>
      `${variable.stringValue} ${variable.stringValue.toLowerCase()}`,
    'a number in a text': ({ variable }) => `v${variable.numberValue}`,
    'a number that was multiplied': ({ variable }) => variable.numberValue * 2,
    'a number that was negated': ({ variable }) => -variable.numberValue,
    'a number that was squared': ({ variable }) => variable.numberValue ** 2,
    'a negated number in a text': ({ variable }) => `v${-variable.numberValue}`,
    'a number that was divided': ({ variable }) => variable.numberValue / 3,
    'a list with another element': ({ variable }) => [...variable.listValue, 'x'],
  }),
  ...forms('broken', {
    'a list that was joined': ({ variable }) => variable.listValue.join(','),
    'the first of a list': ({ variable }) => variable.listValue[0],
    'the first of a list of numbers': ({ variable }) => Token.asNumberList(variable.value)[0],
  }).map(form => ({ ...form, isList: true as const })),
]

/** What no reference is; TypeScript refuses it, and much is not written in TypeScript. */
export const wrongValues: readonly TokenForm[] = forms('wrong', {
  null: () => null,
  'a function': () => () => 1,
  'the variable itself': ({ variable }) => variable,
  'a big integer': () => 1n,
  'a symbol': () => Symbol('x'),
  'not a number': () => Number.NaN,
  infinity: () => Number.POSITIVE_INFINITY,
  'a promise': () => Promise.resolve('x'),
  'a date': () => new Date(0),
  'a map': () => new Map([['a', 'b']]),
  'a set': () => new Set(['a']),
  bytes: () => Buffer.from('x'),
  'an error': () => new Error('x'),
  'an object of a class': () => new Settings(),
  'a list with a promise': () => [Promise.resolve('x')],
  'an object with a promise': () => ({ a: Promise.resolve('x') }),
})

class Settings {
  readonly a = 'x'
}
