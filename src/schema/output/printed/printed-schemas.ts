import type { JsonObject } from '../../../model/json/json.ts'
import { documentHead, documentSchema } from '../document-head.ts'
import { text } from '../text-schema.ts'
import { callSchema, operationsSchema } from './call-schema.ts'
import { comparisonSchema } from './comparison-schema.ts'
import { doctorSchema } from './doctor-schema.ts'
import { editSchema } from './edit-schema.ts'
import { evaluationSchema } from './evaluation-schema.ts'
import { exportSchema } from './export-schema.ts'
import { referencesSchema } from './references-schema.ts'
import { quirksSchema, sandboxSchema } from './sandbox-schema.ts'
import { initSchema, installationSchema } from './setup-schemas.ts'
import { staleSchema } from './stale-schema.ts'
import { testsDocumentSchema } from './tests-schema.ts'
import { validationSchema } from './validation-schema.ts'

/** The schemas of what `--json` prints and nothing reads back, by name. */
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
  return documentSchema('unlock', {
    ...{ title: 'Vexil unlock', description: 'What became of a lock.' },
    required: ['format_version', 'exit_code', 'removed'],
    properties: { ...documentHead, removed: removedLock },
  })
}

const removedLock: JsonObject = {
  type: ['object', 'null'],
  description: 'The lock that was removed. null: none was held.',
  required: ['lock'],
  properties: {
    lock: text,
    owner: { ...text, description: 'Whose it was, in words; absent where it did not say.' },
  },
}
