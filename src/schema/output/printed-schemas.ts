import type { JsonObject } from '../../model/json/json.ts'
import { object } from '../json-schema.ts'
import { documentSchema, text } from './document.ts'
import { doctorSchema, evaluationSchema, testsDocumentSchema, validationSchema } from './printed-checks.ts'
import { editSchema, referencesSchema, staleSchema } from './printed-edits.ts'
import {
  callSchema,
  comparisonSchema,
  exportSchema,
  initSchema,
  installationSchema,
  operationsSchema,
  quirksSchema,
  sandboxSchema,
} from './printed-others.ts'

/** The schemas of `--json` output that no command reads back, by name. */
export function printedSchemas(): Readonly<Record<string, JsonObject>> {
  return {
    validation: validationSchema(),
    doctor: doctorSchema(),
    comparison: comparisonSchema(),
    sandbox: sandboxSchema(),
    evaluation: evaluationSchema(),
    tests: testsDocumentSchema(),
    call: callSchema(),
    operations: operationsSchema(),
    export: exportSchema(),
    edit: editSchema(),
    references: referencesSchema(),
    'stale-flags': staleSchema(),
    quirks: quirksSchema(),
    unlock: unlockSchema(),
    installation: installationSchema(),
    init: initSchema(),
  }
}

/** The schema of what `vexil unlock --json` prints. */
function unlockSchema(): JsonObject {
  return documentSchema(
    'unlock',
    { title: 'Vexil unlock', description: 'What became of a lock.' },
    { removed: removedLock },
  )
}

const removedLock: JsonObject = {
  ...object({
    lock: text,
    'owner?': { ...text, description: 'Whose it was; absent where it is not known.' },
  }),
  type: ['object', 'null'],
  description: 'The lock that was removed. null: none was held.',
}
