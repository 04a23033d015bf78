import { expect } from 'vitest'
import type { Profile, QuirkName, Quirks } from '../../src/sandbox/index.ts'
import type { EvaluationBehaviour } from '../../src/services/differences.ts'
import { converged, type Round } from './round.ts'

/** What one quirk does to a round of plan, apply, plan, apply. */
export interface QuirkRow<Name extends QuirkName = QuirkName> {
  /** Each value of the quirk with what comes of the round, in either profile unless it depends on it. */
  readonly rounds: readonly (readonly [Quirks[Name], Round | ((profile: Profile) => Round)])[]
  readonly with?: Partial<Quirks>
  /** Whether `post_to_chat` is declared as well. */
  readonly postToChat?: true
}

/** A quirk that changes nothing of a round, whichever value it has. */
function converging<const Value>(...values: readonly Value[]): (readonly [Value, Round])[] {
  return values.map(value => [value, converged])
}

/** What cannot be done is blocked in both plans, or in the second one; everything else is done. */
function blocks(rules: Readonly<Record<string, string>>, more: Partial<Round> = {}): Round {
  const undone = Object.keys(rules).sort()
  const second = { ...converged.second, blocked: rules }
  return { ...converged, plan: { code: 2, blocked: rules }, second, undone, ...more }
}

/** What the service took and did not keep is said once, and blocked from then on. */
function losesFields(notKept: Readonly<Record<string, readonly string[]>>): Round {
  const rules = Object.fromEntries(Object.keys(notKept).map(address => [address, 'not_kept']))
  return blocks(rules, { plan: converged.plan, apply: { ...converged.apply, notKept } })
}

/** What switches a flag or makes one that is on waits, what hangs from it is skipped, and everything else is done. */
function waitsForApproval(reason: string): Round {
  const failed = {
    'feature_flag.brand_new': reason,
    'feature_flag.changed': reason,
    'feature_flag_role_access.brand_new:support': 'feature_flag.brand_new was not done',
  }
  const blocked = {
    'feature_flag.brand_new': 'approval_pending',
    'feature_flag.changed': 'approval_pending',
    'feature_flag_role_access.brand_new:support': 'parent_missing',
  }
  return {
    ...converged,
    apply: { code: 4, failed, notKept: {} },
    second: { ...converged.second, blocked },
    undone: Object.keys(blocked),
  }
}

const tagsLost = losesFields({
  'feature_flag.brand_new': ['tags'],
  'feature_flag.changed': ['tags'],
  'event_definition.paid': ['tags'],
})
const pluginsUnreadable = { 'plugin.fresh': 'unreadable', 'plugin.geoip': 'unreadable' }
const chatLost = losesFields({ 'event_definition.paid': ['post_to_chat'] })

const grantsUnreadable = {
  'feature_flag_role_access.comes_back:growth': 'unreadable',
  'feature_flag_role_access.comes_back:support': 'unreadable',
}
const twoGrantsUnreadable: Round = {
  ...converged,
  second: { ...converged.second, code: 3, blocked: grantsUnreadable },
  again: { code: 3, writes: 0 },
}

/** Where plugins have always been, a place without any is a wrong one, and nothing is done. */
const nothingDone: Round = {
  plan: { code: 1, blocked: {} },
  apply: { code: 1, failed: {}, notKept: {} },
  second: {
    code: 1,
    changes: [expect.stringContaining('is the organization right?')],
    blocked: {},
    drift: [],
  },
  again: { code: 1, writes: 0 },
  undone: expect.any(Array),
  wrong: [],
}

const noPlugins = blocks(pluginsUnreadable, {
  plan: { code: 3, blocked: pluginsUnreadable },
  apply: { code: 3, failed: {}, notKept: {} },
  second: { ...converged.second, code: 3, blocked: pluginsUnreadable },
  again: { code: 3, writes: 0 },
})

/** What decides who gets what is no part of a round: plans write conditions and never ask what they come to. */
type NameInRounds = Exclude<QuirkName, keyof EvaluationBehaviour>

/** A quirk without a row does not compile. */
export const quirkRows: { readonly [Name in NameInRounds]: QuirkRow<Name> } = {
  // Lists
  page_size_cap: {
    rounds: [
      [0, converged],
      // The public service of 2024 answers 500 to every page of grants but the first; today there are no pages.
      [1, profile => (profile === 'posthog' ? twoGrantsUnreadable : converged)],
    ],
  },
  change_request: {
    rounds: converging('none', 'pending', 'approved', 'applied', 'rejected', 'expired', 'failed'),
  },
  flag_state_operations: { rounds: converging(false, true) },
  remote_rollout: { rounds: converging('kept', 'on_create', 'always') },
  survey_flags: { rounds: converging('shown', 'hidden') },
  flag_list_query: { rounds: converging('ignored', 'without_key', 'taken') },
  event_envelope: { rounds: converging('counted', 'next_only') },
  // Shapes
  shapes: { rounds: converging('documented', 'real') },
  action_answers: { rounds: converging('record', 'own') },
  static_cohort_status: { rounds: converging('200', '201') },
  post_to_chat_name: {
    with: { post_to_chat: 'kept' },
    postToChat: true,
    rounds: [
      ['post_to_chat', profile => (profile === 'documented' ? converged : chatLost)],
      ['post_to_slack', profile => (profile === 'documented' ? chatLost : converged)],
    ],
  },
  roles_route: { rounds: converging(true, false) },
  // Flags
  filters: { rounds: converging('verbatim', 'rewritten') },
  filters_without_groups: { rounds: converging('stored', 'lost', 'refused') },
  filters_patch: { rounds: converging('replaced', 'merged') },
  no_filters: { rounds: converging('everybody', 'nobody') },
  filter_rules: { rounds: converging('2024', '2026') },
  unsettled_operators: { rounds: converging('kept', 'refused') },
  bad_property: { rounds: converging('invalid', 'error') },
  flag_version: { rounds: converging(true, false) },
  stale_patch: { rounds: converging('refused', 'dropped') },
  trail_rows: { rounds: converging('fields', 'columns') },
  unchanged_patch: { rounds: converging('unseen', 'counted') },
  flag_fields: { rounds: converging('2024', '2026') },
  flag_created_at: { rounds: converging('writable', 'ignored') },
  flag_key_characters: { rounds: converging('any', 'checked') },
  usage_dashboard: { rounds: converging('made', 'null') },
  blast_radius: { rounds: converging('users_affected', 'affected') },
  tags: {
    rounds: [
      ['kept', converged],
      ['dropped', tagsLost],
    ],
  },
  tag_order: { rounds: converging('shuffled', 'sorted') },
  restore_own_key_trap: { rounds: converging(true, false) },
  flag_dependencies: { rounds: converging('id_or_key', 'id', 'refused') },
  variant_sum: { rounds: converging('on_create', 'always') },
  analytics_dashboards: { rounds: converging('accepted', 'error') },
  evaluation_id_required: { rounds: converging(true, false) },
  enrich_checked: { rounds: converging(true, false) },
  local_evaluation: { rounds: converging('served', 'gone') },
  linked_flags: { rounds: converging('free', 'guarded') },
  deleted_key: { rounds: converging('kept', 'renamed') },
  approvals: {
    rounds: [
      ['none', converged],
      ['required', waitsForApproval('This change has to be approved.')],
      ['pending', waitsForApproval('A change request for this waits already.')],
      ['accepted', waitsForApproval('This change has to be approved.')],
    ],
  },
  // Grants
  grants_route: { rounds: converging('role_access', 'both', 'access_controls') },
  role_access_query: { rounds: converging('accepted', 'error') },
  role_access_duplicate: { rounds: converging('invalid', 'conflict', 'error', 'existing') },
  // Plugins
  plugins_route: {
    rounds: [
      ['served', converged],
      ['gone', profile => (profile === 'posthog-2026' ? noPlugins : nothingDone)],
    ],
  },
  plugin_without_url: { rounds: converging('accepted', 'error') },
  // Event definitions
  definition_fields: { rounds: converging('all', 'tags') },
  post_to_chat: {
    postToChat: true,
    rounds: [
      ['kept', converged],
      ['echoed', chatLost],
    ],
  },
  definition_unknown: { rounds: converging('not_found', 'error') },
  definition_query: { rounds: converging('2024', '2026') },
  // Events
  event_id_checked: { rounds: converging(true, false) },
  event_person: { rounds: converging('always', 'on_request') },
  event_limit: { rounds: converging('default', 'error') },
  event_expressions: { rounds: converging('honoured', 'ignored') },
  // Requests
  format_elsewhere: { rounds: converging('ignored', 'not_found') },
  form_bodies: { rounds: converging(true, false) },
  put: { rounds: converging(true, false) },
  // Keys and limits
  scoped_operations: { rounds: converging('2024', '2026') },
  throttle: { rounds: converging(0, 3) },
  throttle_seconds: { with: { throttle: 3 }, rounds: converging(60, 2) },
}
