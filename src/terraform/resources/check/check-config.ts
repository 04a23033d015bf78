import {
  givenElements,
  isListValue,
  isWhollyKnown,
  memberOf,
  type ObjectValue,
  showPath,
  Unknown,
  type Value,
} from '../../../hcl/values.ts'

import type { Services } from '../../../model/connection.ts'
import { isJsonObject, type Json } from '../../../model/json/json.ts'
import { readJsonIfAny } from '../../../model/json/json-text.ts'
import { segmentsOf } from '../../../model/json/pointer.ts'
import { type DeclarableKind, isTargeting, managedFields, targetingField } from '../../../model/kind.ts'
import { unlessLive } from '../../../model/problem.ts'
import { sentence } from '../../../model/text/sentence.ts'
import { checkObject, checkOffered } from '../../../rules/check-object.ts'
import { checkTargeting } from '../../../rules/check-targeting.ts'
import { checkTogether } from '../../../rules/contradictions.ts'
import { knownFilters, type PartlyKnown } from '../../../rules/known-part.ts'
import type { ObjectProblem, ProblemOf } from '../../../rules/object-problem.ts'
import { emptyConditions, givenTyped } from '../../../schema/terraform/targeting-attributes.ts'
import { extrasOf } from '../../../schema/terraform/terraform-extras.ts'
import { resourceBlock } from '../../../schema/terraform/terraform-schema.ts'
import { saidTwice } from '../../../targeting/codec.ts'
import { checkRequired } from '../../check-block.ts'
import { type Diagnostic, type Diagnostics, errorDiagnostic } from '../../diagnostic.ts'
import { declaredJson } from '../field-value.ts'
import { partlyKnown, partlyKnownFilters, typedAttributePath } from '../plan/typed-filters.ts'
import { checkExtras } from './check-extras.ts'
import { manifestWarnings } from './manifest-diagnostics.ts'
import { withoutCompared } from './without-compared.ts'

/** Everything that is wrong with a configuration, as far as it is known, on the services that may answer. */
export function checkConfig(kind: DeclarableKind, config: ObjectValue, services: Services): Diagnostics {
  return [
    ...checkRequired(resourceBlock(kind), config),
    ...managedFields(kind).flatMap(name => checkAttribute(kind, name, memberOf(config, name), services)),
    ...checkAttributesTogether(kind, config),
    ...checkFieldsOffered(kind, config, services),
    ...checkExtras(kind, config),
    ...manifestWarnings(kind, config),
    ...('release' in extrasOf(kind) ? checkTyped(kind, config, services) : []),
  ]
}

function checkAttribute(kind: DeclarableKind, name: string, value: Value, services: Services): Diagnostics {
  if (value === null) return []
  const given = isListValue(value) ? givenElements(value) : value
  let json: PartlyKnown
  try {
    json = isWhollyKnown(given) ? declaredJson(kind, name, given) : partlyKnown(given)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read'
    return [errorDiagnostic(`\`${name}\` cannot be sent`, sentence(why), [name])]
  }
  const spelling = typeof value === 'string' ? { text: value } : undefined
  const broken = checkObject(kind, { [name]: json }, () => spelling, services)
  // What newer services mind is told of YAML only.
  const problems = broken.filter(({ rule }) => rule !== 'characters')
  // Of a text or a set one problem is enough.
  const told = problems.some(({ rule }) => rule === 'targeting') ? problems : problems.slice(0, 1)
  return told.map(problem => diagnosticOf(problem, value))
}

/** What no object may have together; what is not known yet counts as right. */
function checkAttributesTogether(kind: DeclarableKind, config: ObjectValue): Diagnostics {
  const names = (kind.contradictions ?? []).flatMap(({ fields }) => Object.keys(fields))
  const given = names.flatMap(name => {
    const value = memberOf(config, name)
    return value === null ? [] : [[name, partlyKnown(value)] as const]
  })
  return checkTogether(kind, Object.fromEntries(given)).map(({ field, message, hint = '' }) =>
    errorDiagnostic(message, sentence(hint), [field]),
  )
}

/**
 * Fields that the service lacks, where the configuration says which service that is: any other is refused at the plan. What
 * an older service had and this one lacks, the plan tells.
 */
function checkFieldsOffered(kind: DeclarableKind, config: ObjectValue, services: Services): Diagnostics {
  const given = managedFields(kind).flatMap(name => {
    const value = memberOf(config, name)
    return value === null || isTargeting(kind, name) ? [] : [[name, partlyKnown(value)] as const]
  })
  return checkOffered(kind, Object.fromEntries(given), services)
    .filter(({ severity }) => severity === 'error')
    .map(({ field, message, hint }) => errorDiagnostic(message, sentence(hint), [field]))
}

function diagnosticOf(problem: ObjectProblem, value: Value): Diagnostic {
  const { rule, field: name, severity, message, hint = '' } = problem
  const isElement = segmentsOf(problem.pointer).length > 1
  const said = (summary: string, detail?: string) => errorDiagnostic(summary, detail, [name])
  switch (rule) {
    case 'targeting':
      return targetingDiagnostic(told(problem), typeof value === 'string' ? readJsonIfAny(value) : undefined)
    case 'empty':
      return isElement ? said(`an element of \`${name}\` is empty`) : said(`\`${name}\` is empty`, hint)
    case 'choice':
      return said(`"${String(value)}" is no \`${name}\``, sentence(hint))
    case 'uuid':
      return said(`\`${name}\` is not a UUID`, sentence(`it is ${JSON.stringify(value)}; ${hint}`))
    case 'length':
      return isElement
        ? said(`an element of \`${name}\` is too long`, `The service takes ${problem.most} characters.`)
        : said(
            `\`${name}\` is too long`,
            `It has ${problem.length} characters; the service takes ${problem.most}.`,
          )
    case 'type': {
      if (isElement) return said(message)
      const orList = problem.types.includes('array') ? ' or `jsonencode([ ... ])`' : ''
      return said(`\`${name}\` is not an object`, `Write it with \`jsonencode({ ... })\`${orList}.`)
    }
    default:
      return { severity, summary: message, detail: sentence(hint), attribute: [name] }
  }
}

function checkTyped(kind: DeclarableKind, config: ObjectValue, services: Services): Diagnostics {
  const field = targetingField(kind)
  const given = givenTyped(config)
  const [first] = given
  if (field === undefined || first === undefined) return []
  if (isGiven(memberOf(config, field)) && given.some(name => isGiven(memberOf(config, name)))) {
    const detail = `They say the same in two ways. Give \`${field}\`, or the typed attributes.`
    return [errorDiagnostic(`\`${first}\` and \`${field}\` are both given`, detail, [first])]
  }
  const twice = saidTwice('filters', name => isGiven(memberOf(config, name)))
  if (twice) {
    const [long, short] = twice
    const detail = `\`${short}\` stands for one condition that everybody meets. Give one of them.`
    return [errorDiagnostic(`\`${long}\` and \`${short}\` are both given`, detail, [short])]
  }
  return [...warnOfEmpty(config), ...checkProperties(config), ...checkTypedFilters(kind, config, services)]
}

/** Inside of an attribute Terraform leaves out names that it does not know, so what is misspelt says nothing. */
function warnOfEmpty(config: ObjectValue): Diagnostics {
  return emptyConditions(config).map(({ path, message }) => ({
    severity: 'warning',
    summary: message,
    detail: `Is a name misspelt in it? Terraform leaves out those that it does not know, without a word. Where everybody is meant, write \`rollout_percentage = 100\` into it, which is the same and ends this warning.`,
    attribute: path,
  }))
}

/** What is not known yet may turn out to be null. */
function isGiven(value: Value): boolean {
  return value !== null && !(value instanceof Unknown)
}

function checkTypedFilters(kind: DeclarableKind, config: ObjectValue, services: Services): Diagnostics {
  const filters = partlyKnownFilters(config)
  const [known, given] = [knownFilters(filters), givenTyped(config)]
  return checkTargeting(targetingField(kind) ?? '', filters, undefined, services).map(problem =>
    targetingDiagnostic(told(problem), known, given),
  )
}

function checkProperties(config: ObjectValue): Diagnostics {
  const release = memberOf(config, 'release')
  if (!isListValue(release)) return []
  return release.flatMap((condition, index) => {
    const properties = memberOf(condition, 'properties')
    const hasBoth = (each: Value) => isGiven(memberOf(each, 'value')) && isGiven(memberOf(each, 'values'))
    const at = isListValue(properties) ? properties.findIndex(hasBoth) : -1
    if (!isListValue(properties) || at < 0) return []
    const key = memberOf(properties[at] ?? null, 'key')
    const which = typeof key === 'string' ? `the property ${JSON.stringify(key)}` : 'a property'
    const where = showPath(['release', index, 'properties', at])
    return [
      errorDiagnostic(`${which} has \`value\` and \`values\``, `At ${where}. Give one of them.`, [
        'release',
        index,
      ]),
    ]
  })
}

/** What breaks a rule may be live like this, which only the plan knows: there it is an error or nothing. */
function told(problem: ProblemOf<'targeting'>): ProblemOf<'targeting'> {
  return problem.requires ? unlessLive(problem) : problem
}

/** A problem of filters, in the typed attributes that amount to them or, where none are given, in the JSON. */
export function targetingDiagnostic(
  problem: ProblemOf<'targeting'>,
  filters: Json | undefined,
  given: readonly string[] = [],
): Diagnostic {
  const { severity, message: summary, hint, field, inside } = withoutCompared(problem, filters)
  const isTyped = given.length > 0 && isJsonObject(filters)
  const { path, words } = isTyped
    ? typedAttributePath(inside, { filters, given })
    : { path: [field], words: inside }
  const where = words === '' ? '' : `At ${words}. `
  const detail = `${where}${hint ? sentence(hint) : ''}`.trim()
  return { severity, summary, ...(detail ? { detail } : {}), attribute: path }
}
