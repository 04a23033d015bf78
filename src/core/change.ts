import { byFileField, type Sensitive } from '../model/field.ts'
import type { Source } from '../model/problem.ts'
import {
  greaterRisk,
  levelOf,
  type Risk,
  type RiskPolicy,
  type RiskRule,
  riskRuleNames,
  risks,
} from '../model/risk.ts'
import type { Json, JsonObject } from '../model/text/json.ts'
import { compareTexts } from '../model/text/names.ts'
import type { ExposureDirection, GroupTypeNumbers } from '../targeting/index.ts'
import type { GuardRule } from './desired.ts'
import type { LiveEdit } from './live-edits/live-edit.ts'

export { type Risk, risks } from '../model/risk.ts'

/** What a change does to its object. `claim` only adds the ownership tag; `restore` restores a soft-deleted object. */
export type Action = 'create' | 'update' | 'claim' | 'restore' | 'delete'

/** Another object, by its address and, when it exists already, its id. */
export interface Reference {
  readonly $ref: string
  readonly identity: string
  readonly id?: string
}

/** One step of an apply: plain data that can be carried out without the declarations. */
export interface Change {
  readonly address: string
  readonly kind: string
  readonly action: Action
  readonly identity: string
  readonly label?: string
  /** The id in paths; a creation has none yet. */
  readonly id?: string
  /** For a grant: its flag. */
  readonly parent?: Reference
  /** The flags that its conditions name by key, before and after. The service gets their ids. */
  readonly names?: readonly Reference[]
  /** The fields that change, as they were read. For a deletion: all managed fields. */
  readonly before: JsonObject
  /** The same fields as they will be sent. For a soft deletion: values to write into the deleted object. */
  readonly after: JsonObject
  /** Source files that change; null removes one. */
  readonly files?: Readonly<Record<string, string | null>>
  readonly filesBefore?: Readonly<Record<string, string | null>>
  /** The live object that the change was planned on; null when there was none. */
  readonly fingerprint: string | null
  /**
   * The version of that object, if the service compares the change with it. Then the object is not read
   * again. A saved plan does not contain it.
   */
  readonly version?: Json
  readonly risk: Risk
  /** The rules that gave it that risk, the highest level first. */
  readonly riskReasons: readonly RiskReason[]
  /** A description of the change, the most important line first. */
  readonly summary: readonly string[]
  /** How many people in a flag's tests get another result, and for how many it is not the expected one. */
  readonly flippedTests?: { readonly count: number; readonly unexpected: number }
  /** How a flag's reach changes, in percent of the people that a condition matches. */
  readonly exposure?: ExposureChange
  /** A widening that reviewers must notice, on one line: `everyone: 10% -> 100%`. */
  readonly alert?: string
  /** The audiences whose properties differ between the declared flag and the live one. */
  readonly audiences?: readonly string[]
  /** Guards that would have blocked the change but were allowed. */
  readonly allowed: readonly GuardRule[]
  /** Addresses that must be done first. */
  readonly dependsOn: readonly string[]
  /** A live, undeclared object that looks like the one to create: a rename may be intended. */
  readonly renameOf?: Reference
  /** Which of its values its declaration hides. */
  readonly sensitive?: Sensitive
  /** The fields (and source files, as fields) with placeholders, if the values are not available. */
  readonly hidden?: readonly string[]
  /** Short digests of the values of hidden fields, in a record. */
  readonly digests?: Readonly<Record<string, string>>
  readonly source?: Source
}

export interface ExposureChange {
  readonly before: number
  readonly after: number
  /** The parts of both shares that do not depend on properties. Plans of earlier versions lack them. */
  readonly sure?: { readonly before: number; readonly after: number }
  readonly direction: ExposureDirection
  readonly step: number
}

/** Why a declared change is not part of the plan. */
export type BlockRule =
  | GuardRule
  | 'ambiguous'
  | 'behind'
  | 'changed_since'
  | 'dependency_circle'
  | 'dependency_missing'
  | 'dependency_off'
  | 'dependents'
  | 'ignored_place'
  | 'incomplete_inventory'
  | 'invalid'
  | 'not_offered'
  | 'not_seen'
  | 'other_identity'
  | 'nothing_declared'
  | 'parent_missing'
  | 'protected'
  | 'renamed_in_product'
  | 'unreadable'
  | 'values_hidden'

/** Why something is not done, and what to do about it. */
export interface Block<Rule extends BlockRule = BlockRule> {
  readonly rule: Rule
  /** One line: why. */
  readonly reason: string
  /** One line: what to do. */
  readonly remedy: string
}

export interface Blocked extends Block {
  readonly address: string
  readonly kind: string
  readonly action: Action
  readonly summary: readonly string[]
  readonly source?: Source
}

/** A live object that differs from the last apply, or that has the ownership tag and no declaration. */
export interface Drift {
  readonly address: string
  readonly kind: string
  readonly reason: 'changed' | 'deleted' | 'undeclared'
  readonly fields: readonly string[]
  readonly summary: readonly string[]
  readonly source?: Source
}

/** The outcome of one declared object: exactly one of these. */
export type Outcome =
  | { readonly is: 'change'; readonly change: Change }
  | { readonly is: 'blocked'; readonly blocked: Blocked }
  /** It differs from its declaration, but nothing is sent: see the live edits of the plan. */
  | { readonly is: 'held'; readonly address: string }
  /** `isAbsent`: it is declared absent, and did not exist. */
  | { readonly is: 'unchanged'; readonly address: string; readonly isAbsent?: true }

/** The proof that a list was read whole. */
export interface InventoryProof {
  readonly seen: number
  readonly count: number | null
  readonly complete: boolean
}

/** Everything that an apply will do or leave unchanged, in a fixed order. */
export interface Plan {
  readonly changes: readonly Change[]
  readonly blocked: readonly Blocked[]
  readonly drift: readonly Drift[]
  /** Changes of declared objects in the product, and their treatment. */
  readonly liveEdits: readonly LiveEdit[]
  /** Addresses of objects that are live as declared. */
  readonly unchanged: readonly string[]
  /** Addresses of unchanged objects that are declared absent; undefined if there are none. */
  readonly absent?: readonly string[]
  /** How many objects have the ownership tag but no declaration; absent if there are none. */
  readonly taggedUndeclared?: number
  /** The ownership tag of the repository, if any. The text of a change does not mention that it adds the tag. */
  readonly ownershipTag?: string
  /** The names of group types in the texts; absent if the settings name none. */
  readonly groupTypes?: GroupTypeNumbers
  /** The owners of the reported objects, by address; absent if there are none. */
  readonly owners?: Readonly<Record<string, readonly string[]>> | undefined
  readonly inventory: Readonly<Record<string, InventoryProof>>
}

/** The names of all fields that a change writes, including its source files as fields. */
export function writtenFields({ after, files }: Pick<Change, 'after' | 'files'>): string[] {
  return [...Object.keys(after), ...Object.keys(byFileField(files))]
}

/** The greatest risk of a plan's changes; low when there are none. */
export function highestRisk(changes: readonly Change[]): Risk {
  return changes.reduce<Risk>((highest, { risk }) => greaterRisk(highest, risk), 'low')
}

/** The order of addresses in everything that is shown. */
export function byAddress(left: { readonly address: string }, right: { readonly address: string }): number {
  return compareTexts(left.address, right.address)
}

/** A rule of risk that applies to a change, with what it has found. */
export interface RiskReason {
  readonly rule: RiskRule
  readonly level: Risk
  /** `everyone: 10% -> 100%`. */
  readonly reason: string
}

export interface RiskFinding {
  readonly rule: RiskRule
  readonly reason: string
  /** Size of a widening, in percentage points. */
  readonly points?: number
}

export interface JudgedRisk {
  readonly risk: Risk
  /** The highest level first, then in the order of the rules. The first ones determine the risk. */
  readonly riskReasons: readonly RiskReason[]
}

/** The highest level that the policy gives to the findings. */
export function judgeRisk(findings: readonly RiskFinding[], policy: RiskPolicy): JudgedRisk {
  const riskReasons = findings
    .flatMap(({ rule, reason, points }): RiskReason[] => {
      const level = levelOf(policy, rule, points)
      return level === undefined ? [] : [{ rule, level, reason }]
    })
    .sort(
      (left, right) =>
        risks.indexOf(right.level) - risks.indexOf(left.level) ||
        riskRuleNames.indexOf(left.rule) - riskRuleNames.indexOf(right.rule),
    )
  return { risk: riskReasons.reduce<Risk>((risk, { level }) => greaterRisk(risk, level), 'low'), riskReasons }
}
