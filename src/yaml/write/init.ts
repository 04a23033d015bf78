import { publishedSchemas } from '../../schema/schemas.ts'
import type { TextFile } from './declaration-of.ts'

/** The path of the schema of declarations from the top of a repository: `vexil init` writes it there. */
export const declarationSchemaPath = 'schemas/declarations.schema.json'

export interface StarterOptions {
  /** The name of its first environment. */
  readonly environment?: string
  readonly baseUrl?: string
  readonly project?: string
  readonly organization?: string
}

/** A line for the ignore file of a repository: results of commands there are for one machine. */
export const ignoredByGit = '.vexil/'

export interface StarterFile extends TextFile {
  /** Computed, and written again when this version produces another text; the others belong to people. */
  readonly isComputed?: true
}

/**
 * The files of a new repository of declarations. The schemas are included, so that an editor finds them by a
 * path that works for everybody who clones it, without a network, and in the version that is in use.
 */
export function starterFiles(options: StarterOptions = {}): StarterFile[] {
  return [
    { path: 'vexil.yaml', text: settingsText(options) },
    { path: examplePath, text: exampleText },
    ...schemaNames.map(name => schemaFile(name)),
    { path: '.gitignore', text: `${ignoredByGit}\n` },
  ]
}

/** The first flag of a repository that starts without flags. */
export const examplePath = 'flags/example.yaml'

const schemaNames = ['declarations.schema.json', 'settings.schema.json'] as const

function schemaFile(name: (typeof schemaNames)[number]): StarterFile {
  const text = `${JSON.stringify(publishedSchemas()[name], null, 2)}\n`
  return { path: `schemas/${name}`, text, isComputed: true }
}

function settingsText({
  environment = 'production',
  baseUrl,
  project,
  organization,
}: StarterOptions): string {
  return `# yaml-language-server: $schema=schemas/settings.schema.json
version: 1

environments:
  ${environment}:
    base_url: ${yamlText(baseUrl ?? 'https://flags.example.com')}
    project: ${yamlText(project ?? '1')}
    organization: ${yamlText(organization ?? '01900000-0000-0000-0000-000000000001')}
    # The key is never written down here: set VEXIL_API_KEY, or name another variable with api_key_env.

# Names for roles, so that declarations can say "support" instead of a UUID.
roles: {}

# What nobody declares is left alone. "owned" deletes what carries the tag and is declared no more. Give each repository a
# tag of its own: with a shared one, "owned" deletes what another repository declares.
ownership:
  tag: managed-by-vexil
  prune: never

# The most that one plan may prune, and the largest widening of a condition in percentage points.
limits:
  delete: 5
  rollout_step: 25

# Rules that block nothing here: [trail_unreadable] for a key that may not read the activity trail, say.
allow: []

# What your team asks of all that is declared, and of plans: take away the "#". "vexil schema --markdown" lists them all.
# policies:
#   owner: error                                            # each flag says who owns it
#   expiry: warn                                            # and until when it is wanted, or that it is permanent
#   name_pattern: { feature_flags: "^[a-z][a-z0-9_]*$" }
#   no_personal_email: error
#   two_person: { above: 50, tag: "reviewed-by:*" }
#   protected_keys: ["kill_*"]                              # changed only with --allow

# What becomes of fields that people change in the product: "hold" leaves them as they are there, "revert" sets them back.
live_edits: { default: revert, active: hold, archived: hold, filters: hold, exists: hold }
`
}

const exampleText = `# yaml-language-server: $schema=../${declarationSchemaPath}
feature_flags:
  example_flag:
    name: Shows how a flag is declared
    active: false
    filters:
      groups:
        - properties:
            - key: email
              type: person
              operator: icontains
              value: "@example.com"
          rollout_percentage: 100
`

/** JSON text is YAML text, whatever its content. */
function yamlText(text: string): string {
  return JSON.stringify(text)
}
