import type { Profile } from '../../src/model/connection.ts'
import type { QuirkName } from '../../src/sandbox/index.ts'

/** One row of the last table of docs/service-facts.md, with what proves it. */
export interface TodayRow {
  /** Its first cell. */
  readonly was: string
  /** The services that it is about; both public ones where it does not say. */
  readonly on?: readonly Profile[]
  /** A test by its file and its name; or a behaviour of the service, each way of which `test/quirk/matrix.test.ts` plays. */
  readonly tests: readonly (QuirkName | readonly [file: string, name: string])[]
}

const today = ['posthog-2026'] as const satisfies readonly Profile[]

const everywhere = [
  'test/property/same-everywhere.test.ts',
  'a live flag evaluates as it was declared, and every write has changed something',
] as const
const planIsEmpty = [
  'test/property/laws.test.ts',
  'a plan after an apply is empty, an apply writes only what its plan said, a plan writes nothing',
] as const

export const todayRows: readonly TodayRow[] = [
  { was: 'a PATCH replaces `filters` whole', tests: [everywhere, 'filters_patch'] },
  { was: 'no `filters` means everybody', tests: [everywhere, 'no_filters'] },
  { was: 'payloads stay as they were sent', tests: [everywhere, 'filters'] },
  {
    was: 'every live flag is listed',
    tests: [
      [
        'test/quirk/later-fields.test.ts',
        'is read with the others, in one list more, and only where there are such flags',
      ],
      [
        'test/quirk/taken-keys.test.ts',
        'by an archived flag that no list has shown: it is named, with how to go on',
      ],
      ['test/quirk/taken-keys.test.ts', 'by what no list shows'],
      'survey_flags',
    ],
  },
  {
    was: 'flags have no version',
    on: today,
    tests: [
      [
        'test/scenario/versions.test.ts',
        'carries the version and what its fields were like, and nothing is read before it',
      ],
      [
        'test/scenario/versions.test.ts',
        'is said not to be made where the service answers as if all were well',
      ],
      ['test/quirk/races.test.ts', 'lose no update where flags show a version, whatever comes between'],
      'flag_version',
      'stale_patch',
    ],
  },
  {
    was: '409 is rare',
    on: today,
    tests: [
      [
        'test/scenario/approvals.test.ts',
        'says what waits, with the id of its request, asks once, and does everything else',
      ],
      [
        'test/scenario/versions.test.ts',
        'is left alone where a colleague has changed the same field meanwhile, with exit code 5',
      ],
      'approvals',
    ],
  },
  { was: 'a PATCH that changes nothing is not seen', tests: [everywhere, planIsEmpty, 'unchanged_patch'] },
  {
    was: 'a PATCH with its own key destroys what hangs from a soft-deleted flag',
    tests: [
      [
        'test/scenario/restore.test.ts',
        'has what is declared before it comes back, and comes back by its marker alone',
      ],
      'restore_own_key_trap',
    ],
  },
  {
    was: 'roles are granted by `role_access`',
    tests: [
      ['test/quirk/access.test.ts', 'are planned in words, applied, and then as declared'],
      ['test/quirk/access.test.ts', 'are asked for on the wrong route once at the most'],
      'grants_route',
    ],
  },
  {
    was: 'local evaluation is in the project, with active flags alone',
    tests: [['test/sandbox/sdk/sdk-routes.test.ts', 'are there in the %s profile'], 'local_evaluation'],
  },
  {
    was: '`created_at` and rollbacks can be written',
    tests: [
      planIsEmpty,
      ['test/quirk/later-fields.test.ts', 'is told, and neither compared nor sent'],
      'flag_created_at',
      'flag_fields',
    ],
  },
  {
    was: 'a POST with `filters` that lack groups fails with 500',
    tests: [everywhere, 'filters_without_groups'],
  },
  {
    was: 'of two POSTs for one key at once, one fails with 500',
    tests: [
      [
        'test/scenario/at-once.test.ts',
        'leave one of each object with a unique name, and report every other one',
      ],
    ],
  },
  {
    was: 'only an early access feature keeps a flag from being deleted',
    tests: [
      ['test/cli/refusals-of-today.test.ts', 'is told with what to do about it: %s'],
      [
        'test/scenario/flag-dependencies.test.ts',
        'is made, turned off and deleted together with it, in the order that the service takes',
      ],
      'linked_flags',
    ],
  },
  {
    was: 'flags know no other flags',
    tests: [
      [
        'test/scenario/flag-dependencies.test.ts',
        'is made, turned off and deleted together with it, in the order that the service takes',
      ],
      'flag_dependencies',
    ],
  },
  {
    was: 'tags get lost without a word on some plans',
    tests: [['test/cli/refusals-of-today.test.ts', 'is told with what to do about it: %s'], 'tags'],
  },
  { was: 'each new flag makes a dashboard', tests: ['usage_dashboard'] },
  {
    was: 'operations of flags refuse keys with scopes',
    tests: [
      [
        'test/quirk/today.test.ts',
        'an estimate that the key is not let in for is left out, and the plan is the same',
      ],
      'scoped_operations',
    ],
  },
  {
    was: 'local evaluation is always answered',
    tests: [
      ['test/quirk/today.test.ts', 'is no part of a plan or an apply'],
      [
        'test/quirk/today.test.ts',
        'is told as it is where somebody asks for it, and nothing old in its place',
      ],
      ['test/sandbox/sdk/sdk-routes.test.ts', 'are not sent again to whoever has them, profile %s'],
      [
        'test/sandbox/sdk/sdk-routes.test.ts',
        'are sent whole after a refusal, as some have let go of theirs then, profile %s',
      ],
    ],
  },
  {
    was: 'event definitions may give 402',
    tests: [
      [
        'test/quirk/today.test.ts',
        'an event definition that was not seen is not made, though a service may take that',
      ],
      'definition_query',
    ],
  },
  {
    was: 'conditions with a variant of their own go first',
    tests: [
      ['test/yaml/profiles.test.ts', 'what is declared is checked for the service of its environments'],
      ['test/targeting/check/check-engines.test.ts', 'a variant behind everybody'],
    ],
  },
  {
    was: '`gt` and the like compare numbers, else texts',
    tests: [
      ['test/targeting/check/check-engines.test.ts', 'a text by size'],
      ['test/targeting/evaluate/engines.test.ts', 'a number in a text'],
    ],
  },
  {
    was: '`exact` compares texts',
    tests: [
      ['test/targeting/check/check-engines.test.ts', 'false'],
      ['test/targeting/evaluate/engines.test.ts', 'what is not true'],
      ['test/sandbox/sdk/sdk-routes.test.ts', 'say how true and false are matched: as %s'],
      ['test/cli/evaluate.test.ts', 'goes by the version of a project that compares true and false by %s'],
    ],
  },
  {
    was: 'plugins give 403 to most',
    tests: ['plugins_route', ['test/cli/doctor-permissions.test.ts', 'with %s']],
  },
]
