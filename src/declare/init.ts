import { declarationSchemaId } from '../derive/declaration-schema.ts'
import { settingsSchemaId } from '../derive/settings-schema.ts'
import type { TextFile } from './export.ts'

export interface StarterOptions {
  readonly baseUrl?: string
  readonly project?: string
  readonly organization?: string
}

/** A line that the ignore file of a repository should have: what commands leave behind there is for one machine. */
export const ignoredByGit = '.vexil/'

/** The files that a new repository of declarations starts with. */
export function starterFiles(options: StarterOptions = {}): TextFile[] {
  return [
    { path: 'vexil.yaml', text: settingsText(options) },
    { path: 'flags/example.yaml', text: exampleText },
    { path: '.gitignore', text: `${ignoredByGit}\n` },
  ]
}

function settingsText({ baseUrl, project, organization }: StarterOptions): string {
  return `# yaml-language-server: $schema=${settingsSchemaId}
version: 1

environments:
  production:
    base_url: ${yamlText(baseUrl ?? 'https://flags.example.com')}
    project: ${yamlText(project ?? '1')}
    organization: ${yamlText(organization ?? '01900000-0000-0000-0000-000000000001')}
    # The key is never written down here: set VEXIL_API_KEY, or name another variable with api_key_env.

# Names for roles, so that declarations can say "support" instead of a UUID.
roles: {}

# What nobody declares is left alone. "owned" deletes what carries the tag and is declared no more.
ownership:
  tag: managed-by-vexil
  prune: never

# The most that one plan may prune, and the largest widening of a condition in percentage points.
limits:
  delete: 5
  rollout_step: 25
`
}

const exampleText = `# yaml-language-server: $schema=${declarationSchemaId}
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

/** JSON text is YAML text, whatever is in it. */
function yamlText(text: string): string {
  return JSON.stringify(text)
}
