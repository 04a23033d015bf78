import {
  Annotations,
  Aspects,
  DefaultTokenResolver,
  type IAspect,
  StringConcat,
  type TerraformVariable,
  Tokenization,
} from 'cdktf'
import type { IConstruct } from 'constructs'
import {
  addressOf,
  type Declared,
  engineClass,
  isOurs,
  isRecord,
  memberOf,
  ownConstruct,
  writtenAttributes,
} from './declared.ts'
import { hasMark, lostElementsOf, lostPartOf, markedForm } from './engine-marks.ts'

/**
 * Warns at synthesis about what the engine loses of what an app wrote. Seen with cdktf 0.19.2, 0.20.12 and
 * 0.21.0 and cdktn 0.24.0; `findings/constructs-*.sh` run them.
 *
 * | an app writes                                            | the stack has                            |
 * |----------------------------------------------------------|------------------------------------------|
 * | an aspect of an App                                      | nothing: only stacks are visited         |
 * | a default of a variable with the key `DE`                | the key `de`                             |
 * | `addOverride` of a list that the construct has as well   | both lists, one after the other          |
 * | `Fn.lookup(map, key, 0)`, also with false or ""          | `map.key`, without a default             |
 * | undefined or null in a list in a function                | nothing of the list after that           |
 * | a list of numbers that is known later, in some functions | one number near -1.9e289                 |
 * | the provider of another stack                            | its name only; this is an error          |
 */
export class LostValues implements IAspect {
  private readonly stack: IConstruct
  private readonly isVisited: (aspect: IAspect) => boolean
  private variables: Variables | undefined

  /** `isVisited` is true for aspects around stacks that are visited all the same. */
  public constructor(stack: IConstruct, isVisited: (aspect: IAspect) => boolean) {
    this.stack = stack
    this.isVisited = isVisited
  }

  public visit(construct: IConstruct): void {
    if (construct === this.stack) {
      this.variables = undefined
      note(construct, 'addWarning', this.lostAspects())
    }
    if (isVariable(construct)) note(construct, 'addWarning', lostKeys(construct))
    if (isOurs(construct)) {
      note(ownConstruct(construct), 'addError', foreignProvider(construct))
      note(ownConstruct(construct), 'addWarning', this.lostParts(construct))
    }
  }

  private lostParts(declared: Declared): string[] {
    const attributes = writtenAttributes(declared)
    if (!isRecord(attributes)) return []
    const parts = Object.entries(attributes).flatMap(([name, value]) =>
      writtenTexts(declared, value).flatMap(text => {
        const lost = lostPartOf(text) ?? lostElementsOf(text)
        const messages = lost ? [`${lost.message}; ${lost.remedy}`] : lostDefaults(text, this.variablesNow())
        return messages.map(message => `${name}: ${message}`)
      }),
    )
    return [...joinedLists(declared), ...parts]
  }

  private variablesNow(): Variables {
    this.variables ??= new Map(
      this.stack.node
        .findAll()
        .filter(isVariable)
        .map(variable => [variable.friendlyUniqueId, variable]),
    )
    return this.variables
  }

  private lostAspects(): string[] {
    const own = Aspects.of(this.stack).all
    const around = this.stack.node.scopes.slice(0, -1).flatMap(scope => Aspects.of(scope).all)
    return around
      .filter(aspect => !this.isVisited(aspect) && !own.includes(aspect))
      .map(
        ({ constructor: { name } }) =>
          `an aspect around this stack (${name}) is never visited; add it to the stack, or write enforce(app, aspect) after the stacks are created`,
      )
  }
}

type Variables = ReadonlyMap<string, TerraformVariable>

/** Each once: the engine visits an inner stack alone, and inside the outer one. */
function note(construct: IConstruct, how: 'addWarning' | 'addError', messages: readonly string[]): void {
  for (const message of messages)
    if (!construct.node.metadata.some(({ data }) => data === message)) Annotations.of(construct)[how](message)
}

/** The engine writes only its name, which may be that of a provider for another project in this stack. */
function foreignProvider({ provider, cdktfStack }: Declared): string[] {
  if (provider === undefined || provider.cdktfStack === cdktfStack) return []
  return [
    `the provider is one of the stack "${provider.cdktfStack.node.path}", which this stack does not have; create a provider in this stack`,
  ]
}

function isVariable(construct: IConstruct): construct is TerraformVariable {
  return engineClass(construct).endsWith('.TerraformVariable')
}

function lostKeys(variable: TerraformVariable): string[] {
  const lost = missing(variable.default, defaultOf(variable))
  if (lost.length === 0) return []
  const keys = lost.map(key => JSON.stringify(key)).join(', ')
  return [
    `the engine changes keys of the default to snake case, so that ${keys} ${lost.length === 1 ? 'is' : 'are'} lost, and two keys may become one; leave out \`default\`, and write variable.addOverride('default', {...})`,
  ]
}

/** As it is written, with overrides. */
function defaultOf(variable: TerraformVariable): unknown {
  const { variable: written = {} } = variable.toTerraform()
  return written[variable.friendlyUniqueId]?.default
}

/** The keys in a value that the written value has no more; a value that is known later has none. */
function missing(given: unknown, written: unknown): string[] {
  if (!isRecord(given) || markedForm(given) !== undefined) return []
  return Object.entries(given).flatMap(([key, member]) =>
    isRecord(written) && key in written ? missing(member, written[key]) : [key],
  )
}

/** The lists that an override extends. The engine keeps overrides apart until it writes them. */
function joinedLists(declared: Declared): string[] {
  const address = addressOf(declared).replace(/^(?!data\.)/, 'resource.')
  const overrides = [
    overridesOf(declared),
    address.split('.').reduce(memberOf, overridesOf(declared.cdktfStack)),
  ].filter(each => isRecord(each) && Object.keys(each).length > 0)
  if (overrides.length === 0) return []
  const own: unknown = Reflect.apply(Reflect.get(declared, 'synthesizeAttributes'), declared, [])
  return overrides
    .flatMap(each => joined(own, each))
    .map(
      name =>
        `addOverride appends to ${name} of the construct, and does not replace it; give the construct the whole list`,
    )
}

function overridesOf(construct: IConstruct): unknown {
  return Reflect.get(construct, 'rawOverrides')
}

function joined(own: unknown, overrides: unknown): string[] {
  if (!isRecord(own) || !isRecord(overrides)) return []
  return Object.entries(overrides).flatMap(([name, override]) => {
    const before = own[name]
    if (Array.isArray(override)) return Array.isArray(before) && before.length > 0 ? [name] : []
    return joined(before, override).map(inner => `${name}.${inner}`)
  })
}

/** The texts that the engine writes for the references in a value. */
function writtenTexts(scope: IConstruct, value: unknown): string[] {
  if (markedForm(value) !== undefined || (typeof value === 'string' && hasMark(value))) {
    const resolver = new DefaultTokenResolver(new StringConcat())
    return textsIn(Tokenization.resolve(value, { scope, resolver }))
  }
  return isRecord(value) ? Object.values(value).flatMap(member => writtenTexts(scope, member)) : []
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return isRecord(value) ? Object.entries(value).flatMap(entry => entry.flatMap(textsIn)) : []
}

/** A key of a map that its variable need not have: nobody can know whether a default was lost. */
function lostDefaults(text: string, variables: Variables): string[] {
  if (/\b(?:try|can|lookup)\(/.test(text)) return []
  return [...text.matchAll(/\bvar\.([\w-]+)(?:\.([\w-]+)|\["([^"$]+)"\])/g)].flatMap(
    ([read, id = '', named, quoted]) => {
      const variable = variables.get(id)
      const key = named ?? quoted ?? ''
      if (!variable?.type?.startsWith('map(') || Object.hasOwn(Object(defaultOf(variable)), key)) return []
      return [
        `${read} fails if the map has no ${JSON.stringify(key)}: the engine leaves out a default of 0, false or "" from Fn.lookup; write Fn.try([Fn.lookup(map, key), 0])`,
      ]
    },
  )
}
