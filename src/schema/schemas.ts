import { kinds } from '../kinds/index.ts'
import type { JsonObject } from '../model/json/json.ts'
import type { Kind } from '../model/kind.ts'
import { editorSchema, frameSchema } from './input/declaration-schema.ts'
import { settingsSchema } from './input/settings-schema.ts'
import { worldSchema } from './input/world-schema.ts'
import { bodySchema, recordSchema } from './json-schema.ts'
import { failureSchema } from './output/document.ts'
import { planSchema } from './output/plan-schema.ts'
import { printedSchemas } from './output/printed-schemas.ts'
import { historySchema, journalSchema, logSchema, runSchema } from './output/run-schemas.ts'

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
