import { kindNamed } from '../../../kinds/index.ts'
import { pluralTitle } from '../../../model/kind.ts'
import type { Check, OfferedKind, Permission, Verdict } from '../../../report/document.ts'

/** How the service holds grants, and whether this key gets at them; one line each. */
export function grantsCheck({ kind, offered, route, reason = '' }: OfferedKind): Check {
  const name = pluralTitle(kindNamed(kind))
  switch (offered) {
    case 'yes':
    case 'read_only':
      return { name, verdict: 'ok', summary: `readable, as ${route?.split('/').at(-1)}` }
    case 'refused':
    case 'no':
      return { name, verdict: 'note', summary: reason }
    case 'not_known':
      return { name, verdict: 'not_checked', summary: reason }
  }
}

/** What the key may do: a line for each scope, and for each operation that no scope opens. */
export function permissionChecks(permissions: readonly Permission[]): Check[] {
  const names = [...new Set(permissions.map(nameOf))]
  return names.map(name => {
    const own = permissions.filter(permission => nameOf(permission) === name)
    const may = (['no', 'not_known'] as const).find(worse => own.some(each => each.may === worse)) ?? 'yes'
    return { name, verdict: verdicts[may], summary: own.map(sentence).join('; ') }
  })
}

function nameOf({ scope, operation }: Permission): string {
  return scope ?? operation
}

const verdicts: Readonly<Record<Permission['may'], Verdict>> = {
  yes: 'ok',
  no: 'note',
  not_known: 'not_checked',
}

function sentence({ may, purpose, reason, lacksScope }: Permission): string {
  switch (may) {
    case 'yes':
      return `may ${purpose}`
    case 'no':
      return `may not ${purpose}: ${lacksScope ? 'the key lacks this scope' : reason}`
    case 'not_known':
      return `whether it may ${purpose} is not known without writing: ${reason}`
  }
}
