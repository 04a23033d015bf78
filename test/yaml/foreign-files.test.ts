import { describe, expect, it } from 'vitest'
import { problemLine } from '../../src/report/line-text.ts'
import { readDeclared } from '../../src/yaml/index.ts'
import { type Files, folderOfTest } from '../support/folder.ts'

const flag = 'feature_flags: { a: { active: true, filters: {} } }\n'
const settled = { 'vexil.yaml': 'version: 1\n', 'flags.yaml': flag }
const compose = 'services:\n  web: { image: nginx }\nvolumes: {}\ninclude: [other.yml]\n'

async function check(files: Files) {
  const directory = await folderOfTest(files)
  const { problems, files: read } = await readDeclared({ directory, env: {} })
  return { directory, lines: problems.map(problemLine), read }
}

const leaveOut = (file: string) =>
  `exclude the file with files: ["!${file}"] in vexil.yaml, or list only the files of declarations there`

describe('a file of another tool beside vexil.yaml', () => {
  it.each<[string, string, string]>([
    ['docker-compose.yml', compose, 'Docker Compose'],
    ['infra/compose.prod.yaml', 'services: {}\n', 'Docker Compose'],
    ['ci.yml', 'name: ci\non: push\njobs: {}\n', 'GitHub Actions'],
    ['deploy/app.yaml', 'apiVersion: v1\nkind: Pod\n', 'Kubernetes'],
    ['deploy/two.yaml', 'apiVersion: v1\nkind: Pod\n---\napiVersion: v1\nkind: Service\n', 'Kubernetes'],
    ['stack.yaml', 'Resources:\n  a: !Ref b\n  c: !Sub d\n', 'CloudFormation'],
    ['mkdocs.yml', 'site_name: x\nplugins: [search]\nnav: []\n', 'MkDocs'],
    ['pnpm-lock.yaml', 'lockfileVersion: 9\n', 'pnpm'],
    ['api.yaml', 'openapi: 3.1.0\npaths: {}\n', 'OpenAPI'],
    ['atlantis.yaml', 'version: 3\nprojects: []\n', 'Atlantis'],
    ['repos.yaml', 'repos: []\nworkflows: {}\n', 'Atlantis'],
  ])('is left alone with a warning: %s', async (file, text, tool) => {
    const { lines, read } = await check({ ...settled, [file]: text })
    expect({ lines, read }).toEqual({
      lines: [`${file}:1:1 warning: file skipped: it looks like a file of ${tool}; ${leaveOut(file)}`],
      read: ['vexil.yaml', 'flags.yaml'],
    })
  })

  const remedy = `write the declarations under feature_flags, feature_flag_role_access, plugins or event_definitions, or ${leaveOut('other.yaml')}`

  it.each<[string, string]>([
    ['a: 1\nb: 2\nc: 3\nd: 4\ne: 5\n', 'unknown sections: "a", "b", "c" and 2 more'],
    ['checkout: { active: true }\n', 'unknown sections: "checkout"'],
    ['- hosts: all\n  tasks: []\n', 'its content is a list'],
    ['just words\n', 'its content is a single value'],
  ])('is one error where nobody knows it: %j', async (text, words) => {
    const { lines } = await check({ ...settled, 'other.yaml': text })
    expect(lines).toEqual([`other.yaml:1:1 this file has no declarations: ${words}; ${remedy}`])
  })

  it('is one error where it cannot be read', async () => {
    const { lines } = await check({ ...settled, 'other.yaml': 'a: 1\na: 2\nb: 1\nb: 2\n' })
    expect(lines).toEqual([
      'other.yaml:2:1 the key "a" is used twice; the first one is on line 1; remove one of them',
    ])
  })

  it('is not looked for where the settings name the files', async () => {
    const settings = 'version: 1\nfiles: [flags.yaml]\n'
    const files = {
      'vexil.yaml': settings,
      'flags.yaml': flag,
      'docker-compose.yml': compose,
      'x.yaml': 'a: 1',
    }
    expect((await check(files)).lines).toEqual([])
  })

  it.each<[string, string]>([
    ['other.yaml', 'other.yaml'],
    ['infra/a[1] (b).yaml', 'infra/a\\\\[1\\\\] \\\\(b\\\\).yaml'],
  ])('is left out by the pattern that is proposed, and no other file is: %s', async (file, pattern) => {
    const files = { ...settled, [file]: 'a: 1\n', 'next.yaml': 'b: 1\n', '.gitlab-ci.yml': 'c: 1\n' }
    const [first, second] = (await check(files)).lines.sort()
    expect([first, second].join('\n')).toContain(`exclude the file with files: ["!${pattern}"]`)
    const { lines, read } = await check({ ...files, 'vexil.yaml': `version: 1\nfiles: ["!${pattern}"]\n` })
    expect(lines).toEqual([expect.stringMatching(/^next\.yaml:1:1 this file has no declarations/)])
    expect(read).toEqual(['vexil.yaml', 'flags.yaml'])
  })

  it('is left out of what the settings name', async () => {
    const { lines, read } = await check({
      'vexil.yaml': 'version: 1\nfiles: ["!old/**", "*.yaml", "nothing/*.yaml", "old/*.yaml"]\n',
      'flags.yaml': flag,
      'old/flags.yaml': 'a: 1\n',
    })
    expect(lines).toEqual([
      'vexil.yaml:2:30 "nothing/*.yaml" does not match any file; correct or remove the pattern',
      'vexil.yaml:2:48 "old/*.yaml" does not match any file; correct or remove the pattern',
    ])
    expect(read).toEqual(['vexil.yaml', 'flags.yaml'])
  })

  it('is an error where it was named', async () => {
    const { lines } = await check({
      'vexil.yaml': 'version: 1\nfiles: ["*.yaml"]\n',
      'flags.yaml': `${flag}include: [docker-compose.yml]\n`,
      'docker-compose.yml': 'services: {}\nvolumes: {}\n',
    })
    expect(lines).toEqual([
      expect.stringMatching(/^docker-compose\.yml:1:1 "services" is not a section; /),
      expect.stringMatching(/^docker-compose\.yml:2:1 "volumes" is not a section; /),
    ])
  })
})

describe('a file of declarations', () => {
  it.each<[string, string]>([
    ['feature_flgs: {}\n', '"feature_flgs" is not a section; did you mean "feature_flags"?'],
    ['flag: {}\nservices: {}\n', '"flag" is not a section; did you mean "feature_flags"?'],
    ['plugns: {}\n', '"plugns" is not a section; did you mean "plugins"?'],
    ['roles: {}\n', '"roles" is not a section; write "roles" in vexil.yaml'],
  ])('with a misspelt section stays an error: %j', async (text, line) => {
    expect((await check({ ...settled, 'more.yaml': text })).lines).toContain(`more.yaml:1:1 ${line}`)
  })

  it('is one whatever it is called and whatever else is in it', async () => {
    const { lines } = await check({
      'vexil.yaml': 'version: 1\n',
      'docker-compose.yml': `services: {}\nvolumes: {}\n${flag}`,
    })
    expect(lines.map(line => line.split(';')[0])).toEqual([
      'docker-compose.yml:1:1 "services" is not a section',
      'docker-compose.yml:2:1 "volumes" is not a section',
    ])
  })
})

describe('a folder without vexil.yaml', () => {
  const others = {
    'docker-compose.yml': compose,
    'x.yaml': 'a: 1\n',
    'list.yml': '- a\n',
    'bad.yaml': 'a: [\n',
  }

  it('is said to be one, whatever other files are in it', async () => {
    const { directory, lines, read } = await check(others)
    expect({ lines, read }).toEqual({
      lines: [
        `there is no vexil.yaml in "${directory}"; run \`vexil init\` to begin here, or name another folder with -C`,
      ],
      read: [],
    })
  })

  it('is said to be one before the problems that are in its declarations', async () => {
    const { lines } = await check({ ...others, 'flags.yaml': `${flag}feature_flgs: {}\n` })
    expect(lines).toEqual([
      expect.stringMatching(/^warning: there is no vexil\.yaml in /),
      'flags.yaml:2:1 "feature_flgs" is not a section; did you mean "feature_flags"?',
    ])
  })

  it('may hold declarations all the same', async () => {
    const { lines, read } = await check({ ...others, 'flags.yaml': flag })
    expect({ lines, read }).toEqual({ lines: [], read: ['flags.yaml'] })
  })

  it('names the folders below that have one, and leaves them to themselves', async () => {
    const below = { 'teams/a/vexil.yaml': 'version: 1\n', 'teams/a/flags.yaml': 'feature_flgs: {}\n' }
    const { directory, lines, read } = await check(below)
    expect({ lines, read }).toEqual({
      lines: [
        `there is no vexil.yaml in "${directory}"; there is a vexil.yaml in "teams/a"; name that folder with -C, or run \`vexil init\` to begin here`,
      ],
      read: [],
    })
    expect((await check({ ...below, 'flags.yaml': flag })).lines).toEqual([])
  })
})
