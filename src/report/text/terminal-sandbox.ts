import { escapeText } from '../../model/text/escape-text.ts'
import { shellWord } from '../../model/text/shell-word.ts'
import type { SandboxDocument } from '../document.ts'

/** Where a stand-in listens, with what a shell needs to use it. */
export function sandboxText(document: SandboxDocument): string {
  const { url, profile, apiKey, organization, project, projectToken, projects, roles } = document
  const lines = [
    `listening on ${url}`,
    '',
    `export VEXIL_BASE_URL=${url}`,
    `export VEXIL_API_KEY=${shellWord(apiKey)}`,
    `export VEXIL_ORGANIZATION_ID=${organization}`,
    `export VEXIL_PROJECT_ID=${project}`,
    ...(profile === 'documented' ? [] : [`export VEXIL_PROFILE=${profile}`]),
    '',
    `projects: ${projects.join(', ')}`,
    `token of project ${project}, for SDKs: ${projectToken}`,
    ...roles.map(({ id, name }) => `role ${escapeText(name)}: ${id}`),
    '',
  ]
  return lines.join('\n')
}
