/** YAML files of other tools, by their names or by the keys at their top: all keys of one of the lists. */
interface WellKnown {
  readonly tool: string
  readonly file?: RegExp
  readonly keys?: readonly (readonly string[])[]
}

/** The tool that a file is plainly of, if it is of one that many repositories have. */
export function toolOf(file: string, keys: readonly string[]): string | undefined {
  const name = file.slice(file.lastIndexOf('/') + 1)
  return wellKnown.find(
    known => known.file?.test(name) || known.keys?.some(needed => needed.every(key => keys.includes(key))),
  )?.tool
}

const wellKnown: readonly WellKnown[] = [
  {
    tool: 'Docker Compose',
    file: /^(docker-)?compose([.-].+)?\.ya?ml$/,
    keys: [
      ['services', 'volumes'],
      ['services', 'networks'],
      ['services', 'version'],
    ],
  },
  {
    tool: 'GitHub Actions',
    keys: [
      ['on', 'jobs'],
      ['runs', 'name'],
    ],
  },
  {
    tool: 'GitLab CI',
    keys: [
      ['stages', 'script'],
      ['stages', 'variables'],
    ],
  },
  { tool: 'Kubernetes', keys: [['apiVersion', 'kind']] },
  { tool: 'Helm', file: /^(Chart|values([.-].+)?)\.ya?ml$/ },
  { tool: 'pnpm', file: /^pnpm-(lock|workspace)\.yaml$/ },
  { tool: 'OpenAPI', keys: [['openapi'], ['swagger'], ['asyncapi']] },
  { tool: 'CloudFormation', keys: [['AWSTemplateFormatVersion'], ['Resources']] },
  { tool: 'Serverless', file: /^serverless\.ya?ml$/, keys: [['service', 'provider', 'functions']] },
  { tool: 'Azure Pipelines', file: /^azure-pipelines([.-].+)?\.ya?ml$/ },
  { tool: 'Bitbucket Pipelines', file: /^bitbucket-pipelines\.ya?ml$/ },
  { tool: 'Cloud Build', file: /^cloudbuild\.ya?ml$/ },
  { tool: 'MkDocs', file: /^mkdocs\.ya?ml$/, keys: [['site_name']] },
  { tool: 'Jekyll', file: /^_config\.ya?ml$/ },
  { tool: 'Task', file: /^Taskfile(\.dist)?\.ya?ml$/ },
  { tool: 'Atlantis', file: /^atlantis\.ya?ml$/, keys: [['repos', 'workflows']] },
  { tool: 'Buildkite', file: /^buildkite\.ya?ml$/ },
  { tool: 'CodeBuild', file: /^buildspec([.-].+)?\.ya?ml$/ },
  { tool: 'Lefthook', file: /^lefthook\.ya?ml$/ },
  { tool: 'Pulumi', file: /^Pulumi(\..+)?\.ya?ml$/ },
  { tool: 'Buf', file: /^buf(\.gen|\.work)?\.yaml$/ },
  { tool: 'Codecov', file: /^codecov\.ya?ml$/ },
  { tool: 'Prometheus', keys: [['scrape_configs']] },
  { tool: 'Conda', keys: [['channels', 'dependencies']] },
  { tool: 'Dart', file: /^pubspec\.(yaml|lock)$/ },
]
