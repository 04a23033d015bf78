import type { JsonObject } from '../../model/json/json.ts'
import { type Members, object } from '../shape.ts'
import { documentSchema, headOf, source } from './document.ts'
import { doctor, evaluation, tests, validation } from './printed-checks.ts'
import { edit, references, staleFlags } from './printed-edits.ts'
import {
  call,
  comparison,
  exported,
  init,
  installation,
  operations,
  quirks,
  sandbox,
  unlock,
} from './printed-others.ts'

const documents: Readonly<Record<string, readonly [description: string, Members, more?: JsonObject]>> = {
  validation: ['The problems of every file.', validation],
  doctor: ['What each check of the surroundings came to.', doctor],
  comparison: ['Environments side by side.', comparison],
  evaluation: ['What somebody gets of the declared flags.', evaluation],
  tests: ['Whether people get what tests say of the declared flags.', tests],
  call: ['What the service answered to one operation.', call],
  operations: ['What can be called: `vexil call` without a name.', operations],
  export: ['Live objects with all that a declaration could say of them.', exported],
  edit: ['What was changed in files of declarations.', edit, { $defs: { source } }],
  references: ['Where code names the declared flags.', references],
  'stale-flags': ['Declared flags that have outlived their use.', staleFlags],
  quirks: ['Every behaviour that a sandbox can have.', quirks],
  unlock: ['What became of a lock.', unlock],
  installation: ["Where Terraform's provider was put.", installation],
  init: ['What a repository was started with.', init],
}

/** The schemas of `--json` output that no command reads back, by name. */
export function printedSchemas(): Readonly<Record<string, JsonObject>> {
  const rows = Object.entries(documents).map(([name, row]) => [name, documentSchema(name, ...row)])
  return {
    ...Object.fromEntries(rows),
    sandbox: object(sandbox, headOf('sandbox', 'Where a stand-in listens and what opens it.')),
  }
}
