import {
  anything,
  concealed,
  constants,
  convert,
  type ExactJson,
  evaluate,
  impliedTyped,
  invalid,
  isNull,
  ofText,
  parseExpression,
  parseTypeConstraint,
  Refusal,
  Sensitive,
  type TypeConstraint,
  type Typed,
  unreadableType,
} from '../../hcl/index.ts'

import { type Block, switchIn } from '../read/stack-file.ts'

/** The given variables: as texts, from a command line or the environment, or as JSON. */
export interface GivenVariables {
  readonly texts: ReadonlyMap<string, { readonly text: string; readonly from: string }>
  readonly json: ReadonlyMap<string, { readonly json: ExactJson; readonly from: string }>
}

/** A variable as its block declares it. */
export interface DeclaredVariable {
  readonly name: string
  readonly constraint: TypeConstraint
  /** Whether it must not be shown; an ephemeral value is not shown either. */
  readonly isSensitive: boolean
  readonly isNullable: boolean
  readonly fallback: Typed | undefined
}

/** Reads the declaration of a variable. Its default has to fit even if it is not used. */
export function declaredVariable({ name, body }: Block): DeclaredVariable {
  const declared = {
    name,
    constraint: constraintOf(body.type),
    isSensitive: [switchIn(body, 'sensitive', false), switchIn(body, 'ephemeral', false)].includes(true),
    isNullable: switchIn(body, 'nullable', true),
  }
  return { ...declared, fallback: defaultOf(declared, body.default) }
}

/** The value of a stack's variable: the given one, else its default. */
export function valueOfVariable(variable: DeclaredVariable, given: GivenVariables): Typed {
  const { name, constraint } = variable
  return settled(variable, givenValue(name, given, constraint), {
    missing: 'it has no value',
    // The intended variable, if the stack has none with the given name.
    how: `give it with --var ${name}=..., or set TF_VAR_${name}`,
    address: `var.${name}`,
  })
}

/** The value of a module's variable: its argument, else its default. `address` is that of the variable. */
export function valueOfInput(variable: DeclaredVariable, given: Typed | undefined, address: string): Typed {
  return settled(variable, given, {
    missing: 'it has to be given',
    how: `give it where the module is called: ${variable.name} = ...`,
    address,
  })
}

function constraintOf(type: ExactJson | undefined): TypeConstraint {
  if (type === undefined) return anything
  if (typeof type !== 'string') throw unreadableType()
  return parseTypeConstraint(type)
}

function defaultOf(
  variable: Omit<DeclaredVariable, 'fallback'>,
  fallback: ExactJson | undefined,
): Typed | undefined {
  if (fallback === undefined) return undefined
  if (fallback === null && !variable.isNullable)
    throw invalid('its default is null, and it must not be', 'leave the default out')
  try {
    return completed(impliedTyped(fallback), variable)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (variable.isSensitive) throw invalid('its default does not fit its type')
    throw new Refusal(error.is, `its default does not fit: ${error.message}`, error.remedy)
  }
}

interface Settling {
  /** The problem of a missing value, and its remedy. */
  readonly missing: string
  readonly how: string
  readonly address: string
}

function settled(
  variable: DeclaredVariable,
  given: Typed | undefined,
  { missing, how, address }: Settling,
): Typed {
  const { isSensitive, isNullable, fallback } = variable
  const value = given === undefined ? fallback : converted(given, variable, how)
  if (value === undefined) throw invalid(missing, how)
  const whole = isNull(value) && !isNullable ? (fallback ?? value) : value
  if (isNull(whole) && !isNullable) throw invalid('it is null and must not be', how)
  if (!isSensitive || whole.plain instanceof Sensitive) return whole
  return concealed(whole, address)
}

function givenValue(name: string, { texts, json }: GivenVariables, constraint: TypeConstraint) {
  const text = texts.get(name)
  if (text)
    return constraint.isExpression
      ? expressionValue(text.text, text.from)
      : ofText(text.text.normalize('NFC'))
  const written = json.get(name)
  return written && impliedTyped(written.json)
}

/** A text that is no expression is not shown: it may be a secret. */
function expressionValue(text: string, from: string): Typed {
  try {
    return evaluate(parseExpression(text), constants)
  } catch {
    throw invalid(`what ${from} gives it is no value of its type`, 'write lists and maps as JSON: ["a", "b"]')
  }
}

function converted(value: Typed, variable: DeclaredVariable, how: string): Typed {
  try {
    return completed(value, variable)
  } catch (error) {
    if (!variable.isSensitive) throw error
    throw invalid('what it is given does not fit its type', how)
  }
}

function completed(
  value: Typed,
  { constraint: { type, complete } }: Pick<DeclaredVariable, 'constraint'>,
): Typed {
  return convert(complete(value), type)
}
