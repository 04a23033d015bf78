import { isDeepStrictEqual } from 'node:util'
import { defineVexil } from '../../src/terraform/vexil-provider.ts'
import type { Message } from '../../src/terraform/wire/messages.ts'
import type { TerraformClient } from '../terraform/support/client.ts'
import { served } from '../terraform/support/served.ts'
import {
  type Configuration,
  changedConfiguration,
  configurationOf,
  type Plain,
  type PlainObject,
  type ResourceBlock,
} from './configuration.ts'
import { play, type Stage } from './play.ts'
import type { Scene } from './scene.ts'
import { terraformScene } from './terraform-scene.ts'
import {
  type Attribute,
  fromWire,
  later,
  proposed,
  type Sent,
  type SentObject,
  suited,
  toWire,
  Unsuited,
} from './terraform-values.ts'
import type { Happened } from './transcript.ts'

/**
 * Plays a scene against the provider, over its own protocol, with the calls that Terraform makes and in their order:
 * one object after the other, each in the order of its references.
 */
export function recordTerraform(scene: Scene, position: number): Promise<Happened[]> {
  const configuration = configurationOf(scene, position)
  return play(terraformScene(scene, position), stage => {
    const state: State = new Map()
    return line => {
      // `apply changed` is an apply of what somebody has worked on.
      const [command = '', change] = line.split(' ')
      const given = change === undefined ? configuration : changedConfiguration(configuration)
      return runCommand(command, { stage, configuration: given, state })
    }
  })
}

/** What Terraform keeps between two commands, by the address. */
type State = Map<string, Kept>

interface Kept {
  readonly type: string
  readonly value: PlainObject
  readonly private: Uint8Array
}

interface Command {
  readonly stage: Stage
  readonly configuration: Configuration
  readonly state: State
}

interface Told {
  readonly out: string[]
  readonly err: string[]
  readonly client: TerraformClient
  readonly schemas: Readonly<Record<string, readonly Attribute[]>>
  readonly dataSchemas: Readonly<Record<string, readonly Attribute[]>>
}

async function runCommand(line: string, command: Command) {
  const { env, clock, url, folder } = command.stage
  // A process of its own for each command, as Terraform starts it.
  const provider = await served(defineVexil, { env, runtime: clock, temporaryDirectory: folder })
  const { client } = provider
  const [out, err]: [string[], string[]] = [[], []]
  try {
    const schema = await client.call('GetProviderSchema', {})
    const attributesOf = (schemas: typeof schema.resource_schemas) =>
      Object.fromEntries(Object.entries(schemas).map(([type, one]) => [type, one.block?.attributes ?? []]))
    const told: Told = {
      out,
      err,
      client,
      schemas: attributesOf(schema.resource_schemas),
      dataSchemas: attributesOf(schema.data_source_schemas),
    }
    const block = withAddress(command.configuration.provider, url)
    const config = toWire(suited(schema.provider?.block?.attributes ?? [], block))
    const { diagnostics } = await client.call('ConfigureProvider', { terraform_version: '1.11.4', config })
    if (!tell(told, 'provider', diagnostics)) await carryOut(line, command, told)
  } finally {
    await provider.close()
  }
  const isFailed = err.some(text => text.startsWith('error '))
  return { code: isFailed ? 1 : 0, stdout: lines(out), stderr: lines(err) }
}

async function carryOut(line: string, command: Command, told: Told): Promise<void> {
  const { configuration, state } = command
  if (line === 'destroy') {
    for (const [address, kept] of [...state].reverse()) await destroy(address, kept, state, told)
    return
  }
  const known = line === 'validate' ? new Map() : await readKnownFlags(configuration, told)
  for (const block of configuration.resources) {
    const address = `${block.type}.${block.name}`
    try {
      const config = configOf(block, command, told, known)
      const { diagnostics } = await told.client.call('ValidateResourceConfig', {
        type_name: block.type,
        config: toWire(config),
      })
      if (tell(told, address, diagnostics) || line === 'validate') continue
      await planOne(block, config, line === 'apply', state, told)
    } catch (error) {
      if (!(error instanceof Unsuited)) throw error
      told.err.push(`error ${address}: Terraform refuses this itself: ${error.message}`)
    }
  }
  if (line !== 'apply') return
  const declared = new Set(configuration.resources.map(({ type, name }) => `${type}.${name}`))
  for (const [address, kept] of [...state].reverse()) {
    if (!declared.has(address)) await destroy(address, kept, state, told)
  }
}

/** The flags that are only granted to somebody: what their data sources answer. */
async function readKnownFlags({ knownFlags }: Configuration, told: Told): Promise<ReadonlyMap<string, Sent>> {
  const ids = new Map<string, Sent>()
  for (const [name, key] of Object.entries(knownFlags)) {
    const { state, diagnostics } = await told.client.call('ReadDataSource', {
      type_name: 'vexil_feature_flag',
      config: toWire(suited(told.dataSchemas.vexil_feature_flag ?? [], { key })),
    })
    const address = `data.vexil_feature_flag.${name}`
    tell(told, address, diagnostics)
    const value = fromWire(state)
    told.out.push(`${address} ${JSON.stringify(value)}`)
    ids.set(name, isObject(value) ? (value.id ?? null) : null)
  }
  return ids
}

function configOf(
  { type, values, flag }: ResourceBlock,
  { state }: Command,
  { schemas }: Told,
  known: ReadonlyMap<string, Sent>,
): SentObject {
  const idOf = (place: NonNullable<typeof flag>): Sent =>
    'known' in place
      ? (known.get(place.known) ?? later)
      : (state.get(`vexil_feature_flag.${place.declared}`)?.value.id ?? later)
  return suited(schemas[type] ?? [], flag === undefined ? values : { ...values, feature_flag_id: idOf(flag) })
}

/** Refreshes, plans and, where that is wanted, applies one resource. */
async function planOne(
  { type, name, importId }: ResourceBlock,
  config: SentObject,
  isApplied: boolean,
  state: State,
  told: Told,
): Promise<void> {
  const address = `${type}.${name}`
  const { client, out, schemas } = told
  const before = state.get(address) ?? (await imported(type, address, importId, told))
  if (before === 'refused') return
  const prior = before === undefined ? undefined : await refreshed(address, before, told)
  if (prior === 'refused') return
  const attributes = schemas[type] ?? []
  const plan = (from: Kept | undefined) =>
    client.call('PlanResourceChange', {
      type_name: type,
      prior_state: toWire(from?.value ?? null),
      proposed_new_state: toWire(proposed(attributes, from?.value ?? null, config)),
      config: toWire(config),
      prior_private: from?.private ?? new Uint8Array(),
    })
  let from = prior
  let planned = await plan(from)
  if (tell(told, address, planned.diagnostics)) return
  const replaced = planned.requires_replace.map(pathText)
  if (from && replaced.length > 0) {
    out.push(`${address} is replaced for ${replaced.join(', ')}`)
    if (isApplied && !(await destroy(address, from, state, told))) return
    from = undefined
    planned = await plan(from)
    if (tell(told, address, planned.diagnostics)) return
  }
  const value = fromWire(planned.planned_state)
  if (from && isDeepStrictEqual(value, from.value)) {
    out.push(`${address} stays as it is`)
    state.set(address, from)
    return
  }
  out.push(`${address} ${from ? 'update' : 'create'} ${JSON.stringify(changed(from?.value ?? {}, value))}`)
  if (!isApplied) return
  if (Object.values(config).includes(later)) {
    out.push(`${address} is skipped: what it refers to was not made`)
    return
  }
  const done = await client.call('ApplyResourceChange', {
    type_name: type,
    prior_state: toWire(from?.value ?? null),
    planned_state: planned.planned_state,
    config: toWire(config),
    planned_private: planned.planned_private,
  })
  tell(told, address, done.diagnostics)
  const made = fromWire(done.new_state)
  out.push(`${address} is ${JSON.stringify(made)}`)
  if (isObject(made)) state.set(address, { type, value: made, private: done.private })
}

async function imported(
  type: string,
  address: string,
  id: string | undefined,
  told: Told,
): Promise<Kept | undefined | 'refused'> {
  if (id === undefined) return undefined
  const answer = await told.client.call('ImportResourceState', { type_name: type, id })
  if (tell(told, address, answer.diagnostics)) return 'refused'
  const [one] = answer.imported_resources
  const value = fromWire(one?.state)
  told.out.push(`${address} is imported from ${id}`)
  return isObject(value) ? { type, value, private: one?.private ?? new Uint8Array() } : undefined
}

async function refreshed(
  address: string,
  { type, value, private: kept }: Kept,
  told: Told,
): Promise<Kept | undefined | 'refused'> {
  const answer = await told.client.call('ReadResource', {
    type_name: type,
    current_state: toWire(value),
    private: kept,
  })
  if (tell(told, address, answer.diagnostics)) return 'refused'
  const now = fromWire(answer.new_state)
  if (!isObject(now)) {
    told.out.push(`${address} is gone`)
    return undefined
  }
  if (!isDeepStrictEqual(now, value))
    told.out.push(`${address} has become ${JSON.stringify(changed(value, now))}`)
  return { type, value: now, private: answer.private }
}

/** Answers whether it is gone. */
async function destroy(address: string, kept: Kept, state: State, told: Told): Promise<boolean> {
  const now = await refreshed(address, kept, told)
  if (now === 'refused') return false
  if (now) {
    const { diagnostics, new_state: left } = await told.client.call('ApplyResourceChange', {
      type_name: kept.type,
      prior_state: toWire(now.value),
      planned_state: toWire(null),
      config: toWire(null),
      planned_private: now.private,
    })
    const isRefused = tell(told, address, diagnostics)
    if (isRefused || fromWire(left) !== null) return false
    told.out.push(`${address} is destroyed`)
  }
  state.delete(address)
  return true
}

/** Notes diagnostics, and answers whether there is an error among them. */
function tell({ err }: Told, address: string, diagnostics: readonly Message<'Diagnostic'>[]): boolean {
  for (const { severity, summary, detail, attribute } of diagnostics) {
    const place = attribute ? `${address}.${pathText(attribute)}` : address
    err.push(`${severity} ${place}: ${summary}`)
    if (detail !== '') err.push(...detail.split('\n').map(text => `  ${text}`))
  }
  return diagnostics.some(({ severity }) => severity === 'error')
}

function pathText({ steps }: Message<'AttributePath'>): string {
  return steps
    .map(
      ({ attribute_name: name, element_key_string: key, element_key_int: index }) =>
        name ?? key ?? String(index),
    )
    .join('.')
}

/** The members that are not as they were. */
function changed(before: PlainObject, after: Plain): Plain {
  if (!isObject(after)) return after
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(value, before[name] ?? null)),
  )
}

function withAddress(block: PlainObject, url: string): PlainObject {
  return { ...block, ...(block.base_url === 'SERVICE' ? { base_url: url } : {}) }
}

function isObject(value: Plain | undefined): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function lines(texts: readonly string[]): string {
  return texts.map(text => `${text}\n`).join('')
}
