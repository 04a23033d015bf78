import { isSameValue, type ObjectValue, unknown } from '../../../src/hcl/values/value.ts'
import { isJsonObject, type Json } from '../../../src/model/text/json.ts'
import { ArgumentError } from '../../../src/schema/terraform/call-provider-function.ts'
import {
  type Block,
  errorDiagnostic,
  type Private,
  type Provider,
  type Resource,
  typeOfBlock,
} from '../../../src/terraform/provider.ts'
import type { DefineProvider } from '../../../src/terraform/serve/serve.ts'

export const noteBlock: Block = {
  attributes: {
    id: { type: 'string', presence: 'computed' },
    title: { type: 'string', presence: 'required' },
    size: { type: 'number', presence: 'optional' },
    labels: { type: ['set', 'string'], presence: 'optional' },
    extra: { type: ['map', 'number'], presence: 'optional' },
    secret: { type: 'string', presence: 'optional', sensitive: true },
    password: { type: 'string', presence: 'optional', sensitive: true },
    revision: { type: 'number', presence: 'computed' },
    lines: {
      nesting: 'list',
      presence: 'optional',
      attributes: {
        text: { type: 'string', presence: 'required' },
        length: { type: 'number', presence: 'computed' },
      },
    },
  },
}

/** Notes kept in memory: the least provider that has every kind of call. */
export const defineNotes: DefineProvider = () => {
  const notes = new Map<string, ObjectValue>()
  let written = 0
  const note: Resource = {
    schema: { version: 1, block: noteBlock },
    validate: ({ title }) =>
      title === '' ? [errorDiagnostic('a title is not empty', 'give the note one', ['title'])] : [],
    read: ({ state, private: kept }) => {
      const found = notes.get(String(state.id))
      if (!found) return { state: null }
      return { state: { ...state, ...found }, private: adding(kept, 'read') }
    },
    plan: ({ prior, proposed, priorPrivate }) => {
      const isChanged = prior === null || !isSameValue(typeOfBlock(noteBlock), prior, proposed)
      const lines = Array.isArray(proposed.lines)
        ? proposed.lines.map(line => ({ ...line, length: unknown }))
        : proposed.lines
      return {
        planned: {
          ...proposed,
          ...(prior === null ? { id: unknown } : {}),
          ...(isChanged ? { revision: unknown, lines: lines ?? null } : {}),
        },
        requiresReplace: prior && prior.size !== proposed.size ? [['size']] : [],
        private: adding(priorPrivate, 'planned'),
      }
    },
    apply: ({ prior, planned, plannedPrivate }) => {
      if (planned === null) {
        notes.delete(String(prior?.id))
        return { state: null }
      }
      written++
      const id = prior ? String(prior.id) : `note-${written}`
      const lines = Array.isArray(planned.lines)
        ? planned.lines.map(line => ({ ...line, length: String(line.text).length }))
        : null
      const state = { ...planned, id, revision: prior ? Number(prior.revision) + 1 : 1, lines }
      notes.set(id, state)
      return { state, private: adding(plannedPrivate, 'applied') }
    },
    import: id => {
      const found = notes.get(id)
      return { state: { ...found, id } }
    },
    move: ({ type, state }) => {
      if (type !== 'terraform_data' || !isJsonObject(state)) return undefined
      return { state: { id: String(state.id), title: movedTitle(state.input), revision: 1 } }
    },
  }
  return {
    schema: {
      version: 0,
      block: {
        attributes: {
          url: { type: 'string', presence: 'optional', description: 'where the notes are' },
          key: { type: 'string', presence: 'optional', sensitive: true },
        },
      },
    },
    resources: { notes_note: note },
    dataSources: {
      notes_count: {
        schema: { version: 0, block: { attributes: { count_of: { type: 'number', presence: 'computed' } } } },
        read: () => ({ state: { count_of: notes.size } }),
      },
    },
    functions: {
      shout: {
        summary: 'says it louder',
        description: 'Joins the words and says them in capitals.',
        parameters: ['first', 'second', 'third'].map(name => ({
          name,
          type: 'string',
          description: `the ${name} word`,
        })),
        result: 'string',
        call: words => {
          if (words[0] === '') throw new ArgumentError(0, 'there is nothing to shout')
          return words.join(' ').toUpperCase()
        },
      },
    },
    configure: () => [],
  } satisfies Provider
}

/** What was kept, as JSON here, with one thing more. */
function adding(kept: Private, name: string): Private {
  const entries = kept.length === 0 ? {} : JSON.parse(Buffer.from(kept).toString())
  return Buffer.from(JSON.stringify({ ...entries, [name]: 'yes' }))
}

/** An input of any type stands in the state beside its type. */
function movedTitle(input: Json | undefined): string {
  return String(isJsonObject(input) ? input.value : input)
}
