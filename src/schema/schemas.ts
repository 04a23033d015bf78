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
  environmentList,
  environments,
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
import { historySchema, journalSchema, logSchema, notificationSchema, runSchema } from './run-schemas.ts'
import { settingsSchema } from './settings-schema.ts'
import { devSchema, worldSchema } from './world-schema.ts'

/** Every published schema, by its file name in schemas/. */
export function publishedSchemas(): Readonly<Record<string, JsonObject>> {
  const records = Object.values<Kind>(kinds).map(kind => [kind.name, recordSchema(kind)] as const)
  const printed = {
    errors: failureSchema(),
    log: logSchema(),
    history: historySchema(),
    notification: notificationSchema(),
    ...printedSchemas(),
  }
  const documents = { ...documentSchemas(), declarations: editorSchema(), ...printed }
  const all = [...records, ...Object.entries(documents)]
  return Object.fromEntries(all.map(([name, schema]) => [`${name}.schema.json`, schema]))
}

/** The schema of every request body, by the names of kind and endpoint: `feature_flag.create`. */
export function bodySchemas(): Readonly<Record<string, JsonObject>> {
  const rows = Object.values<Kind>(kinds).flatMap(kind =>
    Object.entries(kind.endpoints).flatMap(([name, endpoint]) => {
      const schema = bodySchema(kind, endpoint)
      return schema ? [[`${kind.name}.${name}`, schema] as const] : []
    }),
  )
  return Object.fromEntries(rows)
}

/** The schemas that check documents at run time, by the names of their validators. */
export function documentSchemas(): Readonly<Record<string, JsonObject>> {
  return {
    declarations: frameSchema(),
    settings: settingsSchema(),
    world: worldSchema(),
    dev: devSchema(),
    plan: planSchema(),
    run: runSchema(),
    journal: journalSchema(),
  }
}

const documents: Readonly<Record<string, readonly [description: string, Members, more?: JsonObject]>> = {
  validation: ['The problems in all files.', validation],
  doctor: ['The result of each check of the setup.', doctor],
  comparison: ['A comparison of environments.', comparison],
  evaluation: ['The value of the declared flags for a person.', evaluation],
  tests: ['The results of the tests of declared flags.', tests],
  call: ["The service's answer to one operation.", call],
  operations: ['The available operations: `vexil call` without a name.', operations],
  export: ['Live objects with everything that a declaration can express.', exported],
  edit: ['Changes to declaration files.', edit, { $defs: { source } }],
  references: ['References to the declared flags in code.', references],
  'stale-flags': ['Declared flags that are no longer needed.', staleFlags],
  quirks: ['Every behaviour that a sandbox supports.', quirks],
  environments: ['The results of a command for several environments.', environments],
  'environment-list': ['The environments of vexil.yaml.', environmentList],
  unlock: ['The result of removing a lock.', unlock],
  installation: ['Where the Terraform provider was installed.', installation],
  init: ['The files of a new repository.', init],
}

/** The schemas of `--json` output, by name. No command reads this output. */
function printedSchemas(): Readonly<Record<string, JsonObject>> {
  const rows = Object.entries(documents).map(([name, row]) => [name, documentSchema(name, ...row)])
  return {
    ...Object.fromEntries(rows),
    sandbox: object(sandbox, headOf('sandbox', 'The address and the credentials of a sandbox.')),
  }
}
