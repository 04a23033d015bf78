import { holdKinds, retireSteps, stepStates } from '../../model/removal.ts'
import {
  count,
  decimal,
  described,
  flagValue,
  integer,
  list,
  nullable,
  object,
  oneOf,
  ordinal,
  text,
  textOrNull,
  texts,
  time,
  timeOrNull,
  truth,
  yes,
} from '../shape.ts'
import { faultSchema, source } from './document.ts'
import { liveEditSchema } from './plan-schema.ts'

const editedObject = object({
  address: text,
  environment: described(textOrNull, 'null: the repository has none.'),
  written: oneOf(
    ['environment', 'shared', 'nothing', 'removed'],
    'Where it is declared now: for the environment, or for all; nothing: it was declared already; removed: it is not declared any more.',
  ),
})

const ramped = {
  address: text,
  environment: textOrNull,
  condition: described(text, 'Its name, or its number, from 1.'),
  before: decimal,
  after: decimal,
  to: decimal,
  steps_left: described(count, 'How many more steps the limits ask for.'),
}

const rampedCondition = object(ramped, 'The step of a rollout, in percent: of `ramp`.')

const environment = textOrNull

const standing = object({
  environment,
  declared: oneOf(['on', 'off', 'absent']),
  value: described(nullable(flagValue), 'What everybody gets; null: not the same, or not known.'),
  off_since: timeOrNull,
})

const hold = object({
  kind: oneOf(holdKinds),
  environment: described(environment, 'null: in all of them.'),
  'source?': source,
  what: text,
  remedy: text,
  allowed: described(truth, 'Whether somebody has allowed to go on all the same.'),
  now: described(truth, 'Whether it holds the next step.'),
})

/** The output of `vexil retire --json` beside the files. */
const retirement = object(
  {
    address: text,
    step: oneOf(retireSteps, 'The next one.'),
    steps: list(object({ step: oneOf(retireSteps), state: oneOf(stepStates) })),
    environments: list(standing),
    holds: list(hold),
    unchecked: list(object({ environment, what: text, reason: text }), 'What nobody could look for.'),
  },
  'Of `retire`: how far the removal of the flag is.',
)

const reason = object({
  reason: oneOf(
    ['everyone', 'nobody', 'gone', 'expired', 'uncalled', 'unreferenced'],
    'everyone: all people get one value. nobody: no one gets anything. gone: declared absent, and it is. expired: past `expires`. uncalled: nobody asked for it. unreferenced: no code names it.',
  ),
  'value?': described(flagValue, 'What everyone gets: true, or the key of a variant.'),
  'since?': object({
    at: time,
    days: described(integer, 'Whole days up to now.'),
    at_least: described(truth, 'Whether it may have been so before.'),
    from: oneOf(
      ['commit', 'run', 'trail', 'service', 'declaration'],
      'What shows it; `name` is that of the commit or of the run.',
    ),
    'name?': text,
  }),
})

const live = object(
  {
    there: truth,
    value: described(nullable(flagValue), 'What everyone gets; null where people may get different values.'),
    differs: described(truth, 'Whether it is live otherwise than it is declared.'),
    last_called_at: described(
      timeOrNull,
      'When somebody asked for it last; null if the service does not report it.',
    ),
  },
  'With --activity: the live flag.',
)

const reasons = list(reason)

const flag = object({
  key: text,
  address: text,
  owners: texts,
  source,
  stale: oneOf(
    ['everywhere', 'partly'],
    'Whether there is a reason in each environment in which it is declared.',
  ),
  reasons: described(reasons, 'Those that hold in every environment.'),
  environments: list(
    object({
      environment: described(textOrNull, 'null: the repository has none.'),
      declared: oneOf(['present', 'absent']),
      reasons,
      'live?': live,
    }),
  ),
  next: described(textOrNull, 'What to do next; null of a flag that is stale partly.'),
})

/** Commands that change declarations. */
export const edit = {
  dry_run: described(truth, 'Whether nothing was written.'),
  files: list(
    object({
      path: text,
      diff: described(text, 'As `diff -u` writes it; where something is hidden, each line is `(sensitive)`.'),
      'removed?': described(yes, 'The file goes, since nothing is left in it.'),
    }),
  ),
  objects: list(editedObject),
  'ramp?': rampedCondition,
  'retire?': retirement,
  'live_edits?': list(liveEditSchema, 'Of `pull`: what was changed in the product and is declared so now.'),
  'left_out?': list(object({ address: text, reason: text }), 'Of `pull`: what no edit of a file can say.'),
  notes: texts,
  errors: list(faultSchema),
}

/** `vexil retire` without a flag. */
export const staleFlags = {
  days: described(ordinal, 'From so many days on a flag is stale.'),
  environments: list(textOrNull, 'Those that were looked at.'),
  flags: list(flag),
  looked_at: described(integer, 'How many flags were looked at.'),
  permanent: described(integer, 'How many flags were left out since they are here to stay.'),
  searched: described(nullable(integer), 'How many files of code were searched, with --in.'),
  notes: described(texts, 'What is not known, and why.'),
  errors: list(faultSchema),
}

const place = {
  path: described(text, 'As seen from where the command runs.'),
  line: ordinal,
  column: described(ordinal, 'In UTF-16 code units.'),
}

const codeReference = object({
  ...place,
  kind: oneOf(
    ['call', 'typed', 'string'],
    'A call of an SDK with the key; a name that `vexil keys` made; a text of its own that is the key.',
  ),
  'call?': described(text, 'What is called, as in isFeatureEnabled.'),
})

const namedFlag = object({
  key: text,
  declared: oneOf(['present', 'absent']),
  references: list(codeReference),
})

const undeclared = object({
  key: text,
  ...place,
  call: text,
  declared: oneOf(['absent', 'nowhere']),
  meant: described(textOrNull, 'The declared key that was most likely meant.'),
})

/** `vexil refs`. */
export const references = {
  flags: list(namedFlag, 'With --unused, those without a reference; with --undeclared alone, none.'),
  undeclared: list(undeclared, 'With --undeclared: calls for a key that is declared nowhere, or absent.'),
  searched: described(integer, 'How many files were searched.'),
  unsearched: list(object({ path: text, why: oneOf(['binary', 'too_large', 'link', 'unreadable']) })),
  notes: texts,
  errors: list(faultSchema),
}
