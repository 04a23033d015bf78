import { blocksOf, scriptOf } from './blocks.ts'
import { pages } from './pages.ts'

const sandbox = 'vexil sandbox --port 8100 --api-key example-key &'
const key = 'export VEXIL_API_KEY=example-key'
const gitops = ['cp -r node_modules/vexil/examples/gitops shop && cd shop', sandbox, key]
const ownRepository = ['vexil init own && cd own']

/** What the reader of a page has before its first command, for every page with commands. */
export const arrangements: Readonly<Record<string, readonly string[]>> = {
  'CONTRIBUTING.md': [],
  'README.md': [],
  'docs/cdktf.md': [],
  'docs/ci.md': gitops,
  'docs/commands.md': gitops,
  'docs/getting-started.md': [],
  'docs/keys.md': gitops,
  'docs/local-development.md': [],
  'docs/policies.md': [],
  'docs/reports.md': gitops,
  'docs/library.md': ['cp -r node_modules/vexil/examples/gitops flags', sandbox, key],
  'docs/terraform.md': [],
  'docs/testing.md': [],
  'docs/troubleshooting.md': ownRepository,
  'examples/cdktf/README.md': ['cp -r node_modules/vexil/examples/cdktf/. .'],
  'examples/gitops/README.md': [],
  'examples/terraform/README.md': [],
}

/** What comes before the commands of Terraform. */
const beforeTerraform: Readonly<Record<string, readonly string[]>> = {
  'docs/cdktf.md': ['kill %1; wait %1 || true', sandbox],
}

export const commandPages = pages.filter(page => blocksOf(page).some(({ language }) => language === 'sh'))

export const terraformPages = commandPages.filter(page =>
  blocksOf(page).some(({ marker }) => marker === 'needs terraform'),
)

/** Everything that a reader of a page types, and what was there before. */
export function readingOf(path: string, tools: readonly string[] = []): string {
  const page = pages.find(each => each.path === path)
  if (!page) throw new Error(`there is no page "${path}"`)
  const between = tools.length === 0 ? [] : (beforeTerraform[path] ?? [])
  const text = page.text.replace('<!-- needs terraform -->', `${typed(between)}$&`)
  return scriptOf({ path, text: `${typed(arrangements[path] ?? [])}${text}` }, tools)
}

function typed(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\`\`\`sh\n${lines.join('\n')}\n\`\`\`\n\n`
}
