import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { packageRoot } from '../../support/built.ts'
import { folderOfTest } from '../../support/folder.ts'
import { credentialWith, gitVariables } from '../git-credential.ts'
import { readReconcile } from '../reconcile-words.ts'

/** `examples/compose/compose.yaml`, with the schema of the Compose specification and without Docker. */

const text = await readFile(join(packageRoot, 'examples/compose/compose.yaml'), 'utf8')
const file = parse(text)
const { postgres, reconcile } = file.services

// dclint brings the schema of the specification, and exports only its program.
const dclint = dirname(createRequire(import.meta.url).resolve('dclint/package.json'))
const schema = JSON.parse(await readFile(join(dclint, 'schemas/compose.schema.json'), 'utf8'))
const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false, validateSchema: false })
const isCompose = ajv.compile({ ...schema, $schema: undefined })

function problemsOf(compose: unknown): readonly string[] {
  return isCompose(compose)
    ? []
    : (isCompose.errors ?? []).map(({ instancePath, message, params }) =>
        [`${instancePath} ${message}`, params.additionalProperty].filter(Boolean).join(': '),
      )
}

describe('the schema', () => {
  it('has every field of the file', () => {
    expect(problemsOf(file)).toEqual([])
  })

  it('refuses a wrong type, and a field that it does not have', () => {
    const wrong = structuredClone(file)
    wrong.services.reconcile.stop_grace_perid = '90s'
    wrong.services.reconcile.healthcheck = []
    wrong.services.postgres.networks = 5
    wrong.secret = {}
    expect(problemsOf(wrong)).toEqual([
      ' must NOT have additional properties: secret',
      '/services/postgres/networks must be array',
      '/services/postgres/networks must be object',
      '/services/postgres/networks must match exactly one schema in oneOf',
      '/services/reconcile must NOT have additional properties: stop_grace_perid',
      '/services/reconcile/healthcheck must be object',
    ])
  })
})

it('passes only options that the command has', () => {
  expect(readReconcile(reconcile.command)).toEqual({
    every: '5m',
    mode: 'report',
    repo: 'https://git.example.com/acme/flags.git',
    revision: 'main',
    listen: '0.0.0.0:9464',
    logFormat: 'json',
  })
})

it('runs two replicas after the database answers, and gives them longer to stop than they need', () => {
  expect([reconcile.deploy, reconcile.depends_on]).toEqual([
    { replicas: 2 },
    { postgres: { condition: 'service_healthy' } },
  ])
  expect(postgres.healthcheck.test[1]).toBe('pg_isready')
  expect(reconcile.healthcheck.test.at(-1)).toBe('http://127.0.0.1:9464/healthz')
  expect(Number(/^(\d+)s$/.exec(reconcile.stop_grace_period)?.[1])).toBeGreaterThan(60)
})

it.each(Object.entries<typeof reconcile>(file.services))(
  'gives no right to %s that it does not need',
  (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      security_opt: ['no-new-privileges:true'],
      cap_drop: ['ALL'],
      restart: 'unless-stopped',
    })
    expect(service.ports).toBeUndefined()
    expect(service.privileged).toBeUndefined()
  },
)

it('has each secret in a file, and mounts those that a service names', () => {
  const files = Object.entries<{ file: string }>(file.secrets).map(([name, secret]) => [name, secret.file])
  expect(files).toEqual(['postgres_password', 'pgpass', 'key', 'git'].map(name => [name, `secrets/${name}`]))
  const named = (service: { environment: object }) =>
    Array.from(
      Object.values(service.environment)
        .join('\n')
        .matchAll(/\/run\/secrets\/(\w+)/g),
      ([, name]) => name,
    ).sort()
  expect([named(postgres), named(reconcile)]).toEqual([
    [...postgres.secrets].sort(),
    [...reconcile.secrets].sort(),
  ])
  expect(new URL(reconcile.environment.VEXIL_STORE).password).toBe('')
})

it('keeps the database in a network of its own', () => {
  expect([postgres.networks, reconcile.networks, file.networks]).toEqual([
    ['store'],
    ['store', 'outside'],
    { store: { internal: true }, outside: {} },
  ])
})

it('gives git the name and the token of the file', async () => {
  const folder = await folderOfTest({ git: 'username=reader\npassword=token-1\n' })
  expect(credentialWith(gitVariables(reconcile.environment, join(folder, 'git')))).toEqual([
    'username=reader',
    'password=token-1',
  ])
})
