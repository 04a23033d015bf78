import { kinds } from '../kinds/index.ts'
import type { Kind } from '../model/kind.ts'
import type { JsonObject } from '../model/text/json.ts'
import { editorSchema, frameSchema } from './declaration-schema.ts'
import { bodySchema, type Members, object, recordSchema } from './json-schema.ts'
import { documentSchema, failureSchema, headOf, planSchema, source } from './plan-schema.ts'
import { doctor, evaluation, tests, validation } from './printed-checks.ts'
import {
  call,
  comparison,
  edit,
  exported,
  init,
  installation,
  operations,
  quirks,
  references,
  sandbox,
  staleFlags,
  unlock,
} from './printed-edits.ts'
import { historySchema, journalSchema, logSchema, runSchema } from './run-schemas.ts'
import { settingsSchema } from './settings-schema.ts'
import { worldSchema } from './world-schema.ts'

/** Every schema that is published under schemas/, by file name. */
export function publishedSchemas(): Readonly<Record<string, JsonObject>> {
  const records = Object.values<Kind>(kinds).map(kind => [kind.name, recordSchema(kind)] as const)
  const printed = { errors: failureSchema(), log: logSchema(), history: historySchema(), ...printedSchemas() }
  const documents = { ...documentSchemas(), declarations: editorSchema(), ...printed }
  const all = [...records, ...Object.entries(documents)]
  return Object.fromEntries(all.map(([name, schema]) => [`${name}.schema.json`, schema]))
}

/** The schema of every request body, by the kind's and the endpoint's name: `feature_flag.create`. */
export function bodySchemas(): Readonly<Record<string, JsonObject>> {
  const rows = Object.values<Kind>(kinds).flatMap(kind =>
    Object.entries(kind.endpoints).flatMap(([name, endpoint]) => {
      const schema = bodySchema(kind, endpoint)
      return schema ? [[`${kind.name}.${name}`, schema] as const] : []
    }),
  )
  return Object.fromEntries(rows)
}

/** The schemas that check documents at run time, by the name of their validator. */
export function documentSchemas(): Readonly<Record<string, JsonObject>> {
  return {
    declarations: frameSchema(),
    settings: settingsSchema(),
    world: worldSchema(),
    plan: planSchema(),
    run: runSchema(),
    journal: journalSchema(),
  }
}

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
function printedSchemas(): Readonly<Record<string, JsonObject>> {
  const rows = Object.entries(documents).map(([name, row]) => [name, documentSchema(name, ...row)])
  return {
    ...Object.fromEntries(rows),
    sandbox: object(sandbox, headOf('sandbox', 'Where a stand-in listens and what opens it.')),
  }
}
