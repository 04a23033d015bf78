import { declarableKinds } from '../kinds/index.ts'
import { profileProofs } from '../model/connection.ts'
import { redactedPartNames } from '../model/field.ts'
import { riskRuleNames, risks } from '../model/risk.ts'
import type { JsonObject } from '../model/text/json.ts'
import {
  anyObject,
  count,
  decimal,
  described,
  dialect,
  integer,
  list,
  type Members,
  mapOf,
  object,
  oneOf,
  ordinal,
  reference,
  schemaBase,
  text,
  textOrNull,
  texts,
  time,
  truth,
  yes,
} from './json-schema.ts'

/** The title, `$id` and description of a published schema. */
export function headOf(name: string, description: string, title = `Vexil ${name.replaceAll('-', ' ')}`) {
  return { $schema: dialect, $id: `${schemaBase}/${name}.schema.json`, title, description }
}

/** The schema of a document that a command prints. */
export function documentSchema(
  name: string,
  description: string,
  members: Members,
  more: JsonObject = {},
): JsonObject {
  return object({ ...documentHead, ...members }, { ...headOf(name, description), ...more })
}

const documentHead = {
  format_version: described(text, 'Major and minor version.'),
  exit_code: described(integer, 'The exit code of the command.'),
}

/** The position of a declaration. */
export const source = object({ file: text, line: integer, column: integer })

/** The members of an entry in `errors`. */
export const faultMembers = {
  code: described(
    text,
    'A stable code: `usage`, `refused`, `stale`, `skipped`, `declined`, `interrupted`, `service`, `failed`, or the code of a problem in a file, such as `unknown-key`.',
  ),
  message: described(text, 'The problem, on one line.'),
  'hint?': described(text, 'How to fix the problem.'),
  'source?': object({ file: text, line: ordinal, column: ordinal }),
  'address?': described(text, 'The address of the affected object.'),
  'status?': described(integer, 'The HTTP status, if the service refused a request.'),
  'request?': described(text, 'Method and path of the refused request.'),
}

export const faultSchema = object(faultMembers)

/** The `--json` output of a failed command: the whole output, or one more line after others. */
export function failureSchema(): JsonObject {
  const description = 'Why a command failed. Standard error has the same problems as text.'
  return documentSchema('errors', description, { errors: { type: 'array', minItems: 1, items: faultSchema } })
}

/** Short digests by name. */
const digests = mapOf(text)

/** Definitions that the schema of a change refers to. Records of runs contain changes too. */
export function changeSchemas(): JsonObject {
  return { change, source, files }
}

const kindName = oneOf(declarableKinds.map(({ name }) => name))
const action = oneOf(['create', 'update', 'claim', 'restore', 'delete'])

const files = mapOf(textOrNull)

const namedObject = object({ $ref: text, identity: text, 'id?': text })

/** What a declaration hides: `true` for all values, or a list. */
const sensitive = {
  anyOf: [yes, texts],
}

const change = object({
  address: text,
  kind: kindName,
  action,
  identity: text,
  'label?': text,
  'id?': text,
  'parent?': namedObject,
  'names?': list(
    namedObject,
    'Other flags that its conditions refer to by key. The service receives their ids.',
  ),
  'rename_of?': described(
    namedObject,
    'An undeclared live object that is similar to the new object. The change may be a rename.',
  ),
  before: described(anyObject, 'The live values of the fields that change.'),
  after: described(anyObject, 'The values of these fields after the change.'),
  'files?': reference('files'),
  'files_before?': reference('files'),
  fingerprint: described(textOrNull, 'The fingerprint of the live object at planning time.'),
  risk: oneOf(risks),
  risk_reasons: list(
    object({
      rule: described(text, `A rule of risk: ${riskRuleNames.join(', ')}.`),
      level: oneOf(risks),
      reason: described(text, 'The finding of the rule, on one line.'),
    }),
    'The risk rules that apply, highest level first. The highest level is the risk of the change.',
  ),
  summary: texts,
  'flipped_tests?': object(
    {
      count: ordinal,
      unexpected: described(count, 'How many of these people do not get the value that their test expects.'),
    },
    'How many people in the tests of a flag get a different value after the change. The summary lists them.',
  ),
  'exposure?': object({
    before: decimal,
    after: decimal,
    'sure?': described(
      object({ before: decimal, after: decimal }),
      'The parts of these shares that everybody in them gets, whatever their properties.',
    ),
    direction: text,
    step: decimal,
  }),
  'alert?': described(text, 'A large widening, on one line: many more people at once, or everybody.'),
  'audiences?': described(
    texts,
    'The audiences whose properties differ between the declared and the live flag.',
  ),
  allowed: texts,
  depends_on: texts,
  'sensitive?': described(sensitive, 'The values that the declaration hides.'),
  'hidden?': described(
    texts,
    'Fields in which `(sensitive DIGEST)` replaces values; source files count as fields. The digest is salted, so equal digests show equal values only within one document.',
  ),
  'digests?': described(digests, 'Only in records: short digests of the values written to hidden fields.'),
  'source?': reference('source'),
})

const author = object(
  {
    'name?': text,
    'at?': time,
    'reason?': described(text, 'The reason that the author gave.'),
  },
  'The author of the change in the product, if the activity trail or a record shows it.',
)

const field = object({
  field: described(text, 'The name of the field; `exists` if the object itself was deleted or created.'),
  treatment: oneOf(
    ['held', 'merged', 'reverted', 'conflict', 'behind'],
    'held: keeps the live value and sends nothing. merged: sends both changes. reverted: sends the declared value. conflict: both sides changed the field; it is not sent. behind: another commit declared the live value; it is not sent.',
  ),
  'evidence?': oneOf(
    ['base', 'trail', 'run', 'off'],
    'The evidence of the edit. base: the declared value when the object last converged. trail: the activity trail. run: a recorded run. off: the flag is off, and the plan would turn it on.',
  ),
  'on_both_sides?': described(yes, 'For a reverted field: the repository changed it too.'),
  summary: described(texts, 'A description of the edit.'),
  'author?': author,
  'set_by?': object(
    { command: oneOf(['undo', 'disable']), run: text },
    'The recorded run that is the evidence.',
  ),
  'held_since?': described(time, 'The end time of the first run that held the field.'),
  'overdue?': oneOf(
    ['error', 'warning'],
    'The level of the policy longest_hold, if the field is held longer than the policy allows.',
  ),
  'commit?': described(text, 'For a field that is behind: the commit that declared the live value.'),
})

/** The live edits of one declared object. */
export const liveEditSchema = object({
  address: text,
  kind: oneOf(declarableKinds.map(({ name }) => name)),
  fields: list(field),
  remedies: described(texts, 'What to do: a command or an edit on each line.'),
  'source?': reference('source'),
})

/** The schema of a plan document. It allows other members. */
export function planSchema(): JsonObject {
  return object(
    {
      format_version: described(text, 'Always "1.0". Readers refuse other versions.'),
      digest: described(text, 'sha256 of the canonical text of all other members.'),
      'environment?': text,
      'created_at?': described(time, 'When the plan was made.'),
      'commit?': described(text, 'The commit of the declarations.'),
      'dirty?': described(truth, 'Whether the working folder differed from that commit.'),
      target: object({ ...targetMembers, 'known?': profileProofSchema }),
      'requests?': described(count, 'How many requests the plan needed, including retries.'),
      'base?': described(text, 'The base of live edits from `--base`: `none`, or a commit.'),
      'measured_from?': object(
        {
          run: text,
          at: described(time, 'When the run ended.'),
          'commit?': text,
          'dirty?': truth,
          'earlier?': described(ordinal, 'How many objects last converged in an earlier run.'),
        },
        'The newest recorded run that is the base of live edits. Absent with `--base`.',
      ),
      'notes?': described(texts, 'Why live edits or their authors are partly unknown.'),
      'allowed?': described(texts, 'Plan-wide rules that the apply may break: `older_commit`.'),
      changes: list(reference('change')),
      blocked: list(reference('blocked')),
      drift: list(reference('drift')),
      'sides?': object(
        {
          edited: addressesOf('changed in the product since they last converged'),
          differing: addressesOf('that differ from their declaration, by a change on an unknown side'),
          undeclared: addressesOf('with the ownership tag that are not declared'),
          unapplied: addressesOf('changed in the repository but not applied yet'),
          behind: addressesOf('with the live state that another commit declares'),
        },
        'Only for `drift`: the differing objects by cause. The first three causes are drift.',
      ),
      'reviewed?': object(
        {
          as_reviewed: described(truth, 'Whether the reviewed plan contains every change.'),
          'reason?': described(text, 'Why the plans could not be compared.'),
          'added?': addressesOf('that only this plan changes'),
          'changed?': addressesOf(
            'with another change in the reviewed plan, or with a live change since then',
          ),
          'gone?': addressesOf('that only the reviewed plan changes'),
        },
        'Only for `plan --reviewed`: a comparison with the reviewed plan.',
      ),
      'warnings?': list(
        faultSchema,
        'Only in printed plans: warnings of `validate` about objects in this plan.',
      ),
      live_edits: list(
        reference('live_edit'),
        'Fields of declared objects that were changed in the product, and how the plan treats them.',
      ),
      'owners?': mapOf(texts, "The owners of the document's objects, by address."),
      'ownership_tag?': described(
        text,
        'The ownership tag of the repository. Only the summary of a claim mentions that the change adds this tag.',
      ),
      'group_types?': mapOf(integer, 'The numbers of group types, by the names that summaries use.'),
      summary: object(
        { 'unchanged?': count, 'already_absent?': count, 'tagged_undeclared?': count },
        { additionalProperties: { type: ['integer', 'string'] } },
      ),
      'inventory?': described(
        anyObject,
        'By kind: rows read, the count that the service reported, and whether the two agree.',
      ),
      'declared?': declaredSchema,
      'after?': described(texts, 'Only in files: the newest recorded runs at planning time.'),
      'redacted?': object(
        {
          parts: list(oneOf(redactedPartNames())),
          'salt?': described(text, 'Only in files: the salt of the digests.'),
          'options?': object(
            { 'target?': texts, 'owner?': texts, 'allow?': texts, 'base?': text, 'prune?': text },
            {
              additionalProperties: false,
              description:
                'Only in files: the options of the plan. An apply plans again with these options to get the hidden values.',
            },
          ),
        },
        'The parts that this plan hides in all objects.',
      ),
      'not_targeted?': described(texts, 'Declared addresses that --target or --owner excluded.'),
    },
    {
      ...headOf('plan', 'What an apply to one target will change, and what it will not.'),
      $defs: { ...changeSchemas(), blocked, drift, live_edit: liveEditSchema },
    },
  )
}

const declaredSchema = mapOf(
  object({
    'ensure?': { const: 'absent' },
    'fields?': digests,
    'files?': digests,
    'id?': described(text, 'The id that identified the object.'),
    'ignore?': described(texts, 'Ignored paths. No digest contains them.'),
  }),
  'By address: a short digest of each declared field and file, or `ensure: absent`.',
)

const targetMembers = {
  base_url: text,
  'project_id?': text,
  'organization_id?': text,
  profile: described(text, 'The API profile of the service.'),
}

/** How the profile of a plan was determined. */
export const profileProofSchema = oneOf(
  profileProofs,
  'set: a setting names the profile. recognized: the answers show it. assumed: several profiles fit the answers, and this one is the earliest.',
)

export const targetSchema = object(targetMembers)

const blocked = object({
  address: text,
  kind: kindName,
  action,
  rule: text,
  reason: text,
  remedy: text,
  summary: texts,
  'source?': reference('source'),
})

function addressesOf(which: string): JsonObject {
  return described(texts, `Addresses of objects ${which}.`)
}

const drift = object({
  address: text,
  kind: kindName,
  reason: oneOf(['changed', 'deleted', 'undeclared']),
  fields: texts,
  summary: texts,
  'source?': reference('source'),
})
