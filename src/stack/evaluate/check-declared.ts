import { lostElementsOf, roleInPath } from '../../constructs/engine/engine-marks.ts'
import type { Desired, LiveOnly } from '../../core/desired.ts'
import { dependencyProblems } from '../../core/plan/flag-dependencies.ts'
import { policedOf } from '../../core/policed.ts'
import {
  type ExactJson,
  findSensitive,
  isExactObject,
  isListValue,
  knownJson,
  memberOf,
  misfit,
  type Value,
} from '../../hcl/index.ts'
import type { Services } from '../../model/connection.ts'
import { identityField, targetingField } from '../../model/kind.ts'
import { unlessLive } from '../../model/problem.ts'
import { destroyWays } from '../../model/removal.ts'
import { isJsonArray } from '../../model/text/json.ts'
import { segmentsOf } from '../../model/text/pointer.ts'
import { checkPolicy } from '../../policies/check-policy.ts'
import { policyCode, policyRow, remedyOf, settingName } from '../../policies/policy-table.ts'
import {
  isHeldAt,
  type NamedPolicy,
  readPolicies,
  type WrittenPolicies,
} from '../../policies/written-policies.ts'
import type { ObjectProblem, ProblemOf, RuleName } from '../../rules/check-field.ts'
import { checkManifest, checkObject, checkOpen } from '../../rules/check-object.ts'
import { emptyConditions, givenTyped } from '../../schema/terraform/terraform-attribute.ts'
import { variantKeys } from '../../targeting/release.ts'
import { type TypedPath, typedPath } from '../../targeting/typed-form.ts'
import { templatesIn } from '../expressions.ts'
import { fieldOf, type StackProblems, type Subject, subjectOf } from '../stack-problems.ts'
import { typedFiltersOf } from './desired-of.ts'
import type { ResourceInstance } from './resources.ts'

export interface Declared {
  readonly instance: ResourceInstance
  readonly desired: Desired
  /** Whether an import or a rename shows that the object is already live. */
  readonly isImported: boolean
}

/**
 * Checks all declared objects by the rules for declarations in YAML. Returns the declarations, and the rules
 * that each may break if it is already live.
 */
export function checkDeclared(
  declared: readonly Declared[],
  services: Services,
  collector: StackProblems,
): readonly Desired[] {
  const found = declared.map(one => ({ one, problems: problemsOf(one, services) }))
  const checked = found.map(({ one, problems }) => {
    const liveOnly: LiveOnly[] = []
    const report: Report = (field, message, { requires, hidden, ...more } = {}) => {
      const { address, attributes, kind } = one.instance
      const at = fieldOf(address, field)
      const [name = ''] = field.split(/[.[]/)
      const mark = findSensitive(
        name === targetingField(kind) ? Object.values(attributes) : (attributes[name] ?? null),
      )
      const { hint: _, ...shown } = more
      const words = {
        message: `${at}: ${message}`,
        ...(hidden === undefined ? {} : { hidden: `${at}: ${hidden}` }),
        ...more,
      }
      const made = {
        code: 'stack-mistake',
        ...(mark ? { ...shown, message: `${at}: ${misfit(mark)}` } : words),
      }
      const place = placeOf(one.instance)
      collector.add(place, requires ? unlessLive(made) : made)
      if (requires) liveOnly.push({ problem: collector.problemAt(place, made), requires })
    }
    reportFields(one, problems, report)
    checkDestroy(one, report)
    checkOpenness(one, report)
    checkDescribed(one, report)
    warnOfLost(one, report)
    return liveOnly.length === 0 ? one.desired : { ...one.desired, liveOnly }
  })
  checkTwice(declared, collector)
  checkDependencies(declared, collector)
  return checked
}

type Report = (
  field: string,
  message: string,
  more?: {
    readonly hint?: string
    readonly hidden?: string
    readonly severity?: 'warning'
    readonly requires?: LiveOnly['requires']
  },
) => void

function placeOf({ address, block }: ResourceInstance): Subject {
  return subjectOf(address, block)
}

function reportFields(one: Declared, problems: readonly ObjectProblem[], report: Report): void {
  for (const problem of problems) if (!reportedElsewhere.has(problem.rule)) reportProblem(problem, report)
  checkBothValues(one, report)
  warnOfEmpty(one, report)
  const { attributes } = one.instance
  const typed = typedFiltersOf(one.instance)
  const typedPlace = (inside: string) =>
    typed && typedPath(inside, variantKeys(typed), givenTyped(attributes))
  for (const problem of problems)
    if (problem.rule === 'targeting') reportTargeting(problem, typedPlace, report)
}

/** Rules that are reported elsewhere, or that newer services have only for YAML. */
const reportedElsewhere: ReadonlySet<RuleName> = new Set(['targeting', 'characters'])

/** The problems of a declaration, with the provider's default tags and with typed filters as written. */
function problemsOf({ instance, desired }: Declared, services: Services): ObjectProblem[] {
  const { kind, attributes } = instance
  const { identity, fields, tags: labels = [] } = desired
  const { ownedBy = '' } = kind.lifecycle
  const targeting = targetingField(kind) ?? ''
  const own = fields[ownedBy] ?? []
  const typed = typedFiltersOf(instance)
  const object = {
    ...fields,
    [identityField(kind)]: identity,
    ...(labels.length > 0 && isJsonArray(own) ? { [ownedBy]: [...own, ...labels] } : {}),
    // Problems of a payload only show in its source text.
    ...(typed ? { [targeting]: typed } : {}),
  }
  const spelling = (name: string) => {
    const text = attributes[name]
    return typeof text === 'string' ? { text } : undefined
  }
  return checkObject(kind, object, spelling, services)
}

function reportProblem(
  { field, message, hint, hidden, severity, requires }: ObjectProblem,
  report: Report,
): void {
  report(field, message, {
    ...(hint === undefined ? {} : { hint }),
    ...(hidden === undefined ? {} : { hidden }),
    ...(severity === 'warning' ? { severity } : {}),
    ...(requires ? { requires } : {}),
  })
}

function reportTargeting(
  problem: ProblemOf<'targeting'>,
  typedPlace: (inside: string) => TypedPath | null,
  report: Report,
): void {
  const { field, inside } = problem
  const place = typedPlace(inside) ?? [field, ...segmentsOf(inside)]
  const [attribute = '', ...steps] = place.map(String)
  reportProblem({ ...problem, field: `${attribute}${stepsText(steps)}` }, report)
}

function checkBothValues({ instance: { attributes } }: Declared, report: Report): void {
  for (const [index, condition] of elementsOf(attributes.release).entries()) {
    const both = elementsOf(memberOf(condition, 'properties')).find(
      property => memberOf(property, 'value') !== null && memberOf(property, 'values') !== null,
    )
    if (both !== undefined) {
      const key = JSON.stringify(memberOf(both, 'key'))
      report(`release[${index}]`, `the property ${key} has both value and values`, {
        hint: 'remove one of them',
      })
    }
  }
}

function warnOfEmpty({ instance: { attributes } }: Declared, report: Report): void {
  for (const { path, message } of emptyConditions(attributes))
    report(`${path[0]}[${path[1]}]`, message, {
      hint: 'check whether all of its attributes are null; if it is intended for everybody, set rollout_percentage to 100',
      severity: 'warning',
    })
}

function stepsText(segments: readonly string[]): string {
  return segments.map(segment => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`)).join('')
}

/** Vexil destroys nothing only because its declaration is gone, so `on_destroy` has no effect here. */
function checkDestroy({ instance: { attributes } }: Declared, report: Report): void {
  const way = attributes.on_destroy ?? null
  if (way === null || way === 'forget') return
  if (!destroyWays.some(known => known === way)) {
    report('on_destroy', `${JSON.stringify(way)} is not a value of on_destroy`, {
      hint: `use one of ${destroyWays.map(known => `"${known}"`).join(', ')}`,
    })
    return
  }
  report(
    'on_destroy',
    `"${way}" only works in Terraform: Vexil does not change objects that are no longer declared`,
    {
      severity: 'warning',
    },
  )
}

/** A new flag is released to everybody by the service, unless its declaration limits it. */
function checkOpenness(
  { instance: { kind }, desired: { fields }, isImported }: Declared,
  report: Report,
): void {
  for (const problem of isImported ? [] : checkOpen(kind, fields))
    if (problem.missing.includes(problem.field))
      report('release', 'nothing limits who gets this flag', {
        severity: 'warning',
        hint: 'if the service has to create it, everybody gets the flag; set release, or active: false',
      })
}

/** Reports where the stack contradicts values that the service takes from the plugin's own file. */
function checkDescribed({ instance: { kind }, desired }: Declared, report: Report): void {
  const declared = { ...desired.fields, [identityField(kind)]: desired.identity }
  for (const problem of checkManifest(kind, declared, desired.files)) reportProblem(problem, report)
}

function checkTwice(declared: readonly Declared[], collector: StackProblems): void {
  const first = new Map<string, ResourceInstance>()
  for (const { instance, desired } of declared) {
    const name = JSON.stringify([desired.kind, desired.parent, desired.identity])
    const before = first.get(name)
    if (before === undefined) first.set(name, instance)
    else
      collector.add(placeOf(instance), {
        code: 'duplicate-declaration',
        message: `${instance.address}: ${before.address} declares the same ${instance.kind.title} ${JSON.stringify(desired.identity)}`,
        hint: 'remove one of them',
      })
  }
}

function checkDependencies(declared: readonly Declared[], collector: StackProblems): void {
  const byAddress = new Map(declared.map(({ desired, instance }) => [desired.address, instance]))
  const keys = new Set(declared.map(({ desired: { kind, identity } }) => `${kind}.${identity}`))
  const all = declared.map(({ desired }) => desired)
  const isDeclared = (kind: string, key: string) => keys.has(`${kind}.${key}`)
  for (const { address = '', source: _, message, ...more } of dependencyProblems(all, isDeclared)) {
    const instance = byAddress.get(address)
    if (instance) collector.add(placeOf(instance), { ...more, message: `${instance.address}: ${message}` })
  }
}

function elementsOf(value: Value | undefined): readonly Value[] {
  return isListValue(value) ? value : []
}

/** The policies that an app wrote into a stack; undefined if there are none, or if they are unreadable. */
export function policiesIn(
  stack: ExactJson | undefined,
  collector: StackProblems,
): WrittenPolicies | undefined {
  const written = jsonMember(jsonMember(jsonMember(stack, '//'), 'vexil'), 'policies')
  if (written === undefined) return undefined
  try {
    return readPolicies(knownJson(written))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    collector.add(
      { address: '' },
      {
        code: 'stack-policies',
        message: `the policies of the stack cannot be read: ${error.message}`,
        hint: 'synthesize it again with the installed version of vexil',
      },
    )
    return undefined
  }
}

/** Checks a fully evaluated stack against the policies of its app. */
export function checkPolicies(
  { stack, policies }: WrittenPolicies,
  declared: readonly Declared[],
  collector: StackProblems,
  today?: string,
): void {
  const id = stack.slice(stack.lastIndexOf('/') + 1)
  for (const one of declared) {
    const { address, block } = one.instance
    const path = block.path ?? stack
    const held = policies.filter(policy => isHeldAt(policy, path))
    if (held.length === 0) continue
    const policed = policedOf(one.desired, {
      stack: id,
      today,
      roleName: block.path === undefined ? undefined : roleInPath(block.path),
    })
    for (const policy of held) {
      for (const { is, what } of checkPolicy(policy, policed)) {
        const why = is === 'refused' ? what : `${what} is unknown`
        const ending = `: ${what} (${policy.policy})`
        // The precondition that the policy added for Terraform reports the same problem.
        collector.withdraw(
          ({ message }) => message.startsWith(`${address}.precondition[`) && message.endsWith(ending),
        )
        const construct = path.replace(/\/Resource$/, '')
        collector.add(subjectOf(address, block), {
          code: policyCode(policy.policy),
          severity: policy.level,
          message: `${address}: [${construct}] ${why} (${policy.policy})`,
          hint: remedyOf(settingName(policy.policy)),
        })
      }
    }
  }
}

export interface SettingsPolicies {
  /** The name of the environment; absent if none is selected. */
  readonly environment?: string | undefined
  readonly policies: readonly NamedPolicy[]
  /** The day of the check, as in 2026-11-21. */
  readonly today: string
}

function warnOfLost({ instance: { block } }: Declared, report: Report): void {
  for (const [name, value] of Object.entries(block.body))
    for (const text of templatesIn(value)) {
      const lost = lostElementsOf(text)
      if (lost) report(name, lost.message, { hint: lost.remedy, severity: 'warning' })
    }
}

export function checkSettingsPolicies(
  { environment = '', policies, today }: SettingsPolicies,
  declared: readonly Declared[],
  collector: StackProblems,
): void {
  const held = policies.filter(({ name, policy }) => {
    if (!policyRow(name).needsEnvironments) return true
    if (declared.length === 0 || ('environment' in policy && policy.environment === environment)) return false
    collector.add(
      { address: '' },
      {
        code: policyCode(policy.policy),
        severity: 'warning',
        message: `the policy ${name} is not enforced: a stack has no declarations for other environments`,
        hint: 'declare the affected objects in YAML, or turn the policy off',
      },
    )
    return false
  })
  if (held.length === 0) return
  for (const { instance, desired } of declared) {
    const { address, block } = instance
    const policed = policedOf(desired, { stack: environment, today, roleName: desired.label })
    for (const { name, policy, schemas } of held) {
      for (const { is, what } of checkPolicy(policy, policed, schemas)) {
        collector.add(subjectOf(address, block), {
          code: policyCode(policy.policy),
          severity: policy.level,
          message: `${address}: ${is === 'refused' ? what : `${what} is unknown`} (policy ${name})`,
          hint: remedyOf(name),
        })
      }
    }
  }
}

function jsonMember(json: ExactJson | undefined, name: string): ExactJson | undefined {
  return isExactObject(json) ? json[name] : undefined
}
