import { profiles, type Services } from '../model/connection/profile.ts'
import { isJsonObject } from '../model/json/json.ts'
import { pointerOf } from '../model/json/pointer.ts'
import { type DeclarableKind, isTargeting, managedFields } from '../model/kind.ts'
import { listNames } from '../model/text/list-names.ts'
import { enginesOf } from '../services/engines.ts'
import { checkField } from './check-field.ts'
import { checkOpened } from './check-opened.ts'
import { checkKnownTargeting, checkTargeting, type Spelling } from './check-targeting.ts'
import { checkTogether } from './check-together.ts'
import { isKnown, knownList, type PartlyKnown } from './known-part.ts'
import type { ObjectProblem, ProblemOf } from './object-problem.ts'

/**
 * The rules that the fields of an object break, in the order of the kind's fields: `object` holds those that are
 * declared under their names on the wire, the identity among them where it is to be checked as well.
 */
export function checkObject(
  kind: DeclarableKind,
  object: { readonly [field: string]: PartlyKnown },
  spelling: (field: string) => Spelling | undefined = () => undefined,
  services?: Services,
): ObjectProblem[] {
  const broken: ObjectProblem[] = []
  for (const name of managedFields(kind)) {
    const value = object[name]
    if (value === undefined) continue
    const isWhole = isKnown(value)
    broken.push(...(isWhole ? checkField(kind, name, value) : checkKnown(kind, name, value)))
    broken.push(...checkPassedOver(kind, name, value, services))
    if (!isTargeting(kind, name) || !isJsonObject(value)) continue
    const found = isWhole
      ? checkKnownTargeting(name, value, spelling(name), services)
      : checkTargeting(name, value, spelling(name), services)
    broken.push(...found)
  }
  return [...broken, ...checkTogether(kind, object), ...checkOpened(kind, object)]
}

/** That some engines do not do what a value says. */
function checkPassedOver(
  { fields }: DeclarableKind,
  name: string,
  value: PartlyKnown,
  services: Services = profiles,
): ProblemOf<'engines'>[] {
  const passed = fields[name]?.passedOver
  if (passed?.value !== value) return []
  const engines = services.flatMap(profile => enginesOf(profile, { sdks: services.sdks }))
  const names = engines.filter(({ rules }) => rules[passed.rule] === 'ignored').map(engine => engine.name)
  if (names.length === 0) return []
  return [
    {
      pointer: pointerOf(name),
      field: name,
      rule: 'engines',
      severity: 'warning',
      code: 'engines-differ',
      message: `"${name}" means nothing to ${listNames([...new Set(names)], 'and')}: they ${passed.instead}`,
      hint: 'have the flag evaluated by the service',
    },
  ]
}

/** Of what is only known in part, the elements of a list are looked at, and of an object that it is one. */
function checkKnown(kind: DeclarableKind, name: string, value: PartlyKnown): ObjectProblem[] {
  if (Array.isArray(value)) return checkField(kind, name, knownList(value))
  return isJsonObject(value) ? checkField(kind, name, {}) : []
}
