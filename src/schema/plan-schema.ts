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

/** The first members of a published schema. */
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
  format_version: described(text, 'Major and minor.'),
  exit_code: described(integer, 'What the command ends with.'),
}

/** Where something is declared. */
export const source = object({ file: text, line: integer, column: integer })

/** The members of an element of `errors`. */
export const faultMembers = {
  code: described(
    text,
    'A stable name: `usage`, `refused`, `stale`, `skipped`, `declined`, `interrupted`, `service`, `failed`, or that of a problem in a file, such as `unknown-key`.',
  ),
  message: described(text, 'One line: what is wrong.'),
  'hint?': described(text, 'What to do about it.'),
  'source?': object({ file: text, line: ordinal, column: ordinal }),
  'address?': described(text, 'The object that it is about.'),
  'status?': described(integer, 'The status of the answer, where the service refused.'),
  'request?': described(text, 'Method and path of that request.'),
}

/** One element of `errors`. */
export const faultSchema = object(faultMembers)

/** The schema of the `--json` output of a failed command; on a line of its own after other lines. */
export function failureSchema(): JsonObject {
  const description = 'Why a command failed. Standard error has the same for people.'
  return documentSchema('errors', description, { errors: { type: 'array', minItems: 1, items: faultSchema } })
}

/** Short digests, by the names of their subjects. */
const digests = mapOf(text)

/** The references of a change; records of runs hold changes too. */
export function changeSchemas(): JsonObject {
  return { change, source, files }
}

/** The name of a kind that can be declared. */
const kindName = oneOf(declarableKinds.map(({ name }) => name))
/** The action for an object. */
const action = oneOf(['create', 'update', 'claim', 'restore', 'delete'])

const files = mapOf(textOrNull)

const namedObject = object({ $ref: text, identity: text, 'id?': text })

/** For a declaration, and for a change of its object. */
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
  'names?': list(namedObject, 'The flags that its conditions name by key: the service gets their ids.'),
  'rename_of?': described(
    namedObject,
    'A live object, declared nowhere, that looks like the one to create: a rename may be meant.',
  ),
  before: described(anyObject, 'The fields that change, as they were read.'),
  after: described(anyObject, 'The same fields as they will be sent.'),
  'files?': reference('files'),
  'files_before?': reference('files'),
  fingerprint: described(textOrNull, 'Of the live object that the change was planned on.'),
  risk: oneOf(risks),
  risk_reasons: list(
    object({
      rule: described(text, `A rule of risk: ${riskRuleNames.join(', ')}.`),
      level: oneOf(risks),
      reason: described(text, 'What the rule has found, on one line.'),
    }),
    'The rules of risk that apply, the highest level first. The risk is the highest of their levels.',
  ),
  summary: texts,
  'flipped_tests?': object(
    {
      count: ordinal,
      unexpected: described(count, 'Of these, who do not get what their test expects.'),
    },
    'How many people of the tests of a flag get something else than before; its summary shows each.',
  ),
  'exposure?': object({
    before: decimal,
    after: decimal,
    direction: text,
    step: decimal,
  }),
  'alert?': described(
    text,
    'A widening that nobody may overlook, on one line: many more people at once, or everybody.',
  ),
  'audiences?': described(
    texts,
    'The audiences in whose properties the declared flag differs from the live one.',
  ),
  allowed: texts,
  depends_on: texts,
  'sensitive?': described(sensitive, 'What of its values its declaration hides.'),
  'hidden?': described(
    texts,
    'Fields, and source files as fields, in which `(sensitive DIGEST)` stands for values. The digest is salted: it shows only what is equal within one document.',
  ),
  'digests?': described(digests, 'On record: short digests of what is written to hidden fields.'),
  'source?': reference('source'),
})

const author = object(
  {
    'name?': text,
    'at?': time,
    'reason?': described(text, 'Why, if they gave a reason.'),
  },
  'Who changed it in the product, if the activity trail or a record shows it.',
)

const field = object({
  field: described(text, 'Its name; `exists` where the object itself was deleted or made.'),
  treatment: oneOf(
    ['held', 'merged', 'reverted', 'conflict', 'behind'],
    'held: it stays as it is in the product, and is not sent. merged: both changes are sent. reverted: what is declared is sent. conflict: both sides changed it, and it is not sent. behind: another commit declared what is live, and it is not sent.',
  ),
  'evidence?': oneOf(
    ['base', 'trail', 'run', 'off'],
    'What proves it. base: what was declared when it last converged. trail: the activity trail. run: a run on record. off: it is off, and would be turned on.',
  ),
  'on_both_sides?': described(yes, 'Of one that is reverted: the repository has changed it as well.'),
  summary: described(texts, 'What it was changed to, in words.'),
  'author?': author,
  'set_by?': object(
    { command: oneOf(['undo', 'disable']), run: text },
    'Where a run on record proves it: which.',
  ),
  'held_since?': described(time, 'When the first run that held it ended.'),
  'overdue?': oneOf(
    ['error', 'warning'],
    'Where it is held longer than the policy longest_hold allows: the level of that.',
  ),
  'commit?': described(text, 'If it is behind: the commit that declared what is live.'),
})

/** The changes to one declared object in the product. */
export const liveEditSchema = object({
  address: text,
  kind: oneOf(declarableKinds.map(({ name }) => name)),
  fields: list(field),
  remedies: described(texts, 'What to do about it: a command or an edit on each line.'),
  'source?': reference('source'),
})

/** The schema of a plan document. Members that it does not name are allowed. */
export function planSchema(): JsonObject {
  return object(
    {
      format_version: described(text, 'Always "1.0"; any other is refused.'),
      digest: described(text, 'sha256 of the canonical text of everything else.'),
      'environment?': text,
      'created_at?': described(time, 'When the plan was made.'),
      'commit?': described(text, 'The commit that the declarations were read at.'),
      'dirty?': described(truth, 'Whether the folder held anything else than that commit.'),
      target: object({ ...targetMembers, 'known?': profileProofSchema }),
      'requests?': described(count, 'How many requests the plan cost, repeats included.'),
      'base?': described(
        text,
        'What live edits were measured from, if `--base` was given: `none`, or a commit.',
      ),
      'measured_from?': object(
        {
          run: text,
          at: described(time, 'When it ended.'),
          'commit?': text,
          'dirty?': truth,
          'earlier?': described(ordinal, 'How many objects were as declared in an earlier run last.'),
        },
        'The newest run on record that live edits were measured from; without `base` only.',
      ),
      'notes?': described(texts, 'What stood in the way of that, and of telling who changed what.'),
      'allowed?': described(texts, 'Rules about a plan as a whole that its apply may break: `older_commit`.'),
      changes: list(reference('change')),
      blocked: list(reference('blocked')),
      drift: list(reference('drift')),
      'sides?': object(
        {
          edited: addressesOf('changed in the product since they were last as declared'),
          differing: addressesOf('not as declared, and it is unknown which side has changed'),
          undeclared: addressesOf('with the ownership tag, and declared nowhere'),
          unapplied: addressesOf('changed by the repository, and by no apply yet'),
          behind: addressesOf('live as another commit declares them'),
        },
        'Of `drift` alone: which objects differ by whose doing. The first three are drift.',
      ),
      'reviewed?': object(
        {
          as_reviewed: described(truth, 'Whether every change is in the reviewed plan as well.'),
          'reason?': described(text, 'Why the two could not be compared.'),
          'added?': addressesOf('changed here alone'),
          'changed?': addressesOf('changed otherwise there, or that have changed in between'),
          'gone?': addressesOf('changed there alone'),
        },
        'Of `plan --reviewed` alone: how the plan compares with that one.',
      ),
      'warnings?': list(
        faultSchema,
        'Of what `plan` prints alone: warnings of `validate` about the declarations of objects in this plan.',
      ),
      live_edits: list(
        reference('live_edit'),
        'What was changed in the product of declared objects, and what becomes of it.',
      ),
      'owners?': mapOf(texts, 'The owners of objects in the document, by address.'),
      'ownership_tag?': described(
        text,
        'The ownership tag of the repository. Words of a change other than a claim do not say that it adds this tag.',
      ),
      'group_types?': mapOf(
        integer,
        'The numbers of types of groups, by the names that the words of changes call them.',
      ),
      summary: object(
        { 'unchanged?': count, 'already_absent?': count, 'tagged_undeclared?': count },
        { additionalProperties: { type: ['integer', 'string'] } },
      ),
      'inventory?': described(
        anyObject,
        'By kind: rows seen, the count that the service gave, and whether they agree.',
      ),
      'declared?': declaredSchema,
      'after?': described(texts, 'In a file: the newest runs on record that it was made with.'),
      'redacted?': object(
        {
          parts: list(oneOf(redactedPartNames())),
          'salt?': described(text, 'In a file: what its digests were made with.'),
          'options?': object(
            { 'target?': texts, 'owner?': texts, 'allow?': texts, 'base?': text, 'prune?': text },
            {
              additionalProperties: false,
              description:
                'In a file: the options of the plan, which an apply makes again to have its values.',
            },
          ),
        },
        'Of a plan that hides values: which parts of all objects.',
      ),
      'not_targeted?': described(
        texts,
        'Addresses that are declared and were left out by --target or --owner.',
      ),
    },
    {
      ...headOf('plan', 'What an apply will do and what it will not, for one target.'),
      $defs: { ...changeSchemas(), blocked, drift, live_edit: liveEditSchema },
    },
  )
}

/** The options of a plan or a run. */
const declaredSchema = mapOf(
  object({
    'ensure?': { const: 'absent' },
    'fields?': digests,
    'files?': digests,
    'id?': described(text, 'The id by which the object was found.'),
    'ignore?': described(texts, 'Paths that are left to the service, and are in no digest.'),
  }),
  'By address: a short digest of each declared field and file, or that it is to be absent.',
)

const targetMembers = {
  base_url: text,
  'project_id?': text,
  'organization_id?': text,
  profile: described(text, 'The service that it is taken for.'),
}

/** How the service of a plan is known. */
export const profileProofSchema = oneOf(
  profileProofs,
  'set: a setting has it. recognized: the answers show it. assumed: the answers fit several, and this is the earliest.',
)

/** The target of a plan or a run. */
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
