import type { Services } from '../model/connection/profile.ts'
import { canonicalValue } from '../model/json/canonical.ts'
import { isSameJson } from '../model/json/json.ts'
import type { DeclarableKind } from '../model/kind.ts'
import { profilesWith } from '../services/index.ts'
import { isKnown, type PartlyKnown } from './known-part.ts'

/** A declared field that services lack: what is meant by it would be lost, or refused. */
export interface LackingField {
  readonly field: string
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly hint: string
}

/**
 * The declared fields that services lack which may be written to.
 *
 * | the field                       | all of them lack it | some of them do     |
 * |---------------------------------|---------------------|---------------------|
 * | says what is so without it      | nothing             | nothing             |
 * | came with a newer service       | an error            | a warning           |
 * | holds a level                   | a warning           | a warning           |
 * | went with an older service      | a warning           | nothing             |
 *
 * A service of any profile may have levels: only its answers tell.
 */
export function checkOffered(
  kind: DeclarableKind,
  object: { readonly [field: string]: PartlyKnown },
  services: Services,
): LackingField[] {
  return Object.entries(object).flatMap(([name, value]): LackingField[] => {
    const { offered, isNewer, isLevel } = offerOf(kind, name)
    if (!offered || isIdle(kind, name, value)) return []
    const lacking = services.filter(profile => !profilesWith(offered.behaviour, offered.is).includes(profile))
    const isEverywhere = lacking.length === services.length
    if (lacking.length === 0 || !(isNewer || isEverywhere)) return []
    const where = isEverywhere ? 'the service' : `the service with ${profilesText(lacking)}`
    return [
      {
        field: name,
        severity: isNewer && isEverywhere && !isLevel ? 'error' : 'warning',
        message: isNewer ? `${where} has no "${name}"` : `${where} has "${name}" no more`,
        hint: isEverywhere ? 'leave it out for that service' : 'say in `profile` which service it is',
      },
    ]
  })
}

function offerOf({ fields, lifecycle: { levels } }: DeclarableKind, name: string) {
  const isLevel = levels?.field === name
  const { offered, newer = false } = fields[name] ?? {}
  return { offered: isLevel ? levels : offered, isNewer: newer, isLevel }
}

/** A level is none where there are no levels, whichever it is. */
function isIdle({ fields, lifecycle }: DeclarableKind, name: string, value: PartlyKnown): boolean {
  const field = fields[name]
  if (!field || lifecycle.levels?.field === name || !isKnown(value)) return false
  return isSameJson(canonicalValue(field, value), canonicalValue(field, null))
}

function profilesText(profiles: Services): string {
  return `${profiles.length === 1 ? 'profile' : 'profiles'} ${profiles.join(' and ')}`
}
