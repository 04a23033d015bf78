import { join } from 'node:path'
import type { Problem } from '../../src/model/problem.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/model/text/json.ts'
import { writeJson } from '../../src/model/text/json-text.ts'
import { policyRow } from '../../src/policies/policy-table.ts'
import { loadStack } from '../../src/stack/index.ts'
import { loadSettings, readDeclared } from '../../src/yaml/index.ts'
import { inFolder } from '../support/folder.ts'
import { type PolicyCase, roles, today } from './policy-cases.ts'

/** What a front end says of a declared object by one policy. */
export interface Said {
  readonly code: string
  readonly severity: Problem['severity']
  readonly message: string
  /** What to do about it. */
  readonly remedy: string | undefined
  /** Whether it is about a flag or about a grant. */
  readonly about: PolicyCase['section']
  /** The field at whose line it is; only files of YAML have a line for each. */
  readonly at?: string | undefined
}

/** Holds the policies of settings against one object. */
export type Hold = (
  policies: JsonObject,
  section: PolicyCase['section'],
  fields: JsonObject,
  files?: Readonly<Record<string, string>>,
) => Promise<readonly Said[]>

/** The lines of a file that declares an object, each with the field that it is about; the header has none. */
export function declaredIn(
  section: PolicyCase['section'],
  fields: JsonObject,
): readonly (readonly [field: string, line: string])[] {
  const { key = 'open', role_id: role, ...others } = fields
  const rows = Object.entries(others).map(
    ([name, value]) => [name, `    ${name}: ${writeJson(value)}`] as const,
  )
  return section === 'feature_flags'
    ? [['', 'feature_flags:'], ['key', `  ${key}:`], ...rows]
    : [
        ['', `${section}:`],
        ['role_id', `  - { flag: open, role: ${role} }`],
      ]
}

/** A setting of a policy in its long form, with a level of its own. */
export function withLevel(setting: Json, policy: PolicyCase['policy'], level: string): JsonObject {
  return { ...longForm(setting, policy), level }
}

/** A setting of a policy as a map of its options. */
export function longForm(setting: Json, policy: PolicyCase['policy']): JsonObject {
  if (isJsonObject(setting)) return setting
  return setting === 'error' ? {} : { [policyRow(policy).alone ?? '']: setting }
}

export const holdInYaml: Hold = (policies, section, fields, files) => {
  const lines = declaredIn(section, fields)
  const settings = { version: 1, roles, policies }
  return inFolder(
    {
      ...files,
      'vexil.yaml': writeJson(settings),
      'all.yaml': `${lines.map(([, line]) => line).join('\n')}\n`,
    },
    async directory => {
      const { problems } = await readDeclared({ directory, env: {}, today })
      return problems.map(problem => ({ ...said(problem), at: lines[(problem.source?.line ?? 0) - 1]?.[0] }))
    },
  )
}

export const holdInStack: Hold = (policies, section, fields, files) => {
  const { key = 'open', ...others } = section === 'feature_flags' ? fields : { active: false }
  const grant =
    section === 'feature_flags'
      ? {}
      : { [`vexil_${section}`]: { grant: { ...fields, feature_flag_id: `$\{vexil_feature_flag.open.id}` } } }
  const stack = {
    terraform: { required_providers: { vexil: { source: 'registry.terraform.io/vexil/vexil' } } },
    provider: { vexil: [{ project_id: '1' }] },
    resource: { vexil_feature_flag: { open: { key, ...inTerraform(others) } }, ...grant },
  }
  const repository = { ...files, 'vexil.yaml': writeJson({ version: 1, roles, policies }) }
  return inFolder({ ...repository, 'stacks/flags/cdk.tf.json': JSON.stringify(stack) }, async directory => {
    const { settings, settingsProblems } = await loadSettings({ directory, env: {} })
    const { problems } = await loadStack({
      folder: join(directory, 'stacks/flags'),
      directory,
      variables: new Map(),
      env: {},
      roles,
      policies: { policies: settings.shared.policies, today },
    })
    return [...settingsProblems, ...problems].map(said)
  })
}

/** What Terraform has as JSON it has as text. */
export function inTerraform(fields: JsonObject): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, name === 'filters' ? writeJson(value) : value]),
  )
}

function said({ code, severity, message, hint, address }: Problem): Said {
  const [place = ''] = /^vexil_\w+\.[\w-]+: /.exec(message) ?? []
  const about = /^(vexil_)?feature_flag_role_access\./.test(address ?? place)
    ? 'feature_flag_role_access'
    : 'feature_flags'
  return { code, severity, message: message.slice(place.length), remedy: hint, about }
}
