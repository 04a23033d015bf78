import type { Declarations, Desired } from '../../core/desired.ts'
import { ignoredIn } from '../../core/diff.ts'
import { listedRoles } from '../../core/live-edits/records.ts'
import { declaredFieldDigests, declaredFileDigests } from '../../core/live-edits/three-values.ts'
import type { Base, BaseField, BaseOrigin, GrantLists } from '../../core/live-edits/verdict.ts'
import { contextsFor } from '../../core/plan/object-context.ts'
import type { PlanInput } from '../../core/plan/plan.ts'
import { declarableKind } from '../../kinds/index.ts'
import { fileOfField } from '../../model/field.ts'
import type { Json } from '../../model/text/json.ts'

/** The declarations at another commit, in the form of today's plans. */
export interface ComparedPast {
  readonly addresses: readonly string[]
  /** By field; undefined if the object was not declared. */
  digestsOf(address: string): Readonly<Record<string, string>> | undefined
  valueOf(address: string, field: string): Json | undefined
  /** All objects as a base, as if they had converged at that commit. */
  baseOf(origin: BaseOrigin): Base
  /** The lists of grants at that commit, as a base. */
  grantListsOf(origin: BaseOrigin): GrantLists
}

interface ComparedDesired {
  readonly desired: Desired
  readonly digests: Readonly<Record<string, string>>
}

/** Computes the digests of an object only on request. */
export function comparedPast(asked: PlanInput, declarations: Declarations): ComparedPast {
  const { contextOf } = contextsFor({ ...asked, declared: declarations })
  const written = new Map(declarations.desired.map(one => [one.address, one]))
  const known = new Map<string, ComparedDesired>()
  const compared = (address: string): ComparedDesired | undefined => {
    const before = known.get(address)
    const declared = written.get(address)
    if (before || !declared) return before
    const { desired, policy } = contextOf(declared)
    const kind = declarableKind(desired.kind)
    const digests =
      desired.ensure === 'absent'
        ? {}
        : { ...declaredFieldDigests(kind, desired, policy.ownership.tag), ...declaredFileDigests(desired) }
    const found = { desired, digests }
    known.set(address, found)
    return found
  }
  const fieldsOf = ({ desired, digests }: ComparedDesired): Record<string, BaseField> =>
    Object.fromEntries(
      Object.entries(digests).map(([field, digest]) => {
        const [value, ignore] = [declaredValue(desired, field), ignoredIn(desired, field)]
        return [field, { digest, value, ignore: ignore.length > 0 ? ignore : undefined }]
      }),
    )
  return {
    addresses: [...written.keys()],
    digestsOf: address => compared(address)?.digests,
    valueOf(address, field) {
      const desired = compared(address)?.desired
      return desired && declaredValue(desired, field)
    },
    baseOf: origin =>
      Object.fromEntries(
        [...written.keys()].flatMap(address => {
          const one = compared(address)
          return one ? [[address, { ensure: one.desired.ensure, fields: fieldsOf(one), origin }]] : []
        }),
      ),
    grantListsOf: origin =>
      Object.fromEntries(
        [...listedRoles(declarations, asked.live)].map(([flag, roles]) => [flag, { roles, origin }]),
      ),
  }
}

function declaredValue({ fields, files }: Desired, field: string): Json | undefined {
  const file = fileOfField(field)
  return file === undefined ? fields[field] : files?.[file]
}
