import type { JsonObject } from '../../../model/json/json.ts'
import { documentHead, documentSchema } from '../document-head.ts'
import { text } from '../text-schema.ts'

/** The schema of what `vexil unlock --json` prints. */
export function unlockSchema(): JsonObject {
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
