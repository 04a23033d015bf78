import type { Services } from '../model/connection/profile.ts'
import { isJsonObject } from '../model/json/json.ts'
import { type DeclarableKind, isTargeting, managedFields } from '../model/kind.ts'
import { checkField } from './check-field.ts'
import { checkOpened } from './check-opened.ts'
import { checkKnownTargeting, checkTargeting, type Spelling } from './check-targeting.ts'
import { checkTogether } from './check-together.ts'
import { isKnown, knownList, type PartlyKnown } from './known-part.ts'
import type { ObjectProblem } from './object-problem.ts'

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
    if (!isTargeting(kind, name) || !isJsonObject(value)) continue
    const found = isWhole
      ? checkKnownTargeting(name, value, spelling(name), services)
      : checkTargeting(name, value, spelling(name), services)
    broken.push(...found)
  }
  return [...broken, ...checkTogether(kind, object), ...checkOpened(kind, object)]
}

/** Of what is only known in part, the elements of a list are looked at, and of an object that it is one. */
function checkKnown(kind: DeclarableKind, name: string, value: PartlyKnown): ObjectProblem[] {
  if (Array.isArray(value)) return checkField(kind, name, knownList(value))
  return isJsonObject(value) ? checkField(kind, name, {}) : []
}
