import type { Desired, LiveOnly } from '../../core/desired.ts'
import { compareManifest, manifestName } from '../../core/plugin-manifest.ts'
import { isListValue, type Value } from '../../cty/value.ts'
import { memberOf } from '../../cty/walk-type.ts'
import { validateDeclarationFile } from '../../derive/validate.ts'
import { declarableKind } from '../../kinds/index.ts'
import { isTooLong } from '../../model/is-too-long.ts'
import { isJsonArray, isJsonObject, type JsonObject } from '../../model/json.ts'
import { hasTargeting, identityField } from '../../model/kind.ts'
import { pointerOf, segmentsOf } from '../../model/pointer.ts'
import { unlessLive } from '../../model/unless-live.ts'
import { isUuid } from '../../model/uuid.ts'
import { checkFilters } from '../../targeting/check-filters.ts'
import { checkFiltersText } from '../../targeting/check-filters-text.ts'
import { variantKeys } from '../../targeting/check-variants.ts'
import { typedPlace } from '../../targeting/codec/places.ts'
import { toleranceOf } from '../../targeting/tolerance.ts'
import type { ResourceInstance } from './evaluate-stack.ts'
import { type Findings, fieldOf, type Place } from './findings.ts'
import { typedFiltersOf } from './typed-filters.ts'

/** An instance with what it comes to. */
export interface Declared {
  readonly instance: ResourceInstance
  readonly desired: Desired
  /** Whether it is live already, as an import says. */
  readonly isImported: boolean
}

/**
 * Finds everything that is wrong with what is declared, by the rules that hold for declarations in YAML. Answers with
 * what is declared and, beside it, the rules that it may break where it is live already.
 */
export function checkDeclared(declared: readonly Declared[], findings: Findings): readonly Desired[] {
  const checked = declared.map(one => {
    const liveOnly: LiveOnly[] = []
    const report: Report = (field, message, { requires, ...more } = {}) => {
      const found = {
        code: 'stack-mistake',
        message: `${fieldOf(one.instance.address, field)}: ${message}`,
        ...more,
      }
      const place = placeOf(one.instance)
      findings.add(place, requires ? unlessLive(found) : found)
      if (requires) liveOnly.push({ problem: findings.problemAt(place, found), requires })
    }
    checkIdentity(one, report)
    checkLabels(one, report)
    checkTargeting(one, report)
    checkDestroy(one, report)
    checkExposure(one, report)
    checkManifest(one, report)
    return liveOnly.length === 0 ? one.desired : { ...one.desired, liveOnly }
  })
  checkSchema(declared, findings)
  checkTwice(declared, findings)
  return checked
}

type Report = (
  field: string,
  message: string,
  more?: {
    readonly hint?: string
    readonly severity?: 'warning'
    readonly requires?: LiveOnly['requires']
  },
) => void

function placeOf({ address, block }: ResourceInstance): Place {
  return { address, path: block.path }
}

/** What the service takes from the plugin's own file, the stack must not say otherwise. */
function checkManifest({ instance, desired }: Declared, report: Report): void {
  const text = desired.files?.[manifestName]
  if (typeof text !== 'string') return
  const said = { ...desired.fields, [identityField(instance.kind)]: desired.identity }
  const { unreadable, conflicts } = compareManifest(text, said)
  const requires = { is: 'file', name: manifestName } as const
  if (unreadable !== undefined)
    report('source', `${manifestName} cannot be read: ${unreadable}`, { requires })
  for (const { field, member, taken } of conflicts) {
    const message = `it is not the "${member}" of ${manifestName}, ${JSON.stringify(taken)}`
    report(field, message, { hint: 'the service takes that of the file: say the same in both', requires })
  }
}

/** [service-behaviour 2.1, 5] */
function checkIdentity({ instance: { kind }, desired: { identity } }: Declared, report: Report): void {
  const attribute = identityField(kind)
  if (identity === '') report(attribute, 'it is empty', { hint: kind.fields[attribute]?.doc })
  const field = kind.fields[attribute]
  if (field && isTooLong(field, identity))
    report(attribute, `it has ${[...identity].length} characters`, {
      hint: `the service takes ${field.maxLength} at most`,
    })
  if (field?.type === 'string' && field.format === 'uuid' && !isUuid(identity))
    report(attribute, `${JSON.stringify(identity)} is not a UUID`, {
      hint: 'an id looks like 01900000-0000-0000-0000-0000000000aa',
    })
}

/** [service-behaviour 2.6] */
function checkLabels(
  { instance: { kind }, desired: { fields, labels = [] } }: Declared,
  report: Report,
): void {
  const { ownedBy } = kind.lifecycle
  const own = ownedBy === undefined ? null : (fields[ownedBy] ?? null)
  const all = [...(isJsonArray(own) ? own : []), ...labels].filter(label => typeof label === 'string')
  if (all.some(label => label.trim() === '')) report(ownedBy ?? '', 'a label is empty')
  const field = kind.fields[ownedBy ?? '']
  if (field && all.some(label => isTooLong(field, label)))
    report(ownedBy ?? '', 'a label is too long', {
      hint: `the service takes ${field.maxLength} characters at most`,
    })
}

function checkTargeting(
  { instance: { kind, attributes }, desired: { fields } }: Declared,
  report: Report,
): void {
  if (!hasTargeting(kind)) return
  for (const [index, condition] of elementsOf(attributes.release).entries()) {
    const both = elementsOf(memberOf(condition, 'properties')).find(
      property => memberOf(property, 'value') !== null && memberOf(property, 'values') !== null,
    )
    if (both !== undefined) {
      const key = JSON.stringify(memberOf(both, 'key'))
      report(`release[${index}]`, `the property ${key} has value and values`, { hint: 'give one of them' })
    }
  }
  // What is wrong with a payload is seen only as it was written.
  const typed = typedFiltersOf(kind, attributes)
  const filters = typed ?? fields.filters
  if (!isJsonObject(filters)) return
  const variants = variantKeys(filters)
  const problems =
    typeof attributes.filters === 'string'
      ? checkFiltersText(filters, attributes.filters)
      : checkFilters(filters)
  for (const problem of problems) {
    const { pointer, severity, message, hint } = problem
    const tolerance = toleranceOf(problem)
    const place = typed ? typedPlace(pointer, variants) : ['filters', ...segmentsOf(pointer)]
    const [attribute = '', ...steps] = place.map(String)
    report(`${attribute}${stepsText(steps)}`, message, {
      ...(hint === undefined ? {} : { hint }),
      ...(severity === 'warning' ? { severity } : {}),
      ...(tolerance ? { requires: { is: 'filters', pointer, tolerance } } : {}),
    })
  }
}

function stepsText(segments: readonly string[]): string {
  return segments.map(segment => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`)).join('')
}

/** Vexil destroys nothing because it is declared no more, so there is no choice of how. */
function checkDestroy({ instance: { attributes } }: Declared, report: Report): void {
  const way = attributes.on_destroy ?? null
  if (way === null || way === 'forget') return
  if (way !== 'restore' && way !== 'delete') {
    report('on_destroy', `${JSON.stringify(way)} is not a way to let go of it`, {
      hint: 'take "forget", "restore" or "delete"',
    })
    return
  }
  report('on_destroy', `"${way}" is for Terraform: Vexil leaves alone what is declared no more`, {
    severity: 'warning',
  })
}

/** A flag that the service creates is on, and for everybody, unless it is told otherwise. */
function checkExposure(
  { instance: { kind }, desired: { fields }, isImported }: Declared,
  report: Report,
): void {
  if (kind.name !== 'feature_flag' || isImported || 'filters' in fields || fields.active === false) return
  report('release', 'nothing limits who gets this flag', {
    severity: 'warning',
    hint: 'if the service has to create it, everybody gets it; give release, or active: false',
  })
}

/** All at once: the schema of a file of declarations is the schema of each. */
function checkSchema(declared: readonly Declared[], findings: Findings): void {
  const byPointer = new Map<string, ResourceInstance>()
  const sections = new Map<string, [identity: string, fields: JsonObject][]>()
  for (const { instance, desired } of declared) {
    const { section, lifecycle } = declarableKind(desired.kind)
    if (lifecycle.parent || desired.identity === '') continue
    byPointer.set(pointerOf(section, desired.identity), instance)
    const before = sections.get(section)
    if (before) before.push([desired.identity, desired.fields])
    else sections.set(section, [[desired.identity, desired.fields]])
  }
  const file = [...sections].map(([section, objects]) => [section, Object.fromEntries(objects)])
  for (const { pointer, keyword, message } of validateDeclarationFile(Object.fromEntries(file))) {
    const [section = '', identity = '', field = '', ...rest] = segmentsOf(pointer)
    const instance = byPointer.get(pointerOf(section, identity))
    // What holds another one that does not fit says nothing of its own.
    if (!instance || keyword === 'if' || field === '') continue
    findings.add(placeOf(instance), {
      code: 'stack-mistake',
      message: `${instance.address}.${field}${stepsText(rest)}: it ${message}`,
    })
  }
}

function checkTwice(declared: readonly Declared[], findings: Findings): void {
  const first = new Map<string, ResourceInstance>()
  for (const { instance, desired } of declared) {
    const name = JSON.stringify([desired.kind, desired.parent, desired.identity])
    const before = first.get(name)
    if (before === undefined) first.set(name, instance)
    else
      findings.add(placeOf(instance), {
        code: 'duplicate-declaration',
        message: `${instance.address}: ${before.address} declares the same ${instance.kind.title} ${JSON.stringify(desired.identity)}`,
        hint: 'keep one of them',
      })
  }
}

function elementsOf(value: Value | undefined): readonly Value[] {
  return isListValue(value) ? value : []
}
